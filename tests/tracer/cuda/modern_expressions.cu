// Instructions of sm_80 and later, and every form of matrix products, for the emulator.
#include "../../../scripts/measure/modern_kernels.h"

using u64 = unsigned long long;

__device__ __forceinline__ void mma_f16_sums(u32* c, const u32* a, const u32* b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
               : "+r"(c[0]), "+r"(c[1])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ __forceinline__ void mma_tf32(float* c, const u32* a, const u32* b) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ __forceinline__ void mma_f64(double* c, double a, double b) {
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(c[0]), "+d"(c[1])
               : "d"(a), "d"(b));
}

extern "C" __global__ void modern_expressions(const u32* A, const u32* B, u32* o, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  u32 a = A[t], b = B[t];
  int k = 0;
  auto out = [&](u32 v) { o[(size_t)k++ * n + t] = v; };
  float fa = (float)(int)a * 1e-6f, fb = (float)(int)b * 3e-7f;
  u32 am = a & 0x3bff3bff, bm = b & 0xbbffbbff;
  __half2 ha = *(__half2*)&am, hb = *(__half2*)&bm;
  u32 ab = a & 0x40ff40ff, bb = b & 0xc0ffc0ff;
  __nv_bfloat162 ba = *(__nv_bfloat162*)&ab, bx = *(__nv_bfloat162*)&bb;
  __half2 h;
  __nv_bfloat162 q;
  h = __floats2half2_rn(fa, fb);
  out(*(u32*)&h);
  q = __floats2bfloat162_rn(fa, fb);
  out(*(u32*)&q);
  out(__half_as_ushort(__float2half_rz(fa)));
  h = __hmax2(ha, hb);
  out(*(u32*)&h);
  h = __hmin2(ha, hb);
  out(*(u32*)&h);
  q = __hmax2(ba, bx);
  out(*(u32*)&q);
  q = __hfma2(ba, bx, bx);
  out(*(u32*)&q);
  q = __hadd2(ba, bx);
  out(*(u32*)&q);
  q = __hmul2(ba, bx);
  out(*(u32*)&q);
  h = __hfma2(ha, hb, ha);
  out(*(u32*)&h);
  h = __hfma2_relu(ha, hb, __float2half2_rn(-0.25f));
  out(*(u32*)&h);
  out(__reduce_add_sync(~0u, a));
  out(__reduce_max_sync(~0u, a));
  out((u32)__reduce_min_sync(~0u, (int)a));
  out(__reduce_xor_sync(~0u, a));
  out(__reduce_and_sync(~0u, a | 0xff));
  out(__reduce_or_sync(~0u, a & 0xff00));
  out((u32)__vmaxs2(a, b) ^ 0);
  out((u32)max(max((int)a, (int)b), 77));
  out((u32)min((int)a, (int)b));
  out(max(a, b));
  out((u32)abs((int)a - (int)b) + 0);
  out((a + b) ^ 3);
  out(__float_as_uint(__bfloat162float(__ushort_as_bfloat16((unsigned short)a & 0xbfff))));
  out(__float_as_uint((float)(unsigned short)a));
  out(__float_as_uint((float)(signed char)b));
  out(__half_as_ushort(__int2half_rn((int)(a & 0xfff))));
  out((u32)__half2int_rz(__low2half(ha)));
  u32 sc = a;
  asm("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(sc) : "r"(a), "r"(0x000f000f), "r"(0x64006400));
  out(sc);
  out(__byte_perm(a, b, 0x5410));
  out(__dp4a((int)a, (int)b, 7));
  out(__hgt2_mask(ha, hb));
  out((u32)__hlt(__low2half(ha), __high2half(hb)));
  u64 w = ((u64)a << 32 | b);
  w = w * 12345 + (u64)(a > b ? a : b);
  out((u32)(w >> 32) ^ (u32)w);
  out(__float_as_uint(fmaxf(fa, fb)) ^ __float_as_uint(fminf(fa, 3.f)));
  out(__float_as_uint(__half2float(__low2half(ha)) + __half2float(__high2half(hb))));
  out(__match_any_sync(~0u, a & 3));
  int pr;
  u32 mm = __match_all_sync(~0u, a & 0, &pr);
  out(mm + pr);
  mm = __match_all_sync(~0u, a, &pr);
  out(mm + 2 * pr);
  mm = __match_all_sync(~0u, a | 0xfffffffe | b, &pr);
  out(mm + 2 * pr);
  out(__float_as_uint(__half2float(__ushort_as_half((unsigned short)(a & 0x8000)))));
  u32 wide_a = a & 0xff7fff7f,
      wide_b = b & 0xff7fff7f;  // has bit patterns that are NaN of half floats
  q = __hmax2(*(__nv_bfloat162*)&wide_a, *(__nv_bfloat162*)&wide_b);
  out(*(u32*)&q);
  q = __hmin2(*(__nv_bfloat162*)&wide_a, *(__nv_bfloat162*)&wide_b);
  out(*(u32*)&q);
}
// Every form of matrix products once, by one warp.
extern "C" __global__ void matrix_forms(const u32* A, const u32* B, const float* Cf, float* D,
                                        const double* Ad) {
  int l = threadIdx.x;
  u32 a[4], b[2];
  float c[4];
  u32 ch[2];
  int ci[4];
  for (int i = 0; i < 4; i++) {
    a[i] = A[l * 4 + i];
    c[i] = Cf[l * 4 + i];
    ci[i] = l * 4 + i;
  }
  for (int i = 0; i < 2; i++) {
    b[i] = B[l * 2 + i];
    ch[i] = pack(c[2 * i], c[2 * i + 1]);
  }
  float d[4] = {c[0], c[1], c[2], c[3]};
  mma_f16(d, a, b);
  for (int i = 0; i < 4; i++) D[l * 4 + i] = d[i];
  mma_f16_sums(ch, a, b);
  for (int i = 0; i < 2; i++) {
    __half2 h = *(__half2*)&ch[i];
    D[128 + l * 4 + 2 * i] = __low2float(h);
    D[128 + l * 4 + 2 * i + 1] = __high2float(h);
  }
  float e[4] = {c[0], c[1], c[2], c[3]};
  mma_bf16(e, a, b);
  for (int i = 0; i < 4; i++) D[256 + l * 4 + i] = e[i];
  mma_s8(ci, a, b);
  for (int i = 0; i < 4; i++) D[384 + l * 4 + i] = (float)ci[i];
  u32 at[4], bt[2];
  for (int i = 0; i < 4; i++) at[i] = __float_as_uint(c[i] * 0.5f) & 0xffffe000;
  for (int i = 0; i < 2; i++) bt[i] = __float_as_uint(c[i + 1]) & 0xffffe000;
  float g[4] = {c[3], c[2], c[1], c[0]};
  mma_tf32(g, at, bt);
  for (int i = 0; i < 4; i++) D[512 + l * 4 + i] = g[i];
  double dd[2] = {c[0], c[1]};
  mma_f64(dd, Ad[l], Ad[32 + l]);
  D[640 + l * 2] = (float)dd[0];
  D[640 + l * 2 + 1] = (float)dd[1];
}
// In two kernels each lane reads what another lane has copied. The second kernel forgets to wait for the
// copies.
template <bool WAITS>
__device__ __forceinline__ void copy_and_read(const uint4* in, uint4* out) {
  __shared__ uint4 tile[32];
  copy16(&tile[threadIdx.x], in + threadIdx.x);
  commit_group();
  if (WAITS) wait_group<0>();
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
extern "C" __global__ void waits_for_copies(const uint4* in, uint4* out) {
  copy_and_read<true>(in, out);
}
extern "C" __global__ void forgets_to_wait(const uint4* in, uint4* out) {
  copy_and_read<false>(in, out);
}
