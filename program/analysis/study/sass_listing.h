// Reuse flags from a disassembly listing with encodings, which cuobjdump -sass prints and RFC-sim reads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <unordered_map>

namespace subcore {

// By kernel and PC: the flags of operand slots 0 to 3 (bits 58 to 61 of the second 64-bit word).
struct SassListing {
  std::string file;
  std::map<std::string, std::unordered_map<std::uint64_t, std::uint8_t>> kernels;

  // The flags of a kernel. Throws TraceError, which names the kernels in the listing.
  const std::unordered_map<std::uint64_t, std::uint8_t>& flags_of(const std::string& kernel) const;
};

// Reads a listing and skips lines that are neither a function's head nor an instruction. Throws TraceError
// (`file:line: problem; expected ...`).
SassListing read_sass_listing(const std::filesystem::path& file);

}  // namespace subcore
