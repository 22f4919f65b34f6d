// The groups of stall causes in views of cycles and in figures, with their colours. The groups are those of
// the Python package (python/subcore/compare.py and looks.py), and one more for causes that only warps have.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstddef>

#include "subcore/model/stall/stall_cause.h"

namespace subcore {

// A group's name, its HTML colours on light and on dark pages, and the name of an X11 colour on which white
// words are readable.
struct StallGroup {
  const char *name, *light, *dark, *x11;
};

// The groups, in the order in which views show them.
inline constexpr std::array<StallGroup, 9> stall_groups{
    {{"issued", "#8c8c8c", "#d6d9dd", "gray45"},
     {"not selected", "#d4d4d4", "#454b53", "gray25"},
     {"held back", "#0072b2", "#055f92", "DodgerBlue4"},
     {"no collector", "#e69f00", "#bc8405", "DarkOrange3"},
     {"short results", "#009e73", "#048361", "DarkGreen"},
     {"long results", "#56b4e9", "#4995bf", "SteelBlue4"},
     {"barriers", "#d55e00", "#af5005", "OrangeRed4"},
     {"units and windows", "#cc79a7", "#a8668b", "HotPink4"},
     {"no instruction", "#f0e442", "#c4bb3a", "DarkGoldenrod4"}}};

// The index of a cause's group in stall_groups. stall_groups.size() for cycles without a warp.
constexpr std::size_t stall_group_of(StallCause cause) {
  switch (cause) {
    case StallCause::issued:
      return 0;
    case StallCause::not_selected:
      return 1;
    case StallCause::held:
    case StallCause::not_active:
    case StallCause::pending_ready:
      return 2;
    case StallCause::turn_around:
    case StallCause::dispatch:
    case StallCause::operands:
    case StallCause::unit_queue:
      return 3;
    case StallCause::raw_short:
    case StallCause::war:
    case StallCause::waw:
    case StallCause::stall_count:
      return 4;
    case StallCause::raw_long:
    case StallCause::sb0:
    case StallCause::sb1:
    case StallCause::sb2:
    case StallCause::sb3:
    case StallCause::sb4:
    case StallCause::sb5:
    case StallCause::memory_order:
    case StallCause::copy_groups:
    case StallCause::products:
      return 5;
    case StallCause::barrier:
    case StallCause::mbarrier:
      return 6;
    case StallCause::unit_busy:
    case StallCause::port_hold:
    case StallCause::window_full:
      return 7;
    case StallCause::fetch:
    case StallCause::buffer_empty:
    case StallCause::control:
    case StallCause::draining:
      return 8;
    case StallCause::no_warp:
    case StallCause::drained:
    case StallCause::none:
      break;
  }
  return stall_groups.size();
}

}  // namespace subcore
