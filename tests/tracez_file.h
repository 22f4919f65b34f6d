// Writes .tracez files as post-traces-processing of Accel-Sim 2.0 lays them out, for tests of their reader.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <zdict.h>
#include <zstd.h>

namespace subcore::test {

// The parts of a .tracez file. A test may change any of them before the file is put together.
struct Tracez {
  struct Warp {
    std::vector<std::string> lines;
    std::vector<std::vector<std::string>> parts(std::size_t most) const {
      std::vector<std::vector<std::string>> all;
      for (std::size_t i = 0; i < lines.size(); i += most)
        all.emplace_back(lines.begin() + static_cast<std::ptrdiff_t>(i),
                         lines.begin() + static_cast<std::ptrdiff_t>(std::min(i + most, lines.size())));
      return all;
    }
  };
  struct Block {
    std::array<std::uint32_t, 10> ids{};  // block, cluster, place in the cluster: x, y, z each; rank
    std::vector<Warp> warps;              // all warps, because they have no numbers
  };
  std::string header, dictionary;
  std::vector<Block> blocks;
  std::size_t part_lines = 3;
};

template <typename T>
void put_bytes(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline std::string zstd_frame(const std::string& text, const std::string& dictionary) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  const std::size_t size =
      ZSTD_compress_usingDict(context, out.data(), out.size(), text.data(), text.size(),
                              dictionary.empty() ? nullptr : dictionary.data(), dictionary.size(), 3);
  ZSTD_freeCCtx(context);
  if (ZSTD_isError(size)) throw std::runtime_error(ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

// A dictionary that is trained on lines, like the tracer's; empty if there are too few lines.
inline std::string trained_dictionary(const Tracez& file) {
  std::string samples, dictionary(4096, '\0');
  std::vector<std::size_t> sizes;
  for (const Tracez::Block& b : file.blocks)
    for (const Tracez::Warp& w : b.warps)
      for (const std::string& line : w.lines) {
        samples += line;
        sizes.push_back(line.size());
      }
  const std::size_t size = ZDICT_trainFromBuffer(dictionary.data(), dictionary.size(), samples.data(),
                                                 sizes.data(), static_cast<unsigned>(sizes.size()));
  dictionary.resize(ZDICT_isError(size) != 0 ? 0 : size);
  return dictionary;
}

inline std::string bytes_of(const Tracez& file) {
  std::string out = file.header, footer;
  out += '\0';
  put_bytes(out, static_cast<std::uint32_t>(file.dictionary.size()));
  put_bytes(out, static_cast<std::uint32_t>(file.part_lines));
  out += file.dictionary;
  put_bytes(footer, static_cast<std::uint32_t>(file.blocks.size()));
  for (const Tracez::Block& b : file.blocks) {
    for (const std::uint32_t n : b.ids) put_bytes(footer, n);
    put_bytes(footer, static_cast<std::uint32_t>(b.warps.size()));
    for (const Tracez::Warp& w : b.warps) {
      const auto parts = w.parts(file.part_lines);
      const std::uint64_t place = out.size();
      for (std::string* to : {&out, &footer}) {
        put_bytes(*to, static_cast<std::uint32_t>(w.lines.size()));
        put_bytes(*to, static_cast<std::uint32_t>(parts.size()));
      }
      put_bytes(footer, place);
      for (const std::vector<std::string>& part : parts) {
        std::string text;
        for (const std::string& line : part) text += (text.empty() ? "" : "\n") + line;
        const std::string frame = zstd_frame(text, file.dictionary);
        put_bytes(out, static_cast<std::uint32_t>(frame.size()));
        out += frame;
        put_bytes(footer, static_cast<std::uint32_t>(part.size()));
      }
    }
  }
  const std::uint64_t place = out.size();
  out += footer;
  put_bytes(out, place);
  return out;
}

// The parts of a kernel's text. The warps are in the order of their numbers, and numbers that the text leaves
// out have empty warps.
inline Tracez tracez_of(const std::string& text) {
  Tracez file;
  std::istringstream in(text);
  std::string line;
  const auto triple = [&](std::uint32_t* to) {
    std::istringstream numbers(line.substr(line.find('=') + 1));
    char comma = 0;
    numbers >> to[0] >> comma >> to[1] >> comma >> to[2];
  };
  while (std::getline(in, line)) {
    const auto is = [&](const char* key) { return line.rfind(key, 0) == 0; };
    if (is("#BEGIN_TB")) {
      file.blocks.emplace_back();
    } else if (file.blocks.empty()) {
      file.header += line + '\n';
    } else if (is("thread block")) {
      triple(file.blocks.back().ids.data());
    } else if (is("cluster id")) {
      triple(file.blocks.back().ids.data() + 3);
    } else if (is("cluster cta")) {
      triple(file.blocks.back().ids.data() + 6);
    } else if (is("cluster rank")) {
      file.blocks.back().ids[9] = static_cast<std::uint32_t>(std::stoul(line.substr(line.find('=') + 1)));
    } else if (is("warp =")) {
      file.blocks.back().warps.resize(std::stoul(line.substr(line.find('=') + 1)) + 1);
    } else if (!line.empty() && !is("insts") && !is("#")) {
      file.blocks.back().warps.back().lines.push_back(line);
    }
  }
  return file;
}

}  // namespace subcore::test
