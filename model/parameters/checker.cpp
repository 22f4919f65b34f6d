#include "subcore/model/parameters/checker.h"

#include <stdexcept>

namespace subcore {

// Several implementations may have a parameter with the same key. The chosen implementation's counts.
const Parameter& Checker::find(std::string_view key) const {
  const Parameter* found = nullptr;
  for (const Parameter& p : parameters_)
    if (p.key == key && (found == nullptr || (p.read && !found->read))) found = &p;
  if (found == nullptr) throw std::logic_error("no parameter has the key " + std::string(key));
  return *found;
}

std::uint64_t Checker::whole(std::string_view key) const {
  const Parameter& p = find(key);
  if (const auto* member = std::get_if<std::uint32_t*>(&p.value)) return **member;
  if (const auto* member = std::get_if<std::uint64_t*>(&p.value)) return **member;
  throw std::logic_error(p.key + " is not a whole number");
}

bool Checker::on(std::string_view key) const {
  const Parameter& p = find(key);
  if (const auto* member = std::get_if<bool*>(&p.value)) return **member;
  throw std::logic_error(p.key + " is not a boolean");
}

std::string Checker::word(std::string_view key) const {
  const Parameter& p = find(key);
  if (!std::holds_alternative<Words>(p.value)) throw std::logic_error(p.key + " is not a word");
  return value_text(p);
}

std::string in_quotes(std::string_view word) {
  return "'" + std::string(word) + "'";
}

bool power_of_two(std::uint64_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}

}  // namespace subcore
