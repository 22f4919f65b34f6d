#include "subcore/observers/vcd_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>

#include "subcore/base/bits.h"

namespace subcore {
namespace {

// Identifier codes of printable characters, shortest first.
std::string identifier(std::size_t n) {
  std::string code;
  do {
    code += static_cast<char>('!' + n % 94);
    n /= 94;
  } while (n != 0);
  return code;
}

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// The buffer is flushed when it has `enough`; there is room for more, so that not every byte need be looked
// at.
constexpr std::ptrdiff_t enough = 1 << 20;
constexpr std::size_t room = 1 << 12, longest_change = 80;

// A value ends at white space.
std::string one_word(std::string text) {
  for (char& c : text) {
    if (c <= ' ' || c == 0x7f) c = '_';
  }
  return text.empty() ? "_" : text;
}

}  // namespace

VcdFile::VcdFile(std::filesystem::path name, std::filesystem::path path, std::uint64_t period)
    : name_(std::move(name)),
      path_(std::move(path)),
      temporary_(std::filesystem::path(path_) += ".part"),
      buffer_(new char[enough + 2 * room]),
      at_(buffer_.get()),
      period_(period) {
  out_ = std::fopen(temporary_.c_str(), "wb");
  if (out_ == nullptr) fail(std::strerror(errno));
  const std::filesystem::path packing = name_.extension();
  if (packing == ".gz" || packing == ".xz") {
    packer_ = std::make_unique<boost::iostreams::filtering_ostream>();
    if (packing == ".gz")
      packer_->push(boost::iostreams::gzip_compressor());
    else
      packer_->push(boost::iostreams::lzma_compressor());
    packer_->push(boost::iostreams::back_inserter(packed_));
  }
  put("$version subcore $end\n$timescale 1ps $end\n");
}

VcdFile::~VcdFile() {
  if (out_ == nullptr) return;
  std::fclose(out_);  // not closed properly: the run failed
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void VcdFile::open_scope(const std::string& scope) {
  const std::vector<std::string> scopes = split(scope);
  std::size_t same = 0;
  while (same < open_scopes_.size() && same < scopes.size() && open_scopes_[same] == scopes[same]) ++same;
  for (; open_scopes_.size() > same; open_scopes_.pop_back()) put("$upscope $end\n");
  for (; open_scopes_.size() < scopes.size(); open_scopes_.push_back(scopes[open_scopes_.size()]))
    put("$scope module " + scopes[open_scopes_.size()] + " $end\n");
}

unsigned VcdFile::declare(const std::string& scope, const std::string& name, unsigned bits,
                          Signal::Form form) {
  open_scope(scope);
  const std::string code = identifier(variables_.size());
  Variable v{{},
             static_cast<unsigned char>(code.size() + 1),
             static_cast<unsigned char>(std::min(std::max(bits, 1u), 64u)),
             form};
  std::memcpy(v.code, (code + '\n').data(), v.length);
  const char* type = form == Signal::Form::text ? "string" : form == Signal::Form::real ? "real" : "wire";
  const bool vector = *type == 'w' && v.bits > 1;
  put(std::string("$var ") + type + ' ' + std::to_string(v.bits) + ' ' + code + ' ' + name +
      (vector ? " [" + std::to_string(v.bits - 1) + ":0]" : "") + " $end\n");
  variables_.push_back(v);
  return static_cast<unsigned>(variables_.size() - 1);
}

void VcdFile::end_declarations() {
  for (; !open_scopes_.empty(); open_scopes_.pop_back()) put("$upscope $end\n");
  put("$enddefinitions $end\n");
  flush();
  buffer_.reset(new char[enough + 2 * room + variables_.size() * longest_change]);
  at_ = buffer_.get();
}

std::uint64_t VcdFile::number_of(const std::string& text) {
  const auto [it, added] = text_numbers_.try_emplace(text, texts_.size());
  if (added) {
    Text& t = texts_.emplace_back(Text{{}, 0, 's' + one_word(text) + ' '});
    if (t.whole.size() <= sizeof t.bytes) {
      t.size = static_cast<std::uint32_t>(t.whole.size());
      std::memcpy(t.bytes, t.whole.data(), t.size);
    }
  }
  return it->second;
}

void VcdFile::put(const std::string& text) {
  if (text.size() > room) {
    flush();
    write(text.data(), text.size());
    return;
  }
  std::memcpy(at_, text.data(), text.size());
  at_ += text.size();
  if (at_ - buffer_.get() > enough) flush();
}

void VcdFile::put(const Variable& v) {
  std::memcpy(at_, v.code, sizeof v.code);
  at_ += v.length;
}

void VcdFile::begin_cycle(Cycle cycle) {
  if (at_ - buffer_.get() > enough) flush();
  char digits[24];
  char* at = digits + sizeof digits;
  std::uint64_t time = cycle * period_;
  do {
    *--at = static_cast<char>('0' + time % 10);
    time /= 10;
  } while (time != 0);
  const auto count = static_cast<std::size_t>(digits + sizeof digits - at);
  *at_++ = '#';
  std::memcpy(at_, at, count);
  at_ += count;
  *at_++ = '\n';
}

void VcdFile::change(unsigned variable, std::uint64_t value) {
  // Binary digits of 0 to 15, and some more, as four digits are always taken.
  static const char* const nibbles = "0000000100100011010001010110011110001001101010111100110111101111000";
  const Variable& v = variables_[variable];
  const bool is_x = value == Signal::x && v.form != Signal::Form::mask && v.form != Signal::Form::per_cycle;
  if (v.form == Signal::Form::text) {
    if (is_x) {
      std::memcpy(at_, "sx ", 3);
      at_ += 3;
    } else if (const Text& t = texts_[value]; t.size != 0) {
      std::memcpy(at_, t.bytes, sizeof t.bytes);
      at_ += t.size;
    } else {
      put(t.whole);
    }
  } else if (v.form == Signal::Form::real) {
    double number = 0;
    std::memcpy(&number, &value, sizeof number);
    at_ += std::snprintf(at_, room, "r%.6g ", number);
  } else if (v.bits == 1) {
    *at_++ = is_x ? 'x' : static_cast<char>('0' + (value & 1u));
  } else if (is_x) {
    std::memcpy(at_, "bx ", 3);
    at_ += 3;
  } else {
    if (v.bits < 64) value &= bits::below(v.bits);
    const unsigned top = value == 0 ? 0 : bits::highest(value);
    *at_++ = 'b';
    unsigned shift = top & ~3u;
    std::memcpy(at_, nibbles + 4 * (value >> shift & 15u) + 3 - top % 4, 4);
    at_ += top % 4 + 1;  // digits behind that are written over
    while (shift != 0) {
      shift -= 4;
      std::memcpy(at_, nibbles + 4 * (value >> shift & 15u), 4);
      at_ += 4;
    }
    *at_++ = ' ';
  }
  put(v);
}

void VcdFile::dump(const std::vector<std::uint64_t>& values) {
  put(next_dump_);
  next_dump_ = "$dumpall\n";
  for (unsigned v = 0; v < variables_.size(); ++v) change(v, values[v]);
  put("$end\n");
}

void VcdFile::dump_nothing() {
  put("$dumpoff\n");
  next_dump_ = "$dumpon\n";
  for (const Variable& v : variables_) {
    if (v.form == Signal::Form::real) continue;  // has no x
    put(v.form == Signal::Form::text ? "sx " : v.bits == 1 ? "x" : "bx ");
    put(v);
  }
  put("$end\n");
}

void VcdFile::comment(std::string text) {
  std::replace(text.begin(), text.end(), '$', '_');  // $ begins a keyword
  put("$comment " + text + " $end\n");
}

void VcdFile::flush() {
  write(buffer_.get(), static_cast<std::size_t>(at_ - buffer_.get()));
  at_ = buffer_.get();
}

void VcdFile::write(const char* bytes, std::size_t count) {
  if (!packer_) {
    write_out(bytes, count);
    return;
  }
  packer_->write(bytes, static_cast<std::streamsize>(count));
  write_out(packed_.data(), packed_.size());
  packed_.clear();
}

void VcdFile::write_out(const char* bytes, std::size_t count) {
  if (std::fwrite(bytes, 1, count, out_) != count) fail(std::strerror(errno));
}

void VcdFile::fail(const std::string& reason) const {
  throw std::runtime_error(name_.string() + ": cannot write the waveform: " + reason);
}

void VcdFile::close() {
  flush();
  if (packer_) {
    packer_->reset();  // the end of the packed stream
    write_out(packed_.data(), packed_.size());
  }
  std::FILE* const out = std::exchange(out_, nullptr);
  // A full disk often shows only here, when the last bytes go out.
  if (std::fclose(out) != 0) {
    const std::string reason = std::strerror(errno);
    std::error_code ignored;
    std::filesystem::remove(temporary_, ignored);
    fail(reason);
  }
  std::error_code error;
  std::filesystem::rename(temporary_, path_, error);
  if (error) fail(error.message());
}

}  // namespace subcore
