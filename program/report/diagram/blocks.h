// Blocks of a diagram, for the model's modules: where each kind stands, which parameters are its own, which
// page of the manual is about it. A module that is not here stands between those that it is bound to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "subcore/program/report/diagram/diagram.h"

namespace subcore {

struct Block {
  std::string_view kind;  // ModelStructure::Module::kind
  Room room;
  double column, row;
  std::vector<std::string_view> parameters;  // beginnings of their keys
  bool is_right = false;
  std::string_view page_of = {};  // the kind whose page of the manual it has; empty: its own

  std::string page() const;  // behind the manual's base address
};

const Block* find_block(std::string_view kind);

// A module's name in words.
std::string title_of(const std::string& name);
// Words for what flows out of an initiator socket of this name, of a module of this kind.
std::string words_of(std::string_view kind, const std::string& socket);

}  // namespace subcore
