#include "scenarios/paper_figure.h"

#include <algorithm>
#include <stdexcept>

#include "model/parameters/spelling.h"

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

template <class Kind>
Kind choice_of(const YamlSource& source, const Entry& e, const std::string& path,
               const std::vector<std::pair<std::string, Kind>>& choices) {
  const std::string text = text_of(source, e, path);
  std::vector<std::string> names;
  std::string all;
  for (const auto& [name, kind] : choices) {
    if (name == text) return kind;
    names.push_back(name);
    all += (all.empty() ? "" : ", ") + name;
  }
  source.fail(e.key_node, under(path, e.key) + ": '" + text + "';" + did_you_mean(text, names) +
                              " expected one of " + all);
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
      s.part = text_of(source, e, path);
      if (std::none_of(figure.parts.begin(), figure.parts.end(),
                       [&](const auto& p) { return p.first == s.part; }))
        source.fail(e.key_node, "figures.stated.part: '" + s.part + "': no part of " + figure.id +
                                    "; expected one of its names");
    } else
      fail_unknown(source, e, path, {"says", "value", "of", "over", "minus", "part", "at", "because"});
  }
  if (s.says.empty() || !has_value || s.of.empty())
    source.fail(node, path + ": not whole; expected the keys says, value and of");
  if (!s.over.empty() && !s.minus.empty())
    source.fail(node, path + ": both over and minus; expected one of them at most");
  if (figure.kind == PaperFigure::Kind::stacks && s.part.empty())
    source.fail(node, path + ": no part; expected which part of the stack it is");
  return s;
}

// The other keys have been read.
void require_whole(const YamlSource& source, const YamlNode& node, const PaperFigure& f) {
  using Kind = PaperFigure::Kind;
  const auto require = [&](bool holds, const std::string& key, const std::string& what) {
    if (!holds) source.fail(node, "figures." + key + ": " + what);
  };
  require(!f.id.empty() && is_plain(f.id), "id", "'" + f.id + "'; expected letters, digits and _");
  require(!f.paper.empty(), "paper", "nothing; expected the paper and its number of the figure");
  require(!f.title.empty(), "title", "nothing; expected a text");
  require(!f.series.empty(), "series", "nothing; expected names with their platforms");
  const bool has_value = f.kind == Kind::bars || f.kind == Kind::lines;
  require(f.value.is_set() == has_value, "value",
          has_value ? "nothing; expected a key of results" : "given; expected none for this kind");
  require(f.parts.empty() == (f.kind != Kind::stacks), "parts",
          f.parts.empty() ? "nothing; expected names with keys of results"
                          : "given; expected none for this kind");
  require(
      f.axis.empty() == (f.kind == Kind::intervals), "axis",
      f.axis.empty() ? "nothing; expected what the vertical axis is" : "given; expected none for this kind");
  if (f.kind == Kind::intervals) require(f.against.empty(), "against", "given; expected none for this kind");
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
                                {"intervals", Kind::intervals}});
    else if (e.key == "value")
      f.value = result_value(source, e, path);
    else if (e.key == "parts") {
      for (const Entry& p : source.entries(e.value, e.key_node, "figures.parts"))
        f.parts.emplace_back(p.key, result_value(source, p, "figures.parts"));
    } else if (e.key == "series") {
      for (const Entry& s : source.entries(e.value, e.key_node, "figures.series"))
        f.series.push_back({s.key, text_of(source, s, "figures.series")});
    } else if (e.key == "mean")
      mean = &e;
    else if (e.key == "stated")
      stated = &e;
    else
      fail_unknown(source, e, path,
                   {"id", "paper", "title", "kind", "axis", "value", "parts", "series", "against", "mean",
                    "stated", "because", "note"});
  }
  require_whole(source, node, f);
  f.is_mean_geometric = f.kind != Kind::stacks && !f.against.empty();
  if (mean != nullptr)
    f.is_mean_geometric = choice_of<bool>(source, *mean, path, {{"geometric", true}, {"arithmetic", false}});
  if (stated == nullptr) return f;
  if (!stated->value.is_list())
    source.fail(stated->key_node, "figures.stated: " + node_words(stated->value) + "; expected a list");
  if (f.kind == Kind::intervals)
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
