// The lines of a .tracez file, as post-traces-processing of Accel-Sim 2.0 writes it, and as its traceDsm
// prints them.
//
// The file begins with the text of the kernel's header and a NUL. Numbers are little-endian. With bytes in
// brackets:
//
// size of the dictionary [4], instructions of a part as the writer meant it [4], the dictionary
// warp: instructions [4], parts [4]; for each part its bytes [4] and a zstd frame of lines without an end of
//   line behind the last one; warps stand one behind the other
// footer: thread blocks [4]; for each: x, y, z, those of its cluster, those of its place there, its rank,
//   warps [4 each]; for each warp: instructions, parts [4 each], the byte at which the warp stands [8],
//   instructions of each part [4 each]
// the byte at which the footer stands [8]
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>

#include <boost/iostreams/categories.hpp>

namespace subcore {

// By its name: *.tracez.
bool is_tracez(const std::filesystem::path& file);

// A source of Boost.Iostreams; copies are one and the same. No more than a piece of a frame is in memory, and
// the dictionary.
class TracezText {
 public:
  using char_type = char;
  using category = boost::iostreams::source_tag;

  // Keeps `bytes_read` at the bytes of the file that were consumed. Throws TraceError, as read() does: it
  // names the byte where the file makes no sense.
  TracezText(const std::filesystem::path& file, std::shared_ptr<std::uint64_t> bytes_read);
  std::uint64_t bytes_total() const;
  std::streamsize read(char* to, std::streamsize n);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace subcore
