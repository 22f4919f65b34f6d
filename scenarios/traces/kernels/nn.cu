// Distances from a place.
extern "C" __global__ void k_nn(const float2* loc, float* d, int n, float lat, float lng) {
  int g = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
  if (g < n) {
    float2 p = loc[g];
    d[g] = sqrtf((lat - p.x) * (lat - p.x) + (lng - p.y) * (lng - p.y));
  }
}
