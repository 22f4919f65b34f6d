#include <cstring>
#include <string>

#include <boost/container/flat_map.hpp>
#include <boost/container/small_vector.hpp>

#include "subcore/base/bits.h"
#include "subcore/model/isa/bulk_copies.h"
#include "subcore/model/trace/addresses.h"
#include "subcore/model/trace/instruction_table.h"

namespace subcore {
namespace {

using text::Cursor;

// Deltas make up most of a trace's bytes, so short decimal numbers are read in place. Other numbers take the
// general way.
bool read_signed(Cursor& c, std::int64_t& out) {
  while (c.at != c.end && text::is_blank(*c.at)) ++c.at;
  const char* p = c.at;
  const bool negative = p != c.end && *p == '-';
  if (negative) ++p;
  std::int64_t value = 0;
  const char* first = p;
  while (p != c.end && *p >= '0' && *p <= '9') {
    if (p - first == 17) return text::parse_signed(c.word(), out);  // may overflow: takes the general way
    value = value * 10 + (*p++ - '0');
  }
  if (p == first || (p != c.end && !text::is_blank(*p))) return false;
  out = negative ? -value : value;
  c.at = p;
  return true;
}

// The word that was read last, with the blanks around it. Differences repeat, so they are found again by
// their bytes.
class LastWord {
 public:
  // Takes the word if it comes again.
  bool again(Cursor& c) const {
    std::uint64_t bytes;
    if (c.end - c.at < 8) return false;
    std::memcpy(&bytes, c.at, sizeof bytes);
    if ((bytes & mask_) != bytes_) return false;
    c.at += length_;
    return true;
  }
  // Remembers the word that has just been taken, which begins at `begin` with the blank before it.
  void remember(const char* begin, const Cursor& c) {
    length_ = c.at - begin;
    mask_ = 0;
    bytes_ = ~std::uint64_t{0};  // never matches
    if (length_ >= 8 || c.at == c.end || c.end - begin < 8) return;
    mask_ = bytes_ >> (56 - 8 * length_);
    std::memcpy(&bytes_, begin, sizeof bytes_);
    bytes_ &= mask_;
  }

 private:
  std::uint64_t bytes_ = ~std::uint64_t{0}, mask_ = 0;
  std::ptrdiff_t length_ = 0;
};

bool read_address(Cursor& c, std::uint64_t& out) {
  return text::parse_hex(c.word(), out);
}

std::string word_at(Cursor c) {
  return quoted(c.word());
}

bool is_like_number(std::string_view word) {
  return !word.empty() && ((word[0] >= '0' && word[0] <= '9') || word[0] == '-' || word[0] == '+');
}

// Takes the values of all listed registers, in the order of their list. A register has a count, which is 1 if
// all lanes have the same value, and that many hexadecimal numbers.
void take_values(const TracePosition& position, Cursor& c, const TailForm& form) {
  const unsigned registers = form.listed;
  for (unsigned i = 0; i < registers; ++i) {
    const std::string of_register = " of register " + std::to_string(i + 1);
    const std::string_view word = c.word();
    std::uint64_t count = 0, value = 0;
    if (!text::parse_unsigned(word, count) || (count != 1 && count != warp_lanes))
      position.fail("bad or missing count of values " + quoted(word) + of_register,
                    "1 or 32, for each of " + std::to_string(registers) + " registers");
    for (std::uint64_t n = 0; n < count; ++n) {
      const Cursor before = c;
      if (!text::parse_hex(c.word(), value))
        position.fail("bad or missing value " + word_at(before) + of_register,
                      std::to_string(count) + " hexadecimal numbers");
      const bool is_last = i + 1 == registers && form.sources >= 2 && (count == 1 || n == form.lane);
      if (!is_last || form.record == nullptr) continue;
      form.record->value = value;
      form.record->has_value = true;
    }
  }
}

// The first lane's address is that of the instruction's mbarrier, if the instruction has one.
void note_mbarrier(const TailForm& form, std::uint64_t address) {
  if (form.record != nullptr) form.record->mbarrier = in_own_cta(address);
}

// Reads a word of a bulk copy, or fails.
std::uint64_t word_of_copy(const TracePosition& position, Cursor& c, const char* what, bool hexadecimal,
                           std::uint64_t most, const char* expected) {
  const std::string_view word = c.word();
  std::uint64_t number = 0;
  if (!(hexadecimal ? text::parse_hex(word, number) : text::parse_unsigned(word, number)) || number > most)
    position.fail(
        (word.empty() ? "missing " : "bad ") + std::string(what) + (word.empty() ? "" : " " + quoted(word)),
        expected);
  return number;
}

}  // namespace

std::uint8_t parse_tail(const TracePosition& position, Cursor c, const TailForm& form,
                        std::string_view* immediate) {
  std::string_view word = c.word();
  if (word.empty()) return 0;
  const unsigned immediates = form.form == LineForm::all_kinds ? 2 : form.form == LineForm::immediate ? 1 : 0;
  for (unsigned n = 0; n < immediates && is_like_number(word); ++n) {
    if (immediate != nullptr) *immediate = word;
    word = c.word();
    if (word.empty()) return 0;
  }
  if (form.form == LineForm::all_kinds && (word == "Val" || word == "NoVal")) {
    if (word == "Val") take_values(position, c, form);
    word = c.word();
  }
  std::uint64_t mask = 0;
  if (word.substr(0, 6) == "reuse=") {
    if (!text::parse_unsigned(word.substr(6), mask, 15))
      position.fail("bad reuse mask " + quoted(word), "reuse=0 to reuse=15");
    word = c.word();
  }
  if (!word.empty()) position.fail("unexpected " + quoted(word), "the end of the line");
  return static_cast<std::uint8_t>(mask);
}

std::string_view last_immediate(Cursor c) {
  std::string_view last;
  for (std::string_view word = c.word(); is_like_number(word); word = c.word()) last = word;
  return last;
}

std::uint8_t parse_access(const TracePosition& position, const char* begin, const char* end,
                          std::uint32_t mask, const TailForm& form, std::vector<std::uint8_t>* out) {
  Cursor c{begin, end};
  const unsigned lanes = bits::count(mask);
  const std::string_view mode = c.word();
  if (mode.empty() && mask == 0) return 0;
  if (mode.size() != 1 || mode[0] < '0' || mode[0] > '2')
    position.fail(mode.empty() ? "missing address mode" : "bad address mode " + quoted(mode), "0, 1 or 2");
  std::int64_t deltas[warp_lanes];
  std::uint64_t base = 0;
  if (mode[0] == '0') {
    std::uint64_t last = 0;
    for (unsigned i = 0; i < lanes; ++i) {
      Cursor before = c;
      std::uint64_t address = 0;
      if (!read_address(c, address))
        position.fail("bad or missing address " + word_at(before) + " of lane " + std::to_string(i + 1),
                      std::to_string(lanes) + " hexadecimal addresses");
      if (i == 0)
        base = address;
      else
        deltas[i - 1] = static_cast<std::int64_t>(address - last);
      last = address;
    }
    if (out && lanes) encode_deltas(base, deltas, lanes - 1, *out);
    note_mbarrier(form, base);
    return parse_tail(position, c, form);
  }
  Cursor before = c;
  if (!read_address(c, base))
    position.fail("bad or missing base address " + word_at(before), "a hexadecimal address");
  if (mode[0] == '1') {
    before = c;
    if (!read_signed(c, deltas[0]))
      position.fail("bad or missing stride " + word_at(before), "a decimal number");
    const std::uint32_t run = mask ? mask >> bits::lowest(mask) : 0;
    if ((run & (run + 1)) != 0)
      position.fail("stride over lanes that are not contiguous", "address mode 0 or 2 with this mask");
    if (out && lanes) encode_strided(base, deltas[0], *out);
    note_mbarrier(form, base);
    return parse_tail(position, c, form);
  }
  LastWord last;
  for (unsigned i = 0; i + 1 < lanes; ++i) {
    before = c;
    if (last.again(c)) {
      deltas[i] = deltas[i - 1];
      continue;
    }
    if (!read_signed(c, deltas[i]))
      position.fail(
          "bad or missing address difference " + word_at(before) + " (number " + std::to_string(i + 1) + ")",
          std::to_string(lanes - 1) + " decimal numbers");
    last.remember(before.at, c);
  }
  if (out && lanes) encode_deltas(base, deltas, lanes - 1, *out);
  note_mbarrier(form, base);
  return parse_tail(position, c, form);
}

std::uint8_t parse_bulk_copy(const TracePosition& position, Cursor c, std::uint32_t mask,
                             const TailForm& form, std::vector<std::uint64_t>& out) {
  if (Cursor first = c; first.word().empty() && mask == 0) return 0;
  constexpr std::uint64_t any = ~std::uint64_t{0}, most = 0xffffffff;
  const auto hexadecimal = [&](const char* what) {
    return word_of_copy(position, c, what, true, any, "a hexadecimal number");
  };
  const auto decimal = [&](const char* what) {
    return static_cast<std::uint32_t>(
        word_of_copy(position, c, what, false, most, "a decimal number of up to 32 bits"));
  };
  AsyncRecord nobody_reads;
  AsyncRecord& copy = form.record != nullptr ? *form.record : nobody_reads;
  const auto keep = [&](std::uint64_t address) {
    if (form.record != nullptr) out.push_back(address);
  };
  copy.mbarrier = in_own_cta(hexadecimal("mbarrier"));
  if (word_of_copy(position, c, "multicast flag", false, 1, "0 or 1") != 0)
    copy.ctas = static_cast<std::uint32_t>(
        word_of_copy(position, c, "mask of CTAs", true, most, "a hexadecimal number of up to 32 bits"));
  copy.bytes = decimal("count of bytes");
  copy.out_of_bounds = decimal("count of bytes out of bounds");
  const std::string_view mode = c.word();
  if (mode != "3" && mode != "4")
    position.fail(mode.empty() ? "missing address mode" : "bad address mode " + quoted(mode), "3 or 4");
  std::uint64_t address = mode == "4" ? hexadecimal("base address") : 0;
  copy.first_address = static_cast<std::uint32_t>(out.size());
  copy.addresses = decimal("count of addresses");
  for (std::uint32_t n = 0; n < copy.addresses; ++n) {
    if (mode == "3") {
      address = hexadecimal("address");
    } else if (n != 0) {
      const Cursor before = c;
      std::int64_t delta = 0;
      if (!read_signed(c, delta))
        position.fail("bad or missing address difference " + word_at(before), "a decimal number");
      address += static_cast<std::uint64_t>(delta);
    }
    keep(address);
  }
  return parse_tail(position, c, form);
}

void skip_bulk_copy(Cursor& c) {
  const auto number = [&c] {
    std::uint64_t n = 0;
    text::parse_unsigned(c.word(), n);
    return n;
  };
  if (c.word().empty()) return;  // the mbarrier
  if (number() != 0) c.word();
  c.word();
  c.word();
  if (number() == 3) {
    for (std::uint64_t left = number(); left > 0; --left) c.word();
    return;
  }
  c.word();
  for (std::uint64_t left = number(); left > 1; --left) c.word();
}

std::string take_last_value(Cursor& c, unsigned listed, unsigned lane) {
  std::string words = " Val", last = "0";
  for (unsigned i = 0; i < listed; ++i) {
    std::uint64_t count = 0;
    text::parse_unsigned(c.word(), count);
    for (std::uint64_t n = 0; n < count; ++n) {
      const std::string_view word = c.word();
      if (i + 1 == listed && (count == 1 || n == lane)) last = word;
    }
    words += i + 1 == listed ? " 1 " + last : " 1 0";
  }
  return words;
}

// Goes backwards, because a later question tells the fate of an earlier one.
void note_retries(std::vector<AsyncRecord>& records) {
  boost::container::small_flat_map<std::uint32_t, bool, 16> asked;  // by mbarrier: the parity asked for next
  for (auto r = records.rbegin(); r != records.rend(); ++r) {
    if (r->step == AsyncStep::init) asked.erase(r->mbarrier);
    if (r->step != AsyncStep::check || !r->has_value || r->mbarrier == AsyncRecord::no_mbarrier) continue;
    const bool parity = asked_parity(r->value);
    const auto [next, is_last] = asked.try_emplace(r->mbarrier, parity);
    r->retried = !is_last && next->second == parity;
    next->second = parity;
  }
}

bool is_replay_mark(Cursor c) {
  if (c.word() != "0") return false;
  const std::string_view opcode = c.word();
  return opcode == "REPLAY_START" || opcode == "REPLAY_END";
}

}  // namespace subcore
