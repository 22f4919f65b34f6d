// The kernels of scenarios/modern, for sm_80 and later, which are timed on GPUs, too. They are in one file, because
// what a kernel takes of shared memory depends on the others of its file.
#include "../../../scripts/measure/modern_kernels.h"
