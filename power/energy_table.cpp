#include "subcore/power/energy_table.h"

#include <algorithm>
#include <iterator>

#include "subcore/base/file_kind.h"
#include "subcore/base/formatted.h"
#include "subcore/base/text.h"
#include "subcore/base/yaml_entry.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/modules/operand_path/collector_choice.h"

namespace subcore {
namespace {

bool is_crossbar(EnergyVariable v) {
  return v == EnergyVariable::read_crossbar || v == EnergyVariable::write_crossbar;
}

std::string size_text(EnergyVariable by, const EnergySize& size) {
  switch (by) {
    case EnergyVariable::bank_kilobytes:
      return number_text(size.outputs) + " KB";
    case EnergyVariable::entries:
    case EnergyVariable::cache_entries:
      return number_text(size.outputs) + " entries";
    case EnergyVariable::collectors:
      return number_text(size.outputs) + " collectors";
    case EnergyVariable::read_crossbar:
    case EnergyVariable::write_crossbar:
      return number_text(size.inputs) + 'x' + number_text(size.outputs);
    case EnergyVariable::cache_ways:
      return number_text(size.outputs) + " ways";
    case EnergyVariable::buffer_entries:
      return number_text(size.outputs) + " buffer entries";
    case EnergyVariable::key:
      return number_text(size.outputs);
    case EnergyVariable::nothing:
      break;
  }
  return "";
}

constexpr std::size_t deepest_extension = 100;

// Wires and crosspoints grow with the product of the two port counts.
double magnitude(const EnergySize& size) {
  return size.inputs * size.outputs;
}

class TableReader {
 public:
  // `open` has the tables that extend this one, to find circles.
  explicit TableReader(const std::filesystem::path& file, std::vector<std::filesystem::path> open = {})
      : file_(file), open_(std::move(open)), source_(file) {}

  EnergyTable read() {
    const auto& root = source_.root();
    const auto entries = source_.entries(root, root, "");
    require_kind(source_, entries, FileKind::energy_table);
    EnergyTable table;
    table.events.resize(EnergyEvents::table().size());
    YamlKeys keys(source_);
    keys.key("extends", [&](const Entry& e) { table = extended(e); });
    keys.field("preset", table.preset);
    keys.field("source", table.source);
    keys.key("events", [&](const Entry& e) { read_events(e, table); });
    keys.key("hardware", [&](const Entry& e) { table.hardware = read_hardware(e); });
    std::vector<std::string> required{"preset", "source", "events"};
    for (const Entry& e : entries)
      if (e.key == "extends") required = {"preset"};
    keys.read(entries, root, "", required);
    return table;
  }

 private:
  using Entry = YamlSource::Entry;

  EnergyTable extended(const Entry& e) const {
    namespace fs = std::filesystem;
    fs::path base;
    try {
      base = find_data("power/tables", text_of(source_, e), file_.parent_path());
    } catch (const ConfigError& error) {
      source_.fail(e.key_node, std::string("extends: ") + error.what());
    }
    std::vector<fs::path> open = open_;
    open.push_back(file_);
    std::error_code ignored;
    for (const fs::path& other : open)
      if (fs::equivalent(other, base, ignored))
        source_.fail(e.key_node,
                     "extends: " + base.string() + " extends itself; expected another energy table");
    if (open.size() == deepest_extension)
      source_.fail(e.key_node, "extends: " + base.string() + " is file " +
                                   std::to_string(deepest_extension + 1) +
                                   " in a row that extend each other; expected at most " +
                                   std::to_string(deepest_extension));
    return TableReader(base, std::move(open)).read();
  }

  double number(const Entry& e) const {
    double value = 0;
    if (!e.value.is_scalar() || e.value.is_quoted() || !text::parse_number(e.value.text(), value))
      source_.fail(e.key_node, e.path + ": " + node_words(e.value) + " is not a number; expected a number");
    if (value < 0)
      source_.fail(e.key_node, e.path + ": " + e.value.text() + " is negative; expected 0 or more");
    return value;
  }

  // An event that the table does not have costs nothing. Results of a run with such events say so.
  void read_events(const Entry& e, EnergyTable& table) const {
    const EnergyEvents& known = EnergyEvents::table();
    for (const Entry& event : source_.entries(e)) {
      const auto number = known.find(event.key);
      if (!number)
        source_.fail(event.key_node, event.path + ": unknown event;" +
                                         did_you_mean(event.key, known.names()) + " expected " +
                                         list_text(known.names()));
      table.events[*number] = read_quantity(event);
    }
  }

  HardwareTable read_hardware(const Entry& e) const {
    HardwareTable table;
    constexpr auto kinds = names(HardwareKind{});
    YamlKeys keys(source_);
    keys.key("node_nm", [&](const Entry& value) { table.node_nm = positive(value); });
    keys.key("voltage", [&](const Entry& value) { table.voltage = positive(value); });
    keys.key("cell_um2", [&](const Entry& value) { table.cell_um2 = positive(value); });
    for (std::size_t k = 0; k < kinds.size(); ++k)
      keys.key(std::string(kinds[k]), [&, k](const Entry& bit) { table.kinds[k] = read_bit(bit); });
    keys.key("parts", [&](const Entry& all) {
      for (const Entry& part : source_.entries(all)) table.parts[part.key] = read_bit(part);
    });
    keys.read(e, {"node_nm", "voltage"});
    return table;
  }
  BitCost read_bit(const Entry& e) const {
    BitCost bit;
    YamlKeys keys(source_);
    keys.key("area_um2", [&](const Entry& value) { bit.area_um2 = number(value); });
    keys.key("leakage_nw", [&](const Entry& value) { bit.leakage_nw = number(value); });
    keys.key("per_port", [&](const Entry& value) { bit.per_port = number(value); });
    keys.read(e, {"area_um2", "leakage_nw"});
    return bit;
  }
  double positive(const Entry& e) const {
    const double value = number(e);
    if (value == 0) source_.fail(e.key_node, e.path + ": is 0; expected more");
    return value;
  }

  // `by` is read first, because the meaning of the points depends on it.
  EnergyQuantity read_quantity(const Entry& e) const {
    EnergyQuantity q;
    if (!e.value.is_map()) {
      q.points[{}] = number(e);
      return q;
    }
    YamlKeys keys(source_);
    keys.key("by", [&](const Entry& part) { read_variable(part, q); });
    keys.key("points", [&](const Entry& part) { read_points(part, q); });
    keys.key("formula", [&](const Entry& part) { q.formula = read_formula(part, q.by); });
    keys.key("factor", [&](const Entry& part) { q.factor = number(part); });
    keys.key("only", [&](const Entry& part) { q.only = kinds(part); });
    keys.read(e);
    if (q.by == EnergyVariable::nothing)
      source_.fail(e.key_node, e.path + ": has no 'by'; expected the key that its points depend on");
    if (q.points.empty()) source_.fail(e.key_node, e.path + ": has no points; expected one or more");
    return q;
  }

  void read_variable(const Entry& e, EnergyQuantity& q) const {
    constexpr auto words = names(EnergyVariable{});
    const std::string word = e.value.is_scalar() ? e.value.text() : "";
    if (word.find('.') != std::string::npos) {
      q.by = EnergyVariable::key;
      q.key = word;
      q.named_at = source_.where(e.key_node) + ": " + e.path;
      return;
    }
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end() || word == "key")
      source_.fail(e.key_node, e.path + ": " + node_words(e.value) + " is unknown;" +
                                   did_you_mean(word, {words.begin(), words.end()}) + " expected one of " +
                                   list_of_energy_variables() + ", or a key of platform files");
    q.by = static_cast<EnergyVariable>(found - words.begin());
  }

  // One collector kind, or a list of them.
  std::vector<std::string> kinds(const Entry& e) const {
    if (!e.value.is_list() || e.value.items().empty()) return {kind(e, e.value)};
    std::vector<std::string> all;
    for (const YamlNode& value : e.value.items()) all.push_back(kind(e, value));
    return all;
  }
  std::string kind(const Entry& e, const YamlNode& value) const {
    const Choices<CollectorChoice>& table = CollectorChoice::choices();
    if (value.is_scalar() && table.find(value.text()) != nullptr) return value.text();
    const auto words = table.words();
    source_.fail(e.key_node,
                 e.path + ": " + node_words(value) + " is unknown;" +
                     (value.is_scalar() ? did_you_mean(value.text(), {words.begin(), words.end()}) : "") +
                     " expected one of " + list_text(words));
  }

  void read_points(const Entry& e, EnergyQuantity& q) const {
    for (const Entry& point : source_.entries(e)) {
      EnergySize size;
      const auto x = point.key.find('x');
      const bool crossbar = is_crossbar(q.by);
      const bool valid = crossbar ? x != std::string::npos &&
                                        text::parse_number(point.key.substr(0, x), size.inputs) &&
                                        text::parse_number(point.key.substr(x + 1), size.outputs)
                                  : text::parse_number(point.key, size.outputs);
      if (!valid || size.inputs <= 0 || size.outputs <= 0)
        source_.fail(point.key_node, point.path + ": is not a size; expected " +
                                         (crossbar ? "inputs x outputs, like 2x8" : "a positive number"));
      q.points[size] = number(point);
    }
  }

  EnergyFormula read_formula(const Entry& e, EnergyVariable by) const {
    EnergyFormula f;
    const auto term = [this](double& to) { return [this, &to](const Entry& part) { to = number(part); }; };
    YamlKeys keys(source_);
    keys.key("constant", term(f.constant));
    if (is_crossbar(by)) keys.key("per_input", term(f.per_input));
    keys.key(is_crossbar(by) ? "per_output" : "slope", term(f.per_output));
    keys.read(e);
    if (e.value.pairs().empty())
      source_.fail(e.key_node, e.path + ": an empty map; expected a constant at least");
    return f;
  }

  std::filesystem::path file_;
  std::vector<std::filesystem::path> open_;
  YamlSource source_;
};

}  // namespace

std::string list_of_energy_variables() {
  std::string text;
  for (const std::string_view word : names(EnergyVariable{}))
    if (word != "key") text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

EnergyQuantity::Value EnergyQuantity::at(const EnergySize& size) const {
  if (points.empty()) return {};
  if (by == EnergyVariable::nothing) return {points.begin()->second * factor, ""};
  const std::string what = size_text(by, size);
  if (const auto point = points.find(size); point != points.end()) return {point->second * factor, ""};
  if (formula)
    return {
        (formula->constant + formula->per_input * size.inputs + formula->per_output * size.outputs) * factor,
        what + " by formula"};

  // Values between two points lie on a line. Outside the points the outermost value holds: a known number of
  // the wrong size is better than an extrapolated number. Crossbars are ordered by their number of
  // crosspoints.
  std::map<double, std::pair<EnergySize, double>> ordered;
  for (const auto& [where, value] : points) ordered[magnitude(where)] = {where, value};
  const auto above = ordered.lower_bound(magnitude(size));
  const auto held = [&](const std::pair<EnergySize, double>& point) {
    return Value{point.second * factor, what + " held at " + size_text(by, point.first)};
  };
  if (above == ordered.end()) return held(std::prev(above)->second);
  if (above == ordered.begin() || above->first == magnitude(size)) return held(above->second);
  const auto below = std::prev(above);
  const double share = (magnitude(size) - below->first) / (above->first - below->first);
  const double value = below->second.second + share * (above->second.second - below->second.second);
  return {value * factor, what + " between " + size_text(by, below->second.first) + " and " +
                              size_text(by, above->second.first)};
}

const std::string& EnergyTables::text_of(const std::string& preset) {
  const EnergyTable& table = named(preset);
  const auto [known, is_new] = texts_.try_emplace(preset);
  std::string& text = known->second;
  if (!is_new) return text;
  const auto add = [&](const std::string& name, const EnergyQuantity& q) {
    text += name + " by " + std::string(names(q.by)[static_cast<std::size_t>(q.by)]) + ' ' + q.key + '\n';
    for (const auto& [size, pj] : q.points)
      text += number_text(size.inputs) + 'x' + number_text(size.outputs) + ' ' + number_text(pj) + '\n';
    if (q.formula)
      text += "formula " + number_text(q.formula->constant) + ' ' + number_text(q.formula->per_input) + ' ' +
              number_text(q.formula->per_output) + '\n';
    text += "factor " + number_text(q.factor) + " only " + list_text(q.only) + '\n';
  };
  text = table.preset + '\n' + table.source + '\n';
  for (std::size_t e = 0; e < table.events.size(); ++e)
    if (table.events[e]) add(EnergyEvents::table()[e].name, *table.events[e]);
  const auto add_bit = [&](const std::string& name, const BitCost& bit) {
    text += name + ' ' + number_text(bit.area_um2) + ' ' + number_text(bit.leakage_nw) + ' ' +
            number_text(bit.per_port) + '\n';
  };
  const HardwareTable& hardware = table.hardware;
  text += "hardware " + number_text(hardware.node_nm) + ' ' + number_text(hardware.voltage) + ' ' +
          number_text(hardware.cell_um2) + '\n';
  for (std::size_t k = 0; k < hardware.kinds.size(); ++k)
    if (hardware.kinds[k]) add_bit(std::string(names(HardwareKind{})[k]), *hardware.kinds[k]);
  for (const auto& [name, bit] : hardware.parts) add_bit("part " + name, bit);
  return text;
}

EnergyTable read_energy_table(const std::filesystem::path& file) {
  return TableReader(file).read();
}

}  // namespace subcore
