#include "subcore/model/trace/line_source.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <new>

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>

#include "subcore/base/files.h"
#include "subcore/base/input_file.h"
#include "subcore/model/trace/compression.h"
#include "subcore/model/trace/tracez_text.h"
#include "subcore/model/trace/unpacked_text.h"

namespace subcore {
namespace {

namespace io = boost::iostreams;

constexpr std::size_t block_bytes = std::size_t{1} << 16;  // fits in a first- or second-level cache
std::atomic<std::uint64_t> all_blocks{0};
constexpr std::size_t longest_line = std::size_t{1} << 20;

// The file's bytes, counted for progress.
struct CountedFile {
  using char_type = char;
  using category = io::source_tag;
  std::shared_ptr<std::ifstream> stream;
  std::shared_ptr<std::uint64_t> count;
  std::streamsize read(char* to, std::streamsize n) {
    stream->read(to, n);
    if (stream->bad()) throw std::ios_base::failure("read error");
    const std::streamsize got = stream->gcount();
    *count += static_cast<std::uint64_t>(got);
    return got > 0 ? got : -1;
  }
};

// The file's first bytes must be of the format that its name says.
void check_compression(const std::filesystem::path& file, std::ifstream& stream) {
  char first[longest_magic];
  stream.read(first, sizeof first);
  const Compression* const found = compression_of({first, static_cast<std::size_t>(stream.gcount())});
  const Compression* const named = compression_named(file.filename().string());
  if (found != nullptr && found != named)
    throw TraceError(file.string() + ": holds " + std::string(found->name) +
                     " data, but the file's name does not say so; expected " +
                     (found->is_read ? "a name that ends in " + std::string(found->suffix)
                                     : "text, or text compressed by gzip or xz"));
  if (named != nullptr && !named->is_read)
    throw TraceError(file.string() + ": is compressed by " + std::string(named->name) +
                     ", which subcore does not read; expected text, or text compressed by gzip or xz");
}

}  // namespace

struct LineSource::Input {
  std::shared_ptr<std::ifstream> stream = std::make_shared<std::ifstream>();
  std::shared_ptr<std::uint64_t> count = std::make_shared<std::uint64_t>(0);
  std::uint64_t total = 0;
  const Compression* compression = nullptr;  // by the file's name
  io::filtering_streambuf<io::input> text;
};

LineSource::LineSource(const std::filesystem::path& file)
    : name_(file.string()), input_(std::make_unique<Input>()), block_(block_bytes) {
  Input& in = *input_;
  if (is_folder(file)) throw TraceError(name_ + ": cannot open; expected a file, not a folder");
  at_ = stop_ = block_.data();
  if (is_tracez(file)) {
    const TracezText tracez(file, in.count);
    in.total = tracez.bytes_total();
    in.text.push(tracez, block_bytes);
    return;
  }
  std::error_code error;
  if (std::filesystem::is_fifo(file, error)) {
    take_pipe(file);
    return;
  }
  if (is_packed(file)) {
    const UnpackedText packed(file, in.count);
    in.total = packed.bytes_total();
    in.text.push(packed, block_bytes);
    return;
  }
  in.stream->open(file, std::ios::binary);
  if (!*in.stream)
    throw TraceError(name_ + ": cannot open: " + std::strerror(errno) + "; expected a readable file");
  in.stream->seekg(0, std::ios::end);
  in.total = static_cast<std::uint64_t>(in.stream->tellg());
  in.stream->clear();
  in.stream->seekg(0);
  check_compression(file, *in.stream);
  in.compression = compression_named(name_);
  constexpr std::streamsize buffer = 1 << 16;
  if (in.compression != nullptr && in.compression->name == "xz") {
    in.text.push(io::lzma_decompressor(io::lzma_params(), buffer), buffer);
  } else if (in.compression != nullptr) {
    in.text.push(io::gzip_decompressor(io::zlib::default_window_bits, buffer), buffer);
  }
  in.stream->clear();
  in.stream->seekg(0);
  in.text.push(CountedFile{in.stream, in.count}, buffer);
}

// Reads the whole pipe at once, because a file is read again from its beginning once its kind is known.
void LineSource::take_pipe(const std::filesystem::path& file) {
  constexpr std::size_t longest = std::size_t{1} << 28;
  try {
    const std::string text = read_input(file, longest);
    if (text.size() > longest) throw InputError("longer than 256 MiB", false);
    block_.assign(text.begin(), text.end());
  } catch (const InputError& e) {
    throw TraceError(name_ + ": cannot be read (" + e.what() + "); expected a readable file");
  }
  input_->text.push(io::array_source("", std::size_t{0}));
  at_ = block_.data();
  stop_ = at_ + block_.size();
  skip_mark();
}

// Some editors put a byte order mark before a text.
void LineSource::skip_mark() {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (std::string_view(at_, static_cast<std::size_t>(stop_ - at_)).substr(0, mark.size()) == mark)
    at_ += mark.size();
}

LineSource::LineSource(const std::string& name, std::string_view text)
    : name_(name), input_(std::make_unique<Input>()), block_(text.begin(), text.end()) {
  input_->text.push(io::array_source("", std::size_t{0}));
  if (block_.empty()) block_.resize(1);  // data() must point to something
  at_ = block_.data();
  stop_ = at_ + text.size();
}

LineSource::~LineSource() = default;
LineSource& LineSource::operator=(LineSource&&) noexcept = default;

const char* LineSource::find_newline() const {
  return static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(stop_ - at_)));
}

// Refills the block behind an unfinished line, and gives out a last line without a line end.
bool LineSource::next_over_block(const char*& begin, const char*& end) {
  for (;;) {
    const auto rest = static_cast<std::size_t>(stop_ - at_);
    if (rest > longest_line)
      fail("line " + std::to_string(line_ + 1) + " is too long", "lines of at most 1 MiB");
    if (rest > 0) std::memmove(block_.data(), at_, rest);
    if (block_.size() < rest + block_bytes) block_.resize(rest + block_bytes);
    at_ = block_.data();
    stop_ = at_ + rest;
    std::streamsize got = 0;
    try {
      got = input_->text.sgetn(block_.data() + rest, static_cast<std::streamsize>(block_bytes));
    } catch (const std::bad_alloc&) {  // no error of the file
      throw;
    } catch (const TraceError&) {  // of a packed trace, whose message has the place
      throw;
    } catch (const std::exception&) {
      const bool is_compressed = input_->compression != nullptr;
      fail(is_compressed ? "compressed data is damaged or ends early" : "read error",
           is_compressed ? "a complete compressed file" : "a readable file");
    }
    count_block();
    if (line_ == 0 && rest == 0 && got > 0 && input_->compression != nullptr) {
      const Compression* const inside = compression_of({block_.data(), static_cast<std::size_t>(got)});
      if (inside != nullptr)
        throw TraceError(name_ + ": is compressed twice, by " + std::string(inside->name) + " and then by " +
                         std::string(input_->compression->name) + "; expected once");
    }
    if (got <= 0) {
      if (rest == 0) {
        unterminated_ = false;
        return false;
      }
      begin = at_;
      end = stop_;
      at_ = stop_;
      if (end[-1] == '\r') --end;
      ++line_;
      unterminated_ = true;
      return true;
    }
    const bool is_first = line_ == 0 && rest == 0;
    stop_ += got;
    if (is_first) skip_mark();
    if (const char* newline = find_newline()) {
      take(newline, begin, end);
      return true;
    }
  }
}

void LineSource::fail(const std::string& problem, const std::string& expected) const {
  const std::string where = name_ + ":" + std::to_string(std::max<std::uint64_t>(line_, 1)) + ": ";
  if (unterminated_)
    throw TraceError(where + "file ends in the middle of a line (" + problem + "); expected " + expected);
  throw TraceError(where + problem + "; expected " + expected);
}

std::uint64_t LineSource::bytes_read() const {
  return *input_->count;
}
std::uint64_t LineSource::bytes_total() const {
  return input_->total;
}

std::uint64_t LineSource::blocks_read() {
  return all_blocks.load(std::memory_order_relaxed);
}
void LineSource::count_block() {
  all_blocks.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace subcore
