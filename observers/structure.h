// The structure of a model that has been put together, read from SystemC's own hierarchy: modules within
// modules, and the sockets by which they are bound. Equal modules (the sub-cores of an SM, the banks of each)
// are one entry with a count.
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
  // An sc_module, or several equal ones.
  struct Module {
    std::string name;       // within its parent, without its number: "bank" of bank_0 and bank_1
    std::string_view kind;  // the model's folder that it comes from, as "register_bank", or its role as a
                            // container, as "sm"; empty for a user's module
    std::size_t parent;     // index in `modules`; for the top, its own index
    std::size_t total = 0;  // count in the whole model
    std::vector<std::string> each;  // names, where words and not numbers tell the modules apart: "int", "sp"
    // The parts of one such module (Module::inventory()), and the stages that an instruction passes in it.
    std::vector<HardwarePart> parts = {};
    std::vector<std::string> stages = {};
  };
  // A socket that is bound to another one.
  struct Path {
    std::size_t from, to;        // indices in `modules`, of the initiator socket and of the target socket
    std::string socket, target;  // the sockets' names, without numbers
  };
  // A parameter that some module reads.
  struct Setting {
    std::string key, value;
    bool is_default;
  };

  std::vector<Module> modules;  // the top first, each module behind its parent
  std::vector<Path> paths;      // each once, in the order of the initiators
  std::vector<Setting> settings;

  // The count of a module in each of its parents, or 0 if that count differs between parents.
  std::size_t count_in_parent(std::size_t module) const;
};

// The structure of everything below `top`, once elaboration has ended. Sockets that lead out of `top`, or to
// no socket, are left out. There are no settings.
ModelStructure structure_of(const sc_core::sc_object& top);

// The parameters that are read, in the order of their declaration.
std::vector<ModelStructure::Setting> settings_of(const PlatformParameters& parameters);

}  // namespace subcore
