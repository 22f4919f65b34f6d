#include "subcore/observers/vcd_file.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <utility>

#include "subcore/base/bits.h"
#include "subcore/base/spelling.h"

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

// The room holds more than the changes of a cycle, so that not every byte has to be checked.
constexpr std::size_t room = 1 << 13, longest_change = 80;
constexpr int gzip_level = 6;

// In VCD a value ends at white space.
std::string one_word(std::string text) {
  for (char& c : text) {
    if (c <= ' ' || c == 0x7f) c = '_';
  }
  return text.empty() ? "_" : text;
}

}  // namespace

VcdFile::VcdFile(std::filesystem::path file, std::filesystem::path aside, std::uint64_t period)
    : file_(std::move(file), std::move(aside), "the waveform", gzip_level),
      at_(file_.room(0)),
      period_(period) {
  put("$version subcore $end\n$timescale 1ps $end\n");
}

// Makes room for `bytes`, and for the changes of a cycle behind them.
void VcdFile::make_room(std::size_t bytes) {
  file_.used(at_);
  at_ = file_.room(bytes + room + variables_.size() * longest_change);
}

void VcdFile::close() {
  file_.used(at_);
  file_.close();
}

void VcdFile::open_scope(const std::string& scope) {
  const std::vector<std::string> scopes = split(scope, '.');
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
  file_.used(at_);
  file_.flush();
  at_ = file_.room(0);
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
  make_room(text.size());
  std::memcpy(at_, text.data(), text.size());
  at_ += text.size();
}

void VcdFile::put(const Variable& v) {
  std::memcpy(at_, v.code, sizeof v.code);
  at_ += v.length;
}

void VcdFile::begin_cycle(Cycle cycle) {
  make_room(0);
  *at_++ = '#';
  at_ = std::to_chars(at_, at_ + room, cycle * period_).ptr;
  *at_++ = '\n';
}

void VcdFile::change(unsigned variable, std::uint64_t value) {
  // The binary digits of 0 to 15. Some digits more follow, because four digits are always taken.
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
    at_ += top % 4 + 1;  // later text overwrites the digits behind that
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
    if (v.form == Signal::Form::real) continue;  // a real number has no x
    put(v.form == Signal::Form::text ? "sx " : v.bits == 1 ? "x" : "bx ");
    put(v);
  }
  put("$end\n");
}

void VcdFile::comment(std::string text) {
  std::replace(text.begin(), text.end(), '$', '_');  // $ begins a keyword
  put("$comment " + text + " $end\n");
}

}  // namespace subcore
