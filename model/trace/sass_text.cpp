#include "subcore/model/trace/sass_text.h"

#include <algorithm>
#include <iterator>

#include "subcore/base/bits.h"
#include "subcore/base/text.h"

namespace subcore {
namespace {

// Whether an operand such as P0, !P3, UP1 or PT is a predicate. Adds its number to the set, unless it is
// always true.
bool take_predicate(std::string_view operand, PredicateSet& set) {
  unsigned number = 0;
  if (operand.substr(0, 1) == "!") operand.remove_prefix(1);
  if (operand.substr(0, 1) == "U") {
    number = first_uniform_predicate;
    operand.remove_prefix(1);
  }
  if (operand.size() != 2 || operand[0] != 'P') return false;
  if (operand[1] == 'T') return true;
  if (operand[1] < '0' || operand[1] >= static_cast<char>('0' + predicate_count)) return false;
  bits::add(set, number + static_cast<unsigned>(operand[1] - '0'));
  return true;
}

}  // namespace

// Control instructions and moves out of predicates only read them. Other instructions write two at most.
unsigned predicates_written_by(std::string_view name) {
  constexpr std::string_view two[] = {"PLOP3", "UPLOP3", "IADD3", "UIADD3"};
  constexpr std::string_view one[] = {"LEA",  "ULEA",  "LOP3", "ULOP3", "VOTE",  "VOTEU",
                                      "SHFL", "MATCH", "ATOM", "ATOMG", "ATOMS", "FCHK",
                                      "LD",   "LDG",   "B2R",  "QSPC",  "SUATOM"};
  const auto among = [&](const auto& list) {
    return std::find(std::begin(list), std::end(list), name) != std::end(list);
  };
  return name.find("SETP") != std::string_view::npos || among(two) ? 2 : among(one) ? 1 : 0;
}

std::string_view sass_opcode(std::string_view text) {
  const auto skip = [&text](auto is_over) {
    std::size_t n = 0;
    while (n < text.size() && !is_over(text[n])) ++n;
    const std::string_view skipped = text.substr(0, n);
    text.remove_prefix(n);
    return skipped;
  };
  const auto is_blank = [](char c) { return c == ' ' || c == ';'; };
  const auto is_text = [&](char c) { return !is_blank(c); };
  skip(is_text);
  if (text.substr(0, 1) == "@") {
    skip(is_blank);
    skip(is_text);
  }
  return skip(is_blank);
}

SassText read_sass_text(std::string_view text) {
  SassText out;
  text = text::trimmed(text.substr(0, text.find(';')));
  const auto next_word = [&text] {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, blank);
    text = text::trimmed(text.substr(blank));
    return word;
  };
  if (text.substr(0, 1) == "@") {
    const std::string_view guard = next_word().substr(1);
    take_predicate(guard, out.guard);
    out.unless = guard.substr(0, 1) == "!";
  }
  out.read = out.guard;
  out.opcode = next_word();
  const std::string_view name = out.opcode.substr(0, out.opcode.find('.'));
  unsigned may_write = predicates_written_by(name);
  constexpr PredicateSet all = bits::below<PredicateSet>(predicate_count);
  // Results come first: a register, predicates, or both. Predicates behind them are sources.
  for (bool first = true; !text.empty(); first = false) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view operand = text::trimmed(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
    std::uint64_t number = 0;
    PredicateSet named = 0;
    if (take_predicate(operand, named)) {
      (may_write != 0 ? out.written : out.read) |= named;
      if (may_write != 0) --may_write;
      continue;
    }
    if (!first) may_write = 0;  // no result comes behind a source
    if (operand.substr(0, 2) == "0x" && text::parse_hex(operand, number)) out.address = number;
  }
  // The last operand of a move is the mask of the predicates that are moved.
  const PredicateSet moved = out.address ? static_cast<PredicateSet>(*out.address & all) : all;
  if (name == "P2R") out.read |= moved;
  if (name == "R2P") out.written |= moved;
  return out;
}

}  // namespace subcore
