// Choices: implementations that a platform file names by a word. Each interface with several implementations
// has one table of them. A line of the table has the word, a line of help, and a class. The class is the
// implementation as a platform file sees it:
// * its members are the parameters that belong to it, and describe() declares them;
// * check() says what it needs of the rest of the platform;
// * functions that its interface adds make the implementation itself.
//
// An explicit list beside each interface fills its table. Users may call add() before the first platform is
// read.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "subcore/base/config_error.h"

namespace subcore {

class Checker;
class ParameterVisitor;

class Choice {
 public:
  virtual ~Choice() = default;
  // Declares the parameters of this implementation, in the group of the key that names the implementation.
  virtual void describe(ParameterVisitor&) {}
  // Requires what the implementation needs of the platform. Called only for the chosen implementation.
  virtual void check(Checker&) const {}
};

// The table of one interface. C is derived from Choice and has a static choices() that returns the table.
template <class C>
class Choices {
 public:
  // A word, its help, and the functions that make and copy the parameters that belong to it.
  struct Entry {
    std::string word, help;
    std::function<std::unique_ptr<C>()> create;
    std::function<std::unique_ptr<C>(const C&)> copy;
  };

  // T is derived from C, can be copied, and has defaults for all its parameters. Throws std::logic_error if
  // the word is taken.
  template <class T>
  Choices& add(std::string word, std::string help) {
    if (find(word) != nullptr) throw std::logic_error("'" + word + "' is in the table of choices already");
    entries_.push_back({std::move(word), std::move(help), [] { return std::make_unique<T>(); },
                        [](const C& c) { return std::make_unique<T>(static_cast<const T&>(c)); }});
    return *this;
  }

  std::size_t size() const { return entries_.size(); }
  const Entry& operator[](std::size_t i) const { return entries_[i]; }
  const Entry* find(std::string_view word) const {
    for (const Entry& e : entries_)
      if (e.word == word) return &e;
    return nullptr;
  }
  std::vector<std::string_view> words() const {
    std::vector<std::string_view> all;
    for (const Entry& e : entries_) all.emplace_back(e.word);
    return all;
  }

 private:
  std::deque<Entry> entries_;
};

// A platform's choice, with the parameters of every implementation in the table. A platform that extends
// another may make another choice and still find the parameters that the other platform set.
template <class C>
class Chosen {
 public:
  // Throws ConfigError if the table has no such word.
  explicit Chosen(std::string_view word) { choose(word); }
  Chosen(const Chosen& other) : chosen_(other.chosen_) {
    for (std::size_t i = 0; i < other.all_.size(); ++i) all_.push_back(table()[i].copy(*other.all_[i]));
  }
  Chosen(Chosen&&) noexcept = default;
  Chosen& operator=(Chosen other) noexcept {
    std::swap(all_, other.all_);
    chosen_ = other.chosen_;
    return *this;
  }
  Chosen& operator=(std::string_view word) {
    choose(word);
    return *this;
  }

  void choose(std::string_view word) {
    complete();
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (table()[i].word != word) continue;
      chosen_ = i;
      return;
    }
    throw ConfigError("'" + std::string(word) + "' is unknown; expected a word of the table of choices");
  }
  const std::string& word() const { return table()[chosen_].word; }
  std::size_t index() const { return chosen_; }
  bool operator==(std::string_view word_) const { return word() == word_; }
  bool operator==(const Chosen& other) const { return chosen_ == other.chosen_; }  // not parameters

  const C& operator*() const { return *all_[chosen_]; }
  const C* operator->() const { return all_[chosen_].get(); }
  // The parameters of implementation T, chosen or not. Throws std::logic_error if T is not in the table.
  template <class T>
  T& as() {
    return const_cast<T&>(static_cast<const Chosen&>(*this).as<T>());
  }
  template <class T>
  const T& as() const {
    for (const auto& c : all_)
      if (const auto* t = dynamic_cast<const T*>(c.get())) return *t;
    throw std::logic_error("this implementation is not in the table of choices");
  }
  // The parameters of every implementation, in the order of the table.
  const std::vector<std::unique_ptr<C>>& all() {
    complete();
    return all_;
  }

  static const Choices<C>& table() { return C::choices(); }

 private:
  void complete() {
    while (all_.size() < table().size()) all_.push_back(table()[all_.size()].create());
  }

  std::vector<std::unique_ptr<C>> all_;  // by position in the table
  std::size_t chosen_ = 0;
};

}  // namespace subcore
