// Structure of what has been put together, read from SystemC's own hierarchy: modules within modules, and
// which of them are bound to which by what sockets. Modules that are there several times (the sub-cores of an
// SM, the banks of each) are one entry with a count.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "subcore/model/hardware/inventory.h"
#include "subcore/platforms/config/platform.h"

namespace sc_core {
class sc_object;
}

namespace subcore {

struct ModelStructure {
  // An sc_module, or several that are alike.
  struct Module {
    std::string name;       // within its parent, without its number: "bank" of bank_0 and bank_1
    std::string_view kind;  // the model's folder that it is of, as "register_bank", or what it contains
                            // others as, as "sm"; empty: a module of somebody else's
    std::size_t parent;     // index in `modules`; of the top, its own
    std::size_t total = 0;  // how many there are in all
    std::vector<std::string> each;  // names, if no numbers tell them apart: "int", "sp"
    // The parts of one of them (Module::inventory()), and the stages that an instruction passes in it.
    std::vector<HardwarePart> parts = {};
    std::vector<std::string> stages = {};
  };
  // A socket that is bound to another one.
  struct Path {
    std::size_t from, to;        // indices in `modules`: whose initiator socket, whose target socket
    std::string socket, target;  // the sockets' names, without numbers
  };
  // A parameter that something reads.
  struct Setting {
    std::string key, value;
    bool is_default;
  };

  std::vector<Module> modules;  // the top first, each behind its parent
  std::vector<Path> paths;      // each once, in the order of the initiators
  std::vector<Setting> settings;

  // How many each of its parents has; 0 if that is not the same number in all of them.
  std::size_t count_in_parent(std::size_t module) const;
};

// Structure of everything below `top`, once elaboration has ended. Sockets that lead out of it, or to no
// socket, are left out. No settings.
ModelStructure structure_of(const sc_core::sc_object& top);

// The parameters that are read, in the order of their declaration.
std::vector<ModelStructure::Setting> settings_of(const PlatformParameters& parameters);

}  // namespace subcore
