#include "subcore/program/runs/paper_figure.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "subcore/base/names.h"
#include "subcore/base/spelling.h"
#include "subcore/program/runs/result_value.h"

namespace subcore {
namespace {

using Entry = YamlSource::Entry;

using Json = nlohmann::ordered_json;

std::string result_value(const YamlSource& source, const Entry& e) {
  try {
    return checked_result_value(text_of(source, e));
  } catch (const std::invalid_argument& problem) {
    source.fail(e.key_node, e.path + ": " + problem.what());
  }
}

PaperFigure::Where where_of(const YamlSource& source, const Entry& e) {
  const std::string text = text_of(source, e);
  const auto refuse = [&](const std::string& problem) { source.fail(e.key_node, e.path + ": " + problem); };
  const std::size_t at = text.find_first_of("<>");
  if (at == std::string::npos) refuse("'" + text + "'; expected VALUE > NUMBER, or VALUE < NUMBER");
  PaperFigure::Where where;
  where.above = text[at] == '>';
  try {
    where.value = checked_result_value(text.substr(0, at));
    std::size_t end = 0;
    const std::string number = text.substr(at + 1);
    where.than = std::stod(number, &end);
    if (number.find_first_not_of(' ', end) != std::string::npos) throw std::out_of_range(number);
  } catch (const std::out_of_range&) {
    refuse("'" + text.substr(at + 1) + "'; expected a number");
  } catch (const std::invalid_argument& problem) {
    refuse(!where.value.empty() ? "'" + text.substr(at + 1) + "'; expected a number" : problem.what());
  }
  return where;
}

bool is_plain(const std::string& id) {
  return std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

StatedNumber stated_of(const YamlSource& source, const YamlNode& node, const PaperFigure& figure) {
  const std::string path = "figures.stated";
  StatedNumber s;
  const auto series = [&](std::string& to) {
    return [&](const Entry& e) {
      to = text_of(source, e);
      if (figure.index_of(to) != figure.series.size()) return;
      std::vector<std::string> names;
      for (const PaperFigure::Series& known : figure.series) names.push_back(known.name);
      source.fail(e.key_node, e.path + ": '" + to + "': no series of " + figure.id + ";" +
                                  did_you_mean(to, names) + " expected one of the figure's series");
    };
  };
  YamlKeys keys(source);
  keys.field("says", s.says);
  keys.field("value", s.value);
  keys.key("of", series(s.of));
  keys.key("over", series(s.over));
  keys.key("minus", series(s.minus));
  keys.key("part", [&](const Entry& e) {
    s.parts = texts_of(source, e);
    for (const std::string& name : s.parts)
      if (std::none_of(figure.parts.begin(), figure.parts.end(),
                       [&](const auto& p) { return p.first == name; }))
        source.fail(e.key_node, e.path + ": '" + name + "': no part of " + figure.id +
                                    "; expected one of the figure's parts");
  });
  keys.field("at", s.at);
  keys.field("because", s.because);
  keys.read(node, node, path, {"says", "value", "of"});
  if (!s.over.empty() && !s.minus.empty())
    source.fail(node, path + ": both over and minus; expected one of them at most");
  if (figure.kind == PaperFigure::Kind::stacks && s.parts.empty())
    source.fail(node, path + ": no part; expected the part of the stack that the number is of");
  return s;
}

// Checks a figure when its other keys have been read.
void require_whole(const YamlSource& source, const YamlNode& node, const PaperFigure& f) {
  using Kind = PaperFigure::Kind;
  const auto require = [&](bool holds, const std::string& key, const std::string& what) {
    if (!holds) source.fail(node, "figures." + key + ": " + what);
  };
  const auto require_if = [&](bool wanted, bool is_there, const std::string& key, const std::string& what) {
    require(wanted == is_there, key,
            is_there ? "given; expected none for this kind" : "nothing; expected " + what);
  };
  const bool has_axes = f.kind == Kind::pareto || f.kind == Kind::tornado;
  require(!f.id.empty() && is_plain(f.id), "id", "'" + f.id + "'; expected letters, digits and _");
  require(!f.title.empty(), "title", "nothing; expected a text");
  require(!f.series.empty(), "series", "nothing; expected names with their platforms");
  require_if(f.has_value(), !f.value.empty(), "value", "a key of results");
  require_if(f.kind == Kind::stacks || has_axes, !f.parts.empty(), "parts", "names with keys of results");
  require_if(f.kind == Kind::stacks || f.has_value(), !f.axis.empty(), "axis",
             "the name of the vertical axis");
  require_if(f.kind == Kind::tornado, !f.changes.empty(), "changes", "names with ends");
  require(f.kind == Kind::means || f.split.value.empty(), "split", "given; expected none for this kind");
  require(f.kind == Kind::means || f.beside.empty(), "beside", "given; expected none for this kind");
  require(!f.group.empty(), "group", "nothing; expected a text");
  if (f.kind == Kind::intervals) require(f.against.empty(), "against", "given; expected none for this kind");
  if (has_axes) require(!f.against.empty(), "against", "nothing; expected a platform");
  if (f.kind == Kind::pareto) require(f.parts.size() == 2, "parts", "expected two, the two axes");
  if (f.kind == Kind::tornado) require(f.series.size() == 1, "series", "expected a single series");
}

PaperFigure::Series series_of(const YamlSource& source, const Entry& e) {
  if (e.value.is_scalar()) return {e.key, text_of(source, e), ""};
  PaperFigure::Series s{e.key, "", ""};
  YamlKeys keys(source);
  keys.field("platform", s.platform);
  keys.field("against", s.against);
  keys.read(e, {"platform"});
  return s;
}

PaperFigure::Change change_of(const YamlSource& source, const Entry& e) {
  const PaperFigure::Change change{e.key, texts_of(source, e)};
  if (change.ends.size() > 2)
    source.fail(e.key_node,
                e.path + ": " + std::to_string(change.ends.size()) + " ends; expected one or two");
  return change;
}

// Adds the series of a tornado: the platform as it is, and the platform at the ends of each change.
void add_ends(PaperFigure& f) {
  const PaperFigure::Series as_it_is = f.series.front();
  for (const PaperFigure::Change& change : f.changes)
    for (const std::string& end : change.ends)
      f.series.push_back({end, as_it_is.platform + ',' + end, f.against + ',' + end});
}

PaperFigure figure_of(const YamlSource& source, const YamlNode& node) {
  using Kind = PaperFigure::Kind;
  PaperFigure f;
  std::optional<bool> is_mean_geometric;
  std::optional<Entry> stated;
  YamlKeys keys(source);
  keys.field("id", f.id);
  keys.field("paper", f.paper);
  keys.field("title", f.title);
  keys.choice("kind", f.kind);
  keys.field("axis", f.axis);
  keys.key("value", [&](const Entry& e) { f.value = result_value(source, e); });
  keys.key("parts", [&](const Entry& e) {
    for (const Entry& p : source.entries(e)) f.parts.emplace_back(p.key, result_value(source, p));
  });
  keys.key("series", [&](const Entry& e) {
    for (const Entry& s : source.entries(e)) f.series.push_back(series_of(source, s));
  });
  keys.field("traces", f.traces);
  keys.key("where", [&](const Entry& e) { f.where = where_of(source, e); });
  keys.field("against", f.against);
  keys.choice("mean", is_mean_geometric, {{"geometric", true}, {"arithmetic", false}});
  keys.key("split", [&](const Entry& e) {
    YamlKeys split(source);
    split.key("value", [&](const Entry& value) { f.split.value = result_value(source, value); });
    split.field("with", f.split.with);
    split.field("without", f.split.without);
    split.read(e, {"value", "with", "without"});
  });
  keys.field("group", f.group);
  keys.key("beside", [&](const Entry& e) {
    for (const Entry& b : source.entries(e)) f.beside.push_back({b.key, texts_of(source, b)});
  });
  keys.key("changes", [&](const Entry& e) {
    for (const Entry& c : source.entries(e)) f.changes.push_back(change_of(source, c));
  });
  keys.key("stated", [&](const Entry& e) { stated = e; });
  keys.field("because", f.because);
  keys.field("note", f.note);
  keys.read(node, node, "figures");
  require_whole(source, node, f);
  if (f.kind == Kind::tornado) add_ends(f);
  f.is_mean_geometric = is_mean_geometric.value_or(f.kind != Kind::stacks && !f.against.empty());
  if (!stated) return f;
  if (!stated->value.is_list())
    source.fail(stated->key_node, "figures.stated: " + node_words(stated->value) + "; expected a list");
  if (f.kind == Kind::intervals || f.kind == Kind::pareto || f.kind == Kind::tornado)
    source.fail(stated->key_node, "figures.stated: given; expected none for this kind");
  for (const YamlNode& s : stated->value.items()) f.stated.push_back(stated_of(source, s, f));
  return f;
}

}  // namespace

std::size_t PaperFigure::index_of(const std::string& name) const {
  return static_cast<std::size_t>(
      std::find_if(series.begin(), series.end(), [&](const Series& s) { return s.name == name; }) -
      series.begin());
}

std::vector<PaperFigure> read_figures(const YamlSource& source, const YamlSource::Entry& list) {
  if (!list.value.is_list() || list.value.items().empty())
    source.fail(list.key_node, list.key + ": " + node_words(list.value) + "; expected a list of figures");
  std::vector<PaperFigure> figures;
  for (const YamlNode& node : list.value.items()) {
    PaperFigure f = figure_of(source, node);
    for (const PaperFigure& other : figures)
      if (other.id == f.id)
        source.fail(node, "figures.id: '" + f.id + "' was given before; expected distinct ids");
    figures.push_back(std::move(f));
  }
  return figures;
}

Json json_of(const PaperFigure& f) {
  Json parts = Json::object(), series = Json::array(), beside = Json::object(), changes = Json::object(),
       stated = Json::array(), where, split;
  for (const auto& [name, value] : f.parts) parts[name] = value;
  for (const PaperFigure::Series& s : f.series)
    series.push_back({{"name", s.name}, {"platform", s.platform}, {"against", s.against}});
  for (const PaperFigure::Beside& b : f.beside) beside[b.name] = b.machines;
  for (const PaperFigure::Change& c : f.changes) changes[c.name] = c.ends;
  for (const StatedNumber& n : f.stated)
    stated.push_back({{"says", n.says},
                      {"value", n.value},
                      {"of", n.of},
                      {"over", n.over},
                      {"minus", n.minus},
                      {"part", n.parts},
                      {"at", n.at},
                      {"because", n.because}});
  if (!f.where.value.empty())
    where = {{"value", f.where.value}, {"above", f.where.above}, {"than", f.where.than}};
  if (!f.split.value.empty())
    split = {{"value", f.split.value}, {"with", f.split.with}, {"without", f.split.without}};
  return {{"id", f.id},           {"paper", f.paper},
          {"title", f.title},     {"kind", name_of(f.kind)},
          {"axis", f.axis},       {"value", f.value},
          {"parts", parts},       {"series", series},
          {"traces", f.traces},   {"where", where},
          {"against", f.against}, {"mean", f.is_mean_geometric ? "geometric" : "arithmetic"},
          {"split", split},       {"group", f.group},
          {"beside", beside},     {"changes", changes},
          {"stated", stated},     {"because", f.because},
          {"note", f.note}};
}

}  // namespace subcore
