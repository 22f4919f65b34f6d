// The lines from which a packed trace was made, for readers of lines. The lines lack the part before the PC,
// and have single blanks.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>

#include <boost/iostreams/categories.hpp>

#include "subcore/model/trace/packed_reader.h"

namespace subcore {

// A source of Boost.Iostreams. All copies are the same source.
class UnpackedText {
 public:
  using char_type = char;
  using category = boost::iostreams::source_tag;

  // Sets `bytes_read` to the bytes of the file that were consumed. Throws TraceError, as read() does.
  UnpackedText(const std::filesystem::path& file, std::shared_ptr<std::uint64_t> bytes_read);
  std::uint64_t bytes_total() const;
  std::streamsize read(char* to, std::streamsize n);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace subcore
