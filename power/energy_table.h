// A table of power/tables. For each quantity the table has points that were computed or published, and
// perhaps a formula for structures between the points. README.md describes the file format.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "subcore/power/energy_model.h"

namespace subcore {

// The variable that a quantity depends on.
enum class EnergyVariable : std::uint8_t {
  nothing,         // a constant
  bank_kilobytes,  // size of one bank
  entries,         // operands in one collector: slots of an ocu, entries of the others
  collectors,      // collectors per sub-core
  read_crossbar,   // banks x collectors
  write_crossbar,  // 1 x collectors
  cache_entries,   // entries of a sub-core's operand cache, over all warps that share it
  cache_ways,      // entries of an operand cache that are searched at once
  buffer_entries,  // entries of a warp's instruction buffer
  key,             // any number in a platform file, by its key: "sub_core.collector.victim_entries"
};
constexpr std::array<std::string_view, 10> names(EnergyVariable) {
  return {"nothing",        "bank_kilobytes", "entries",    "collectors",     "read_crossbar",
          "write_crossbar", "cache_entries",  "cache_ways", "buffer_entries", "key"};
}
// The words that `by` may have in place of a key, for messages.
std::string list_of_energy_variables();

// The size of a structure in the unit of a variable. A plain number has one input.
struct EnergySize {
  double inputs = 1, outputs = 0;
  bool operator<(const EnergySize& other) const {
    return std::pair(inputs, outputs) < std::pair(other.inputs, other.outputs);
  }
};

// A formula for sizes that are no point: constant + per_input x inputs + per_output x outputs.
struct EnergyFormula {
  double constant = 0, per_input = 0, per_output = 0;  // a plain number n counts as n outputs
};

// The energy of one event, in pJ, by the size of the structure in which it happens.
struct EnergyQuantity {
  EnergyVariable by = EnergyVariable::nothing;
  std::string key, named_at;  // the key for EnergyVariable::key, and the line of the table that names the key
  std::map<EnergySize, double> points;
  std::optional<EnergyFormula> formula;
  double factor = 1;              // accesses per warp operand
  std::vector<std::string> only;  // kinds of collectors; for other kinds the energy is zero; empty: all kinds

  // The value of a quantity at one size.
  struct Value {
    double value = 0;
    std::string scaled;  // how the value was obtained if it is no point of the table, e.g. "2x16 by formula"
  };
  Value at(const EnergySize& size) const;
};

struct EnergyTable {
  std::string preset, source;
  std::vector<std::optional<EnergyQuantity>> events;  // by index in EnergyEvents; empty: not in the table
  HardwareTable hardware;                             // empty: the table has no area and leakage
};

// Reads each energy table once, for all platforms that use the table.
class EnergyTables {
 public:
  // The table that `preset` (energy.preset) names. Throws ConfigError when it is missing or malformed.
  const EnergyTable& named(const std::string& preset);
  // The full content of a table as a text. Different tables have different texts.
  const std::string& text_of(const std::string& preset);
  // The names of the tables that come with the program.
  const std::vector<std::string>& shipped();

 private:
  std::map<std::string, EnergyTable> tables_;
  std::map<std::string, std::string> texts_;
  std::optional<std::vector<std::string>> shipped_;
};

// Reads a table. A table may extend another (`extends: cacti22`, or a file beside it), and then has only the
// differences. Throws ConfigError.
EnergyTable read_energy_table(const std::filesystem::path& file);

}  // namespace subcore
