// The lines of a .tracez file. post-traces-processing of Accel-Sim 2.0 writes such files, and its traceDsm
// prints the lines.
//
// The file begins with the text of the kernel's header and a NUL. Numbers are little-endian. In the
// following, brackets hold numbers of bytes:
//
//   size of the dictionary [4], instructions of a part as the writer meant it [4], the dictionary
//   warp: instructions [4], parts [4]; for each part its bytes [4] and a zstd frame of lines without an end
//     of line behind the last one; warps stand one behind the other
//   footer: CTAs [4]; for each: x, y, z, those of its cluster, those of its place there, its rank,
//     warps [4 each]; for each warp: instructions, parts [4 each], the byte at which the warp stands [8],
//     instructions of each part [4 each]
//   the byte at which the footer stands [8]
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>

#include <boost/iostreams/categories.hpp>

namespace subcore {

// Whether the file is one, by its name: *.tracez.
bool is_tracez(const std::filesystem::path& file);

// A source of Boost.Iostreams. All copies are the same source. Only a piece of a frame, and the dictionary,
// are in memory.
class TracezText {
 public:
  using char_type = char;
  using category = boost::iostreams::source_tag;

  // Sets `bytes_read` to the bytes of the file that were consumed. Throws TraceError, as read() does, with
  // the byte at which the file is malformed.
  TracezText(const std::filesystem::path& file, std::shared_ptr<std::uint64_t> bytes_read);
  std::uint64_t bytes_total() const;
  std::streamsize read(char* to, std::streamsize n);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace subcore
