// Sidecars with faults that a compiler could have made, for tests that have to find them.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>

namespace subcore::test {

inline std::string text_of_sidecar(const std::filesystem::path& file) {
  boost::iostreams::filtering_istream in;
  if (file.extension() == ".xz") in.push(boost::iostreams::lzma_decompressor());
  std::ifstream stream(file, std::ios::binary);
  in.push(stream);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// A sidecar's line in its fields: PC, encoding, control word, operands and text.
struct SidecarLine {
  std::string pc, encoding, control, operands, text;
  std::string joined() const {
    return pc + "|" + encoding + "|" + control + "|" + operands + "|" + text + "\n";
  }
};

// The sidecar in which `edit` has changed the line of every instruction.
inline std::string edited_sidecar(const std::string& whole, const std::function<void(SidecarLine&)>& edit) {
  std::istringstream in(whole);
  std::string out, line;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    SidecarLine l;
    for (std::string* field : {&l.pc, &l.encoding, &l.control, &l.operands})
      std::getline(fields, *field, '|');
    std::getline(fields, l.text);
    edit(l);
    out += l.joined();
  }
  return out;
}

// Halves a line's stall count and rounds it down, but not to 0, which is no stall.
inline void halve_stall(SidecarLine& line) {
  std::istringstream in(line.control);
  unsigned stall = 0;
  std::string rest;
  in >> stall;
  std::getline(in, rest);
  line.control = " " + std::to_string(stall < 2 ? stall : stall / 2) + rest + " ";
}

// Flips the reuse flag of a slot, 0 = A, in the control word. The marks in the operands field are for readers
// of the file.
inline void flip_reuse_flag(SidecarLine& line, unsigned slot) {
  const std::size_t last = line.control.find_last_not_of(' ');
  const char digit = line.control.at(last);
  const unsigned mask = static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10) ^ 1u << slot;
  line.control[last] = "0123456789abcdef"[mask];
}

// Copies a trace into a folder of its own, with edited sidecars in place of the kernels' own.
inline void copy_trace_with_sidecars(const std::filesystem::path& trace, const std::filesystem::path& to,
                                     const std::function<void(SidecarLine&)>& edit) {
  namespace fs = std::filesystem;
  fs::create_directories(to);
  for (const auto& entry : fs::directory_iterator(trace)) {
    const fs::path file = fs::absolute(entry.path());
    const std::string name = file.filename().string();
    const std::size_t sass = name.find(".sass");
    if (sass == std::string::npos)
      fs::create_symlink(file, to / name);
    else
      std::ofstream(to / (name.substr(0, sass) + ".sass")) << edited_sidecar(text_of_sidecar(file), edit);
  }
}

}  // namespace subcore::test
