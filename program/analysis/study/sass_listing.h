// Reuse flags from a disassembly listing with encodings, as cuobjdump -sass prints it and RFC-sim reads it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <unordered_map>

namespace subcore {

// Per kernel: per PC the flags of operand slots 0 to 3 (bits 58 to 61 of the second 64-bit word).
struct SassListing {
  std::string file;
  std::map<std::string, std::unordered_map<std::uint64_t, std::uint8_t>> kernels;

  // Throws TraceError that names the kernels there are.
  const std::unordered_map<std::uint64_t, std::uint8_t>& flags_of(const std::string& kernel) const;
};

// Throws TraceError (`file:line: problem; expected ...`). Lines that are neither a function's head nor an
// instruction are passed over.
SassListing read_sass_listing(const std::filesystem::path& file);

}  // namespace subcore
