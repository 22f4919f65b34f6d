// Prints the driver's data about the GPU.
#include "harness.h"

int main() {
  std::printf(
      "{\"measurement\": \"device\", \"name\": \"0\", \"sms\": %d, \"threads_per_sm\": %d, \"ctas_per_sm\": "
      "%d, "
      "\"shared_bytes_per_sm\": %d, \"reserved_shared_bytes\": %d, \"l2_bytes\": %d, \"clock_khz\": %d}\n",
      attribute(cudaDevAttrMultiProcessorCount), attribute(cudaDevAttrMaxThreadsPerMultiProcessor),
      attribute(cudaDevAttrMaxBlocksPerMultiprocessor),
      attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
      attribute(cudaDevAttrReservedSharedMemoryPerBlock), attribute(cudaDevAttrL2CacheSize),
      attribute(cudaDevAttrClockRate));
}
