// The kernels for sm_80 and later in one file, from which the shipped traces are: what a file's kernels take of
// shared memory depends on the others in it.
#include "attention.cu"
#include "bf16_gemm.cu"
#include "hgemm_3stage.cu"
#include "rmsnorm.cu"
#include "s8_gemm.cu"
#include "stencil3d.cu"
#include "topk.cu"
#include "w4a16_gemm.cu"
