#include "subcore/program/runs/paper_figure.h"

#include <algorithm>
#include <stdexcept>

#include "subcore/base/spelling.h"

namespace subcore {
namespace {

using Entry = YamlSource::Entry;

ResultValue result_value(const YamlSource& source, const Entry& e, const std::string& path) {
  try {
    return ResultValue(text_of(source, e, path));
  } catch (const std::invalid_argument& problem) {
    source.fail(e.key_node, under(path, e.key) + ": " + problem.what());
  }
}

PaperFigure::Where where_of(const YamlSource& source, const Entry& e, const std::string& path) {
  const std::string text = text_of(source, e, path);
  const auto refuse = [&](const std::string& problem) {
    source.fail(e.key_node, under(path, e.key) + ": " + problem);
  };
  const std::size_t at = text.find_first_of("<>");
  if (at == std::string::npos) refuse("'" + text + "'; expected VALUE > NUMBER, or VALUE < NUMBER");
  PaperFigure::Where where;
  where.above = text[at] == '>';
  try {
    where.value = ResultValue(text.substr(0, at));
    std::size_t end = 0;
    const std::string number = text.substr(at + 1);
    where.than = std::stod(number, &end);
    if (number.find_first_not_of(' ', end) != std::string::npos) throw std::out_of_range(number);
  } catch (const std::out_of_range&) {
    refuse("'" + text.substr(at + 1) + "'; expected a number");
  } catch (const std::invalid_argument& problem) {
    refuse(where.value.is_set() ? "'" + text.substr(at + 1) + "'; expected a number" : problem.what());
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
  bool has_value = false;
  const auto series = [&](const Entry& e) {
    const std::string name = text_of(source, e, path);
    if (figure.place_of(name) != figure.series.size()) return name;
    std::vector<std::string> names;
    for (const PaperFigure::Series& known : figure.series) names.push_back(known.name);
    source.fail(e.key_node, under(path, e.key) + ": '" + name + "': no series of " + figure.id + ";" +
                                did_you_mean(name, names) + " expected one of its names");
  };
  for (const Entry& e : source.entries(node, node, path)) {
    if (e.key == "says")
      s.says = text_of(source, e, path);
    else if (e.key == "value")
      s.value = number_of(source, e, path), has_value = true;
    else if (e.key == "of")
      s.of = series(e);
    else if (e.key == "over")
      s.over = series(e);
    else if (e.key == "minus")
      s.minus = series(e);
    else if (e.key == "at")
      s.at = text_of(source, e, path);
    else if (e.key == "because")
      s.because = text_of(source, e, path);
    else if (e.key == "part") {
      s.parts = texts_of(source, e);
      for (const std::string& name : s.parts)
        if (std::none_of(figure.parts.begin(), figure.parts.end(),
                         [&](const auto& p) { return p.first == name; }))
          source.fail(e.key_node, "figures.stated.part: '" + name + "': no part of " + figure.id +
                                      "; expected one of its names");
    } else
      fail_unknown(source, e, path, {"says", "value", "of", "over", "minus", "part", "at", "because"});
  }
  if (s.says.empty() || !has_value || s.of.empty())
    source.fail(node, path + ": not whole; expected the keys says, value and of");
  if (!s.over.empty() && !s.minus.empty())
    source.fail(node, path + ": both over and minus; expected one of them at most");
  if (figure.kind == PaperFigure::Kind::stacks && s.parts.empty())
    source.fail(node, path + ": no part; expected which part of the stack it is");
  return s;
}

// Checks a figure whose other keys have been read.
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
  require_if(f.has_value(), f.value.is_set(), "value", "a key of results");
  require_if(f.kind == Kind::stacks || has_axes, !f.parts.empty(), "parts", "names with keys of results");
  require_if(f.kind == Kind::stacks || f.has_value(), !f.axis.empty(), "axis", "what the vertical axis is");
  require_if(f.kind == Kind::tornado, !f.changes.empty(), "changes", "names with ends");
  require(f.kind == Kind::means || !f.split.value.is_set(), "split", "given; expected none for this kind");
  if (f.kind == Kind::intervals) require(f.against.empty(), "against", "given; expected none for this kind");
  if (has_axes) require(!f.against.empty(), "against", "nothing; expected a platform");
  if (f.kind == Kind::pareto) require(f.parts.size() == 2, "parts", "expected two, the two axes");
  if (f.kind == Kind::tornado) require(f.series.size() == 1, "series", "expected one alone");
}

PaperFigure::Series series_of(const YamlSource& source, const Entry& e) {
  const std::string path = "figures.series";
  if (e.value.is_scalar()) return {e.key, text_of(source, e, path), ""};
  PaperFigure::Series s{e.key, "", ""};
  for (const Entry& member : source.entries(e.value, e.key_node, under(path, e.key))) {
    if (member.key == "platform")
      s.platform = text_of(source, member, path);
    else if (member.key == "against")
      s.against = text_of(source, member, path);
    else
      fail_unknown(source, member, under(path, e.key), {"platform", "against"});
  }
  if (s.platform.empty())
    source.fail(e.key_node, under(path, e.key) + ": no platform; expected a key 'platform'");
  return s;
}

PaperFigure::Split split_of(const YamlSource& source, const Entry& e) {
  const std::string path = "figures.split";
  PaperFigure::Split split;
  for (const Entry& member : source.entries(e.value, e.key_node, path)) {
    if (member.key == "value")
      split.value = result_value(source, member, path);
    else if (member.key == "with")
      split.with = text_of(source, member, path);
    else if (member.key == "without")
      split.without = text_of(source, member, path);
    else
      fail_unknown(source, member, path, {"value", "with", "without"});
  }
  if (!split.value.is_set() || split.with.empty() || split.without.empty())
    source.fail(e.key_node, path + ": not whole; expected the keys value, with and without");
  return split;
}

PaperFigure::Change change_of(const YamlSource& source, const Entry& e) {
  const PaperFigure::Change change{e.key, texts_of(source, e)};
  if (change.ends.size() > 2)
    source.fail(e.key_node, under("figures.changes", e.key) + ": " + std::to_string(change.ends.size()) +
                                " ends; expected one or two");
  return change;
}

// Adds the series of a tornado: the platform as it is, then at the ends of each change.
void add_ends(PaperFigure& f) {
  const PaperFigure::Series as_it_is = f.series.front();
  for (const PaperFigure::Change& change : f.changes)
    for (const std::string& end : change.ends)
      f.series.push_back({end, as_it_is.platform + ',' + end, f.against + ',' + end});
}

PaperFigure figure_of(const YamlSource& source, const YamlNode& node) {
  using Kind = PaperFigure::Kind;
  const std::string path = "figures";
  PaperFigure f;
  const Entry *stated = nullptr, *mean = nullptr;
  const auto entries = source.entries(node, node, path);
  for (const Entry& e : entries) {
    if (e.key == "id")
      f.id = text_of(source, e, path);
    else if (e.key == "paper")
      f.paper = text_of(source, e, path);
    else if (e.key == "title")
      f.title = text_of(source, e, path);
    else if (e.key == "axis")
      f.axis = text_of(source, e, path);
    else if (e.key == "note")
      f.note = text_of(source, e, path);
    else if (e.key == "because")
      f.because = text_of(source, e, path);
    else if (e.key == "against")
      f.against = text_of(source, e, path);
    else if (e.key == "kind")
      f.kind = choice_of<Kind>(source, e, path,
                               {{"bars", Kind::bars},
                                {"stacks", Kind::stacks},
                                {"lines", Kind::lines},
                                {"intervals", Kind::intervals},
                                {"means", Kind::means},
                                {"pareto", Kind::pareto},
                                {"tornado", Kind::tornado}});
    else if (e.key == "value")
      f.value = result_value(source, e, path);
    else if (e.key == "traces")
      f.traces = texts_of(source, e);
    else if (e.key == "where")
      f.where = where_of(source, e, path);
    else if (e.key == "parts") {
      for (const Entry& p : source.entries(e.value, e.key_node, "figures.parts"))
        f.parts.emplace_back(p.key, result_value(source, p, "figures.parts"));
    } else if (e.key == "series") {
      for (const Entry& s : source.entries(e.value, e.key_node, "figures.series"))
        f.series.push_back(series_of(source, s));
    } else if (e.key == "split") {
      f.split = split_of(source, e);
    } else if (e.key == "changes") {
      for (const Entry& c : source.entries(e.value, e.key_node, "figures.changes"))
        f.changes.push_back(change_of(source, c));
    } else if (e.key == "mean")
      mean = &e;
    else if (e.key == "stated")
      stated = &e;
    else
      fail_unknown(source, e, path,
                   {"id", "paper", "title", "kind", "axis", "value", "parts", "series", "traces", "where",
                    "against", "mean", "split", "changes", "stated", "because", "note"});
  }
  require_whole(source, node, f);
  if (f.kind == Kind::tornado) add_ends(f);
  f.is_mean_geometric = f.kind != Kind::stacks && !f.against.empty();
  if (mean != nullptr)
    f.is_mean_geometric = choice_of<bool>(source, *mean, path, {{"geometric", true}, {"arithmetic", false}});
  if (stated == nullptr) return f;
  if (!stated->value.is_list())
    source.fail(stated->key_node, "figures.stated: " + node_words(stated->value) + "; expected a list");
  if (f.kind == Kind::intervals || f.kind == Kind::pareto || f.kind == Kind::tornado)
    source.fail(stated->key_node, "figures.stated: given; expected none for this kind");
  for (const YamlNode& s : stated->value.items()) f.stated.push_back(stated_of(source, s, f));
  return f;
}

}  // namespace

std::size_t PaperFigure::place_of(const std::string& name) const {
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

}  // namespace subcore
