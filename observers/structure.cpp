#include "subcore/observers/structure.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <typeindex>
#include <unordered_map>

#include <systemc>
#include <tlm>

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/modules/conductor/watchdog.h"
#include "subcore/modules/fixed_window/fixed_window.h"
#include "subcore/modules/memory/address_router.h"
#include "subcore/modules/memory/at_to_lt.h"
#include "subcore/modules/register_bank/bank_bridge.h"
#include "subcore/platforms/gpu.h"
#include "subcore/platforms/memory/hierarchy.h"
#include "subcore/platforms/memory/simple.h"

namespace subcore {
namespace {

template <class... Types>
bool is_one_of(const sc_core::sc_object& o) {
  return ((dynamic_cast<const Types*>(&o) != nullptr) || ...);
}

struct ModuleKind {
  std::string_view name;
  bool (*has)(const sc_core::sc_object&);
};

// A user's class that is derived from one of these classes has the kind of that class.
constexpr ModuleKind module_kinds[] = {
    {"gpu", is_one_of<Gpu>},
    {"sm", is_one_of<StreamingMultiprocessor>},
    {"sub_core", is_one_of<SubCore>},
    {"driver", is_one_of<TraceDriver>},
    {"memory_system", is_one_of<MemorySystem>},
    {"trace_player", is_one_of<TracePlayer>},
    {"issue_scheduler", is_one_of<IssueScheduler>},
    {"collector", is_one_of<OperandPath>},
    {"operand_cache", is_one_of<OperandCache>},
    {"arbiter", is_one_of<Arbiter>},
    {"register_bank", is_one_of<RegisterBank, BankBridge>},
    {"crossbar", is_one_of<Crossbar>},
    {"dispatch_scheduler", is_one_of<DispatchScheduler>},
    {"execution_unit", is_one_of<ExecutionUnit>},
    {"load_store_unit", is_one_of<LoadStoreUnit>},
    {"cta_dispatcher", is_one_of<CtaDispatcher>},
    {"control_registers", is_one_of<ControlRegisters>},
    {"kernel_dispatcher", is_one_of<KernelDispatcher>},
    {"launch_registers", is_one_of<LaunchRegisters>},
    {"sthld_controller", is_one_of<SthldController>},
    {"conductor", is_one_of<Conductor, Watchdog>},
    {"memory", is_one_of<SimpleMemory, AddressRouter, AtToLt>},
    {"l1_cache", is_one_of<L1Cache>},
    {"interconnect", is_one_of<Interconnect>},
    {"l2_slice", is_one_of<L2Slice>},
    {"dram_channel", is_one_of<DramChannel>},
};

std::string_view module_kind(const sc_core::sc_object& module) {
  for (const ModuleKind& k : module_kinds)
    if (k.has(module)) return k.name;
  return {};
}

// The name without its number: "bank" for "bank_1". Other names stay as they are.
std::string without_number(const std::string& name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  if (end == std::string::npos || end == 0 || end + 1 == name.size() || name[end] != '_') return name;
  return name.substr(0, end);
}

class Walk {
 public:
  explicit Walk(const sc_core::sc_object& top) {
    visit(top, 0);
    name_modules();
    join_paths();
  }
  ModelStructure take() { return std::move(structure_); }

 private:
  struct Socket {
    std::string name;
    std::size_t module;
  };
  struct Call {  // an initiator socket, and the interface to which it is bound
    Socket from;
    const sc_core::sc_interface* to;
  };

  void visit(const sc_core::sc_object& module, std::size_t parent) {
    const std::size_t index = index_of(module, parent);
    for (const sc_core::sc_object* child : module.get_child_objects()) {
      if (dynamic_cast<const SocketEnd*>(child) != nullptr) continue;  // stands behind an unbound socket
      if (dynamic_cast<const sc_core::sc_module*>(child) != nullptr)
        visit(*child, index);
      else
        note_socket(*child, index);
    }
  }

  // Siblings of one class are one entry if their names begin with the same word, whatever they contain.
  std::size_t index_of(const sc_core::sc_object& module, std::size_t parent) {
    const std::string name = without_number(module.basename()), first_word = name.substr(0, name.find('_'));
    const std::tuple key(parent, std::type_index(typeid(module)), first_word);
    const auto [found, is_new] = indices_.emplace(key, structure_.modules.size());
    if (is_new) structure_.modules.push_back({first_word, module_kind(module), parent, 0, {}});
    ModelStructure::Module& m = structure_.modules[found->second];
    if (is_new) note_contents(module, m);
    ++m.total;
    if (std::find(m.each.begin(), m.each.end(), name) == m.each.end()) m.each.push_back(name);
    return found->second;
  }

  static void note_contents(const sc_core::sc_object& module, ModelStructure::Module& m) {
    if (const auto* ours = dynamic_cast<const Module*>(&module)) {
      Inventory inventory;
      ours->inventory(inventory);
      m.parts = inventory.parts();
    }
    if (const auto* window = dynamic_cast<const FixedWindow*>(&module)) m.stages = window->stages();
  }

  void name_modules() {
    for (ModelStructure::Module& m : structure_.modules) {
      if (m.each.size() == 1) {
        m.name = m.each.front();
        m.each.clear();
      }
      for (std::string& name : m.each) name.erase(0, std::min(name.size(), m.name.size() + 1));
    }
  }

  // The model's sockets have several widths, so no cast to the base class of one width finds all of them.
  void note_socket(const sc_core::sc_object& object, std::size_t module) {
    const std::string_view kind = object.kind();
    const auto ends_with = [&](std::string_view ending) {
      return kind.size() >= ending.size() && kind.substr(kind.size() - ending.size()) == ending;
    };
    const Socket socket{without_number(object.basename()), module};
    if (ends_with("target_socket")) {
      // Where a module passes its socket on to an inner module, the innermost socket counts.
      if (const auto* target = dynamic_cast<const sc_core::sc_export_base*>(&object))
        targets_[target->get_interface()] = socket;
    } else if (ends_with("initiator_socket")) {
      if (const auto* many = dynamic_cast<const sc_core::sc_port_b<tlm::tlm_fw_transport_if<>>*>(&object)) {
        for (int i = 0; i < many->size(); ++i) calls_.push_back({socket, (*many)[i]});
      } else if (const auto* one = dynamic_cast<const sc_core::sc_port_base*>(&object)) {
        calls_.push_back({socket, one->get_interface()});
      }
    }
  }

  void join_paths() {
    // A module's socket may pass on the socket of an inner module. The path then belongs to the inner module.
    std::unordered_map<const sc_core::sc_interface*, std::size_t> innermost;
    for (const Call& c : calls_) innermost[c.to] = c.from.module;
    for (const Call& c : calls_) {
      const auto to = targets_.find(c.to);
      if (to == targets_.end() || innermost.at(c.to) != c.from.module) continue;
      const ModelStructure::Path path{c.from.module, to->second.module, c.from.name, to->second.name};
      const bool is_known =
          std::any_of(structure_.paths.begin(), structure_.paths.end(), [&](const ModelStructure::Path& p) {
            return p.from == path.from && p.to == path.to && p.socket == path.socket &&
                   p.target == path.target;
          });
      if (!is_known) structure_.paths.push_back(path);
    }
  }

  ModelStructure structure_;
  std::map<std::tuple<std::size_t, std::type_index, std::string>, std::size_t> indices_;
  std::unordered_map<const sc_core::sc_interface*, Socket> targets_;
  std::vector<Call> calls_;
};

}  // namespace

std::size_t ModelStructure::count_in_parent(std::size_t module) const {
  const std::size_t all = modules[module].total,
                    parents = module == 0 ? 1 : modules[modules[module].parent].total;
  return all % parents == 0 ? all / parents : 0;
}

ModelStructure structure_of(const sc_core::sc_object& top) {
  return Walk(top).take();
}

std::vector<ModelStructure::Setting> settings_of(const PlatformParameters& parameters) {
  PlatformParameters own = parameters, otherwise;
  std::set<std::pair<std::string, std::string>> defaults;  // several choices may have the same key
  for (const Parameter& p : parameter_list(otherwise)) defaults.emplace(p.key, value_text(p));
  std::vector<ModelStructure::Setting> all;
  for (const Parameter& p : parameter_list(own))
    if (p.read) all.push_back({p.key, value_text(p), defaults.count({p.key, value_text(p)}) != 0});
  return all;
}

}  // namespace subcore
