// The results of the shipped kernels, in plain loops.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "checks.h"
#include "subcore/tracer/machine/numbers.h"

namespace subcore::tracer {
namespace {

using Before = std::map<std::string, Numbers>;
using References = std::vector<Reference>;

double as_half(double x) {
  return static_cast<double>(half_value(nearest_half(x)));
}
double single(double x) {
  return static_cast<double>(static_cast<float>(x));
}

// Rows of A times rows of B, or times columns of B.
Numbers product(const Numbers& a, const Numbers& b, std::size_t m, std::size_t n, std::size_t k,
                bool b_has_columns) {
  Numbers c(m * n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t x = 0; x < k; ++x)
        c[i * n + j] += a[i * k + x] * b[b_has_columns ? j * k + x : x * n + j];
  return c;
}

References vectoradd(const Before& in) {
  Numbers c = in.at("a");
  for (std::size_t n = 0; n < c.size(); ++n) c[n] = single(c[n] + in.at("b")[n]);
  return {{"c", c, 0}};
}

References sgemm(const Before& in) {
  Numbers c = product(in.at("a"), in.at("b"), 72, 56, 40, false);
  for (std::size_t n = 0; n < c.size(); ++n) c[n] = 1.5 * c[n] + 0.5 * in.at("c")[n];
  return {{"c", c, 1e-5}};
}

References hotspot(const Before& in) {
  constexpr std::size_t rows = 64, columns = 48;
  Numbers now = in.at("t0"), next = now;
  const double step = 0.05 / 0.5;
  for (int n = 0; n < 6; ++n) {
    for (std::size_t y = 0; y < rows; ++y)
      for (std::size_t x = 0; x < columns; ++x) {
        const auto at = [&](std::size_t row, std::size_t column) { return now[row * columns + column]; };
        const double here = at(y, x), north = at(y == 0 ? 0 : y - 1, x),
                     south = at(std::min(y + 1, rows - 1), x);
        const double west = at(y, x == 0 ? 0 : x - 1), east = at(y, std::min(x + 1, columns - 1));
        next[y * columns + x] =
            here + step * (in.at("power")[y * columns + x] + (south + north - 2 * here) / 1.1 +
                           (east + west - 2 * here) / 1.2 + (80 - here) / 3);
      }
    std::swap(now, next);
  }
  return {{"t1", now, 1e-5}};
}

References pathfinder(const Before& in) {
  constexpr std::size_t columns = 1500;
  Numbers now = in.at("src"), next = now;
  for (std::size_t row = 0; row < 20; ++row) {
    for (std::size_t x = 0; x < columns; ++x)
      next[x] = in.at("wall")[row * columns + x] +
                std::min({now[x], now[x == 0 ? 0 : x - 1], now[std::min(x + 1, columns - 1)]});
    std::swap(now, next);
  }
  return {{"src", now, 0}};
}

References lud(const Before& in) {
  constexpr std::size_t n = 64;
  Numbers m = in.at("m");
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t row = k + 1; row < n; ++row) {
      m[row * n + k] /= m[k * n + k];
      for (std::size_t j = k + 1; j < n; ++j) m[row * n + j] -= m[row * n + k] * m[k * n + j];
    }
  return {{"m", m, 1e-4}};
}

References gaussian(const Before& in) {
  constexpr std::size_t n = 32;
  Numbers a = in.at("a"), b = in.at("b");
  for (std::size_t t = 0; t + 1 < n; ++t)
    for (std::size_t row = t + 1; row < n; ++row) {
      const double factor = a[row * n + t] / a[t * n + t];
      for (std::size_t j = t; j < n; ++j) a[row * n + j] -= factor * a[t * n + j];
      b[row] -= factor * b[t];
    }
  return {{"a", a, 1e-4}, {"b", b, 1e-4}};
}

References bfs(const Before& in) {
  const Numbers &nodes = in.at("nodes"), &edges = in.at("edges");
  Numbers cost(2000, -1);
  std::deque<std::size_t> queue{0};
  for (cost[0] = 0; !queue.empty(); queue.pop_front()) {
    const std::size_t node = queue.front(), first = static_cast<std::size_t>(nodes[2 * node]);
    for (std::size_t e = first; e < first + static_cast<std::size_t>(nodes[2 * node + 1]); ++e) {
      const auto next = static_cast<std::size_t>(edges[e]);
      if (cost[next] >= 0) continue;
      cost[next] = cost[node] + 1;
      queue.push_back(next);
    }
  }
  return {{"cost", cost, 0}};
}

References kmeans(const Before& in) {
  constexpr std::size_t points = 1000, features = 11, centres = 5;
  Numbers member(points);
  for (std::size_t p = 0; p < points; ++p) {
    double least = 1e30;
    for (std::size_t c = 0; c < centres; ++c) {
      double distance = 0;
      for (std::size_t f = 0; f < features; ++f)
        distance += std::pow(in.at("points")[p + f * points] - in.at("centres")[c * features + f], 2);
      if (distance < least) {
        least = distance;
        member[p] = static_cast<double>(c);
      }
    }
  }
  return {{"member", member, 0}};
}

References srad(const Before& in) {
  constexpr std::size_t rows = 40, columns = 50;
  const Numbers& image = in.at("image");
  Numbers out(image.size());
  for (std::size_t y = 0; y < rows; ++y)
    for (std::size_t x = 0; x < columns; ++x) {
      const auto at = [&](std::size_t row, std::size_t column) { return image[row * columns + column]; };
      const double j = at(y, x), n = at(y == 0 ? 0 : y - 1, x) - j, s = at(std::min(y + 1, rows - 1), x) - j;
      const double w = at(y, x == 0 ? 0 : x - 1) - j, e = at(y, std::min(x + 1, columns - 1)) - j;
      const double g2 = (n * n + s * s + w * w + e * e) / (j * j), l = (n + s + w + e) / j;
      const double q = (0.5 * g2 - l * l / 16) / std::pow(1 + 0.25 * l, 2), q0 = 0.3;
      const double c = std::clamp(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0.0, 1.0);
      out[y * columns + x] = j + 0.25 * 0.5 * c * (n + s + w + e);
    }
  return {{"out", out, 1e-4},
          {"exponential", image, 1e-4},
          {"sum", {std::accumulate(image.begin(), image.end(), 0.0)}, 1e-4}};
}

References nn(const Before& in) {
  const Numbers& places = in.at("places");
  Numbers distance;
  for (std::size_t n = 0; n < places.size(); n += 2)
    distance.push_back(std::hypot(30 - places[n], 40 - places[n + 1]));
  return {{"distance", distance, 1e-5}};
}

References backprop(const Before& in) {
  constexpr std::size_t hidden = 16;
  Numbers partial(16 * hidden);
  for (std::size_t block = 0; block < 16; ++block)
    for (std::size_t unit = 0; unit < hidden; ++unit)
      for (std::size_t n = 0; n < 16; ++n)
        partial[block * hidden + unit] += in.at("in")[block * 16 + n + 1] *
                                          in.at("weights")[(block * 16 + n + 1) * (hidden + 1) + unit + 1];
  return {{"partial", partial, 1e-5}};
}

References hgemm(const Before& in) {
  return {{"c", product(in.at("a"), in.at("b"), 64, 64, 64, false), 1e-5}};
}

// The sums are half floats after every 8 products.
References hgemm_f16(const Before& in) {
  Numbers c(8192);
  for (std::size_t i = 0; i < 64; ++i)
    for (std::size_t j = 0; j < 64; ++j)
      for (std::size_t k = 0; k < 64; ++k) {
        double& sum = c[i * 64 + j];
        sum += in.at("a")[i * 64 + k] * in.at("b")[j * 64 + k];
        if (k % 8 == 7) sum = as_half(sum);
      }
  return {{"c", c, 0}};
}

References igemm(const Before& in) {
  return {{"c", product(in.at("a"), in.at("b"), 64, 64, 64, true), 0}};
}

References lstm(const Before& in) {
  constexpr std::size_t hidden = 64, batch = 32, depth = 64;
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  const Numbers gates = product(in.at("w"), in.at("x"), 4 * hidden, batch, depth, true);
  Numbers cell(batch * hidden), out(batch * hidden);
  for (std::size_t b = 0; b < batch; ++b)
    for (std::size_t h = 0; h < hidden; ++h) {
      const auto gate = [&](std::size_t n) {
        return gates[(n * hidden + h) * batch + b] + in.at("bias")[n * hidden + h];
      };
      const std::size_t at = b * hidden + h;
      cell[at] = sigmoid(gate(1)) * in.at("cell")[at] + sigmoid(gate(0)) * std::tanh(gate(2));
      out[at] = sigmoid(gate(3)) * std::tanh(cell[at]);
    }
  return {{"new_cell", cell, 1e-4}, {"hidden", out, 1e-4}};
}

References attention(const Before& in) {
  constexpr std::size_t heads = 4, length = 320, size = 64;
  const Numbers &q = in.at("q"), &k = in.at("k"), &v = in.at("v");
  Numbers out(q.size());
  for (std::size_t head = 0; head < heads; ++head)
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t base = head * length * size;
      Numbers share(i + 1);
      for (std::size_t j = 0; j <= i; ++j) {
        for (std::size_t d = 0; d < size; ++d) share[j] += q[base + i * size + d] * k[base + j * size + d];
        share[j] /= 8;
      }
      const double most = *std::max_element(share.begin(), share.end());
      double sum = 0;
      for (double& x : share) sum += x = std::exp(x - most);
      for (std::size_t d = 0; d < size; ++d)
        for (std::size_t j = 0; j <= i; ++j)
          out[base + i * size + d] += share[j] * v[base + j * size + d] / sum;
    }
  return {{"o", out, 1.5e-3}};
}

References hgemm_3stage(const Before& in) {
  Numbers c = product(in.at("a"), in.at("b"), 256, 384, 384, false);
  for (double& x : c) x = as_half(x);
  return {{"c", c, 0}};
}

References bf16_gemm(const Before& in) {
  Numbers c = product(in.at("a"), in.at("b"), 192, 256, 256, true);
  for (std::size_t n = 0; n < c.size(); ++n) {
    const double x = c[n] + in.at("bias")[n % 256];
    c[n] = x / (1 + std::exp(-x));
  }
  return {{"c", c, 6e-3}};
}

References s8_gemm(const Before& in) {
  return {{"c", product(in.at("a"), in.at("b"), 192, 256, 512, true), 0}};
}

// Weights lie in words in the order in which the fragments of a lane need them: 32 columns and 32 rows, lane
// by lane.
References w4a16_gemm(const Before& in) {
  constexpr std::size_t columns = 1024, depth = 512;
  Numbers weights(columns * depth);  // a column's behind each other
  std::size_t word = 0;
  for (std::size_t column = 0; column < columns; column += 32)
    for (std::size_t row = 0; row < depth; row += 32)
      for (std::size_t lane = 0; lane < 32; ++lane)
        for (std::size_t n = 0; n < 4; ++n, ++word) {
          std::uint32_t bits = 0;
          for (std::size_t byte = 0; byte < 4; ++byte)
            bits |= static_cast<std::uint32_t>(in.at("weights")[4 * word + byte]) << 8 * byte;
          for (std::size_t part = 0; part < 4; ++part)
            for (std::size_t neighbour = 0; neighbour < 2; ++neighbour) {
              const std::size_t k = row + part / 2 * 16 + part % 2 * 8 + lane % 4 * 2 + neighbour;
              const std::size_t shift = part % 2 * 4 + part / 2 * 8 + neighbour * 16;
              const std::size_t of = column + n * 8 + lane / 4;
              weights[of * depth + k] = as_half((static_cast<double>(bits >> shift & 15) - 8) *
                                                in.at("scales")[k / 64 * columns + of]);
            }
        }
  return {{"c", product(in.at("a"), weights, 32, columns, depth, true), 2e-3}};
}

References rmsnorm(const Before& in) {
  constexpr std::size_t rows = 32, size = 2048;
  const auto as_bfloat = [](double x) { return static_cast<double>(bfloat_value(nearest_bfloat(x))); };
  Numbers residual(rows * size), y(rows * size);
  for (std::size_t row = 0; row < rows; ++row) {
    double squares = 0;
    for (std::size_t n = row * size; n < (row + 1) * size; ++n) {
      residual[n] = as_bfloat(in.at("x")[n] + in.at("residual")[n]);
      squares += residual[n] * residual[n];
    }
    const double scale = 1 / std::sqrt(squares / size + 1e-5);
    for (std::size_t n = 0; n < size; ++n)
      y[row * size + n] = residual[row * size + n] * scale * in.at("weight")[n];
  }
  return {{"residual", residual, 0}, {"y", y, 5e-3}};
}

References topk(const Before& in) {
  constexpr std::size_t size = 1024, k = 8;
  const Numbers& x = in.at("x");
  Numbers index, value;
  for (std::size_t row = 0; row < x.size(); row += size) {
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return x[row + a] > x[row + b]; });
    for (std::size_t n = 0; n < k; ++n) {
      index.push_back(static_cast<double>(order[n]));
      value.push_back(x[row + order[n]]);
    }
  }
  return {{"index", index, 0}, {"value", value, 0}};
}

References stencil3d(const Before& in) {
  constexpr std::size_t nx = 72, ny = 40, nz = 24, plane = nx * ny;
  constexpr double c[] = {0.5, double{0.2f}, double{-0.1f}, double{0.05f}, double{-0.02f}};
  const Numbers& x = in.at("in");
  Numbers out(x.size());
  for (std::size_t z = 4; z < nz - 4; ++z)
    for (std::size_t y = 4; y < ny - 4; ++y)
      for (std::size_t column = 4; column < nx - 4; ++column) {
        const std::size_t at = z * plane + y * nx + column;
        out[at] = c[0] * x[at];
        for (std::size_t r = 1; r <= 4; ++r)
          out[at] += c[r] * (x[at - r] + x[at + r] + x[at - r * nx] + x[at + r * nx] + x[at - r * plane] +
                             x[at + r * plane]);
      }
  return {{"out", out, 1e-6}};
}

const std::map<std::string, std::function<References(const Before&)>>& all() {
  static const std::map<std::string, std::function<References(const Before&)>> functions{
      {"attention", attention},
      {"backprop", backprop},
      {"bf16_gemm", bf16_gemm},
      {"bfs", bfs},
      {"gaussian", gaussian},
      {"hgemm_3stage", hgemm_3stage},
      {"hgemm_f16", hgemm_f16},
      {"hgemm_ldsm", hgemm},
      {"hgemm_wmma", hgemm},
      {"hotspot", hotspot},
      {"igemm", igemm},
      {"kmeans", kmeans},
      {"lstm", lstm},
      {"lud", lud},
      {"nn", nn},
      {"pathfinder", pathfinder},
      {"rmsnorm", rmsnorm},
      {"s8_gemm", s8_gemm},
      {"sgemm", sgemm},
      {"srad", srad},
      {"stencil3d", stencil3d},
      {"topk", topk},
      {"vectoradd", vectoradd},
      {"w4a16_gemm", w4a16_gemm}};
  return functions;
}

}  // namespace

std::vector<Reference> references_of(const std::string& kernel,
                                     const std::map<std::string, Numbers>& before) {
  return all().at(kernel)(before);
}

std::vector<std::string> kernels_with_references() {
  std::vector<std::string> names;
  for (const auto& [name, function] : all()) names.push_back(name);
  return names;
}

}  // namespace subcore::tracer
