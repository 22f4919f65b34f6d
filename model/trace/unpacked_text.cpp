#include "subcore/model/trace/unpacked_text.h"

#include <algorithm>
#include <cstdio>
#include <ios>
#include <iterator>

#include "subcore/base/bits.h"
#include "subcore/model/trace/addresses.h"

namespace subcore {
namespace {

void append_address(std::string& text, std::uint64_t address, bool prefixed, int digits) {
  char word[24];
  const int length = std::snprintf(word, sizeof word, prefixed ? " 0x%0*llx" : " %0*llx", digits,
                                   static_cast<unsigned long long>(address));
  text.append(word, static_cast<std::size_t>(length));
}

// Appends the words between access width and tail. `access` is null if no lane accesses memory.
void append_access(std::string& text, const PackedForm& form, const std::uint8_t* access,
                   std::uint32_t mask) {
  if (form.mode == PackedForm::no_access) return;
  text += ' ';
  text += static_cast<char>('0' + form.mode);
  LaneAddresses lanes;
  std::uint64_t stride = 0, last = 0;
  if (access != nullptr) {
    decode_addresses(access, mask, lanes);
    if (access[2] == 0) std::memcpy(&stride, access + 11, sizeof stride);
    last = lanes.address[bits::lowest(mask)];
  }
  if (form.mode == 0) {
    unsigned i = 0;
    for (const unsigned lane : bits::each(mask))
      append_address(text, lanes.address[lane], i++ < form.prefixed, form.digits);
    return;
  }
  append_address(text, last, form.prefixed != 0, form.digits);
  const auto append_delta = [&text](std::uint64_t delta) {
    text += ' ' + std::to_string(static_cast<std::int64_t>(delta));
  };
  if (form.mode == 1) return append_delta(stride);
  for (const unsigned lane : bits::each(bits::without_lowest(mask))) {
    append_delta(lanes.address[lane] - last);
    last = lanes.address[lane];
  }
}

}  // namespace

struct UnpackedText::State {
  explicit State(const std::filesystem::path& file) : packed(file), text(packed.header()) {}
  bool next_cta();
  void append_warp();

  PackedReader packed;
  std::shared_ptr<std::uint64_t> bytes_read;
  std::string text;
  std::size_t at = 0;
};

bool UnpackedText::State::next_cta() {
  Dim3 id;
  std::uint32_t warps = 0;
  text.clear();
  at = 0;
  if (!packed.next_cta(id, warps)) return false;
  text += "#BEGIN_TB\nthread block = " + std::to_string(id.x) + ',' + std::to_string(id.y) + ',' +
          std::to_string(id.z) + '\n';
  while (warps-- > 0) append_warp();
  text += "#END_TB\n";
  return true;
}

void UnpackedText::State::append_warp() {
  PackedWarp warp = packed.next_warp();
  text += "warp = " + std::to_string(warp.warp) + "\ninsts = " + std::to_string(warp.count) + '\n';
  std::uint8_t access[packed::longest_access + packed::slack];
  while (packed.next_run(warp)) {
    const PackedRun run = warp.run;
    char mask[16];
    std::snprintf(mask, sizeof mask, " %08x", run.mask);
    for (std::uint32_t f = run.form; f < run.form + run.count; ++f) {
      const PackedForm& form = packed.forms()[f];
      const std::string_view line = packed.line(f), pc = line.substr(0, line.find(' '));
      text.append(pc).append(mask).append(line.substr(pc.size()));
      const bool stored = form.mode != PackedForm::no_access && run.mask != 0;
      if (stored) packed.next_access(warp, f, access, std::end(access) - packed::slack);
      append_access(text, form, stored ? access : nullptr, run.mask);
      text.append(packed.tail(f)).append("\n");
    }
  }
  packed.end_warp(warp);
}

UnpackedText::UnpackedText(const std::filesystem::path& file, std::shared_ptr<std::uint64_t> bytes_read)
    : state_(std::make_shared<State>(file)) {
  state_->bytes_read = std::move(bytes_read);
}

std::uint64_t UnpackedText::bytes_total() const {
  return state_->packed.bytes_total();
}

std::streamsize UnpackedText::read(char* to, std::streamsize n) {
  State& s = *state_;
  while (s.at == s.text.size())
    if (!s.next_cta()) return -1;
  *s.bytes_read = s.packed.bytes_read();
  const std::size_t count = std::min(static_cast<std::size_t>(n), s.text.size() - s.at);
  std::copy_n(s.text.data() + s.at, count, to);
  s.at += count;
  return static_cast<std::streamsize>(count);
}

}  // namespace subcore
