// The page of `subcore timeline --html`: warps by row, coloured by what they wait for, and the lives of their
// instructions. The page is one file, which needs no network.
#pragma once

#include <optional>
#include <string>

#include "subcore/observers/warp_history.h"

namespace subcore {

// The words on a timeline page, and the row that it opens first.
struct TimelinePageTitle {
  std::string title, scope, version;  // "malekeh on hotspot", "sm_0.sub_core_0", "0.2.0"
  std::optional<std::uint32_t> warp;  // the warp that was asked for; its slot's row is open at first
};

// The page as HTML. The same history gives the same bytes.
std::string timeline_page(const WarpHistory& history, const TimelinePageTitle& title);

}  // namespace subcore
