#include "subcore/modules/execution_unit/execution_parameters.h"

#include <algorithm>

#include "subcore/base/yaml_entry.h"
#include "subcore/model/policy/fixed_window/port_table.h"

namespace subcore {
namespace {

// Longest time of a shape in cycles. A fixed read window plans an interval and the reads behind it, which
// must fit into its table of ports. The longest time of the unit table is 520 cycles, for DMMA on sm_86.
constexpr std::uint64_t longest = 768;
static_assert(longest + 4 * max_sources < PortTable::horizon);

std::string shapes_text(const std::vector<UnitShape>& shapes) {
  std::string text = "{";
  for (const UnitShape& s : shapes)
    text += (text.size() > 1 ? ", " : "") + s.opcode + ": {latency: " + std::to_string(s.latency) +
            ", initiation_interval: " + std::to_string(s.initiation_interval) + "}";
  return text + "}";
}

std::vector<UnitShape> read_shapes(const YamlSource& source, const YamlNode& node, const YamlNode& at,
                                   const std::string& path) {
  std::vector<UnitShape> shapes;
  for (const YamlSource::Entry& e : source.entries(node, at, path)) {
    const bool is_word = std::all_of(e.key.begin(), e.key.end(), [](unsigned char c) {
      return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
             c == '_';
    });
    if (!is_word || !opcode_info(e.key))
      source.fail(e.key_node,
                  under(path, e.key) + ": is not an opcode; expected an opcode such as HMMA.16816.F32");
    UnitShape& shape = shapes.emplace_back();
    shape.opcode = e.key;
    YamlKeys keys(source);
    keys.field("latency", shape.latency, 1, longest, "cycles");
    keys.field("initiation_interval", shape.initiation_interval, 1, longest, "cycles");
    keys.read(e, {"latency", "initiation_interval"});
  }
  return shapes;
}

}  // namespace

void ExecutionParameters::describe(ParameterVisitor& v) {
  v.choice("architecture", architecture,
           "units are timed by class, with the keys of sub_core.execution.CLASS, or opcode by opcode, with "
           "the table of an architecture (docs/machines.md)");
  v.only_if(
      architecture != UnitArchitecture::by_class, "sub_core.execution.architecture other than by_class", [&] {
        v.field("shapes",
                Structure{[this] { return shapes_text(shapes); },
                          [this](const YamlSource& source, const YamlNode& node, const YamlNode& at,
                                 const std::string& path) { shapes = read_shapes(source, node, at, path); },
                          "a map of opcodes"},
                "times that replace the table's: for an opcode with the modifiers that it must have, its "
                "latency and its initiation_interval");
      });
  v.only_if(architecture == UnitArchitecture::by_class, "sub_core.execution.architecture by_class", [&] {
    for (const ExecutionClassLine& line : execution_classes)
      if (line.key != nullptr) v.group(line.key, timing_[static_cast<std::size_t>(line.execution)]);
  });
}

}  // namespace subcore
