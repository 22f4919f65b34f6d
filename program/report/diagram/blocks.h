// Blocks of a diagram for the model's modules: the place of each kind, its parameters, and its page of the
// manual. A module without a block stands between the modules that it is bound to.
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
  std::vector<std::string_view> parameters;  // how the keys of its parameters begin
  bool is_right = false;
  std::string_view page_of = {};  // the kind whose page of the manual it has; empty: its own kind

  std::string page() const;  // the address behind the manual's base address
};

const Block* find_block(std::string_view kind);

// The name of a module in words.
std::string title_of(const std::string& name);
// Words for transfers out of an initiator socket of this name, of a module of this kind.
std::string words_of(std::string_view kind, const std::string& socket);

}  // namespace subcore
