#include "subcore/program/report/timeline_page/timeline_page.h"

#include <algorithm>

#include "subcore/base/json_text.h"
#include "subcore/model/stall/stall_groups.h"
#include "subcore/program/report/markup.h"
#include "subcore/program/report/timeline_page/page_template.h"

namespace subcore {
namespace {

using Json = nlohmann::ordered_json;

// A list of whole numbers for the page: "[3,-1,4]". The page's script knows the meaning of each.
class Numbers {
 public:
  explicit Numbers(std::string& to) : to_(to) { to_ += '['; }
  ~Numbers() { to_ += ']'; }
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;
  void add(std::int64_t number) {
    if (to_.back() != '[') to_ += ',';
    to_ += std::to_string(number);
  }
  // Adds the cycles from `since` to `cycle`; -1 if `cycle` has not come.
  void add_cycles(Cycle since, Cycle cycle) {
    add(cycle == never ? -1 : static_cast<std::int64_t>(cycle - since));
  }

 private:
  std::string& to_;
};

template <class Each>
void add_list(std::string& to, const char* name, const Each& each) {
  to += ",\n\"";
  to += name;
  to += "\":[";
  each();
  to += ']';
}

// Names and causes, which are the same for all rows.
Json head_of(const WarpHistory& history, const TimelinePageTitle& title) {
  Json head = Json::object();
  head["title"] = title.title;
  head["scope"] = title.scope;
  head["begin"] = history.begin;
  head["end"] = history.end;
  head["slot"] = history.slot ? Json(*history.slot) : Json();
  head["warp"] = title.warp ? Json(*title.warp) : Json();
  head["kernels"] = history.kernels;
  Json& causes = head["causes"] = Json::array();
  for (const StallCauseLine& line : stall_causes)
    causes.push_back({line.name, line.meaning, stall_group_of(line.cause)});
  Json& groups = head["groups"] = Json::array();
  for (const StallGroup& g : stall_groups) groups.push_back({g.name, g.light, g.dark});
  Json& code = head["code"] = Json::array();
  for (const WarpHistory::Code& c : history.code)
    code.push_back({c.pc, c.opcode, c.destinations, c.sources, c.unit, c.mask});
  return head;
}

void add_slot(std::string& to, const WarpHistory& history, const WarpHistory::Slot& s) {
  to += "{\"sub_core\":" + Json(s.sub_core).dump() + ",\"slot\":" + std::to_string(s.slot) + ",\"warps\":[";
  for (const WarpHistory::Warp& w : s.warps) {
    if (to.back() == ']') to += ',';
    Numbers n(to);
    n.add(w.number);
    n.add(static_cast<std::int64_t>(w.kernel));
    n.add(w.cta_slot);
    n.add(static_cast<std::int64_t>(w.begin));
    n.add(static_cast<std::int64_t>(std::min(w.end, history.end)));
  }
  to += "],\n\"runs\":";
  {
    Numbers n(to);
    for (std::size_t r = 0; r < s.runs.size(); ++r) {
      const Cycle begin = std::max(s.runs[r].begin, history.begin);
      const Cycle end = r + 1 < s.runs.size() ? s.runs[r + 1].begin : history.end;
      if (end <= begin) continue;
      n.add(static_cast<std::int64_t>(s.runs[r].cause));
      n.add(static_cast<std::int64_t>(end - begin));
    }
  }
  to += ",\n\"lives\":[";
  Cycle before = 0;
  for (const WarpHistory::Life& l : s.instructions) {
    if (to.back() == ']') to += ",\n";
    Numbers n(to);
    n.add(static_cast<std::int64_t>(l.code));
    n.add(static_cast<std::int64_t>(l.begin - before));
    before = l.begin;
    n.add(l.collector);
    for (const PipelineStage stage : {PipelineStage::issue, PipelineStage::collect, PipelineStage::ready,
                                      PipelineStage::execute, PipelineStage::write_back})
      n.add_cycles(l.begin, l.stages[static_cast<std::size_t>(stage)]);
    n.add_cycles(l.begin, l.end);
    for (const WarpHistory::Move& m : l.moves) {
      n.add(m.source * 8 + static_cast<unsigned>(m.whereabouts));
      n.add(m.bank);
      n.add_cycles(l.begin, m.at);
    }
  }
  to += "]}";
}

std::string data_of(const WarpHistory& history, const TimelinePageTitle& title) {
  std::string data = json_text(head_of(history, title), -1);
  data.resize(data.rfind('}'));
  add_list(data, "slots", [&] {
    for (std::size_t s = 0; s < history.slots.size(); ++s) {
      if (s != 0) data += ",\n";
      add_slot(data, history, history.slots[s]);
    }
  });
  data += "}";
  // Names may hold any text, but must not end the element that contains the data.
  std::string safe;
  safe.reserve(data.size());
  for (const char c : data)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

}  // namespace

std::string timeline_page(const WarpHistory& history, const TimelinePageTitle& title) {
  std::string page = page_template;
  const auto put = [&page](const std::string& mark, const std::string& text) {
    page.replace(page.find(mark), mark.size(), text);
  };
  put("{{title}}", escaped(title.title));
  put("{{version}}", escaped(title.version));
  put("{{data}}", data_of(history, title));
  return page;
}

}  // namespace subcore
