#include "subcore/tracer/machine/not_emulated.h"

#include <string_view>

namespace subcore::tracer {
namespace {

struct NotEmulated {
  unsigned opcode;  // bits 0 to 8 of the encoding
  std::string_view name, kind;
};

constexpr std::string_view textures = "textures", surfaces = "surfaces", mbarriers = "mbarriers",
                           bulk_copies = "bulk copies", clusters = "clusters of CTAs",
                           products = "matrix products of warpgroups", matrices = "matrices that are stored",
                           elections = "elections of a lane";

// The numbers are those that nvcc 13.0 writes for what PTX calls tex, suld, mbarrier, cp.async.bulk,
// barrier.cluster, wgmma and the like.
constexpr NotEmulated list[] = {
    {0x160, "TEX", textures},         {0x163, "TLD4", textures},
    {0x166, "TLD", textures},         {0x16c, "TXD", textures},
    {0x16f, "TXQ", textures},         {0x199, "SULD", surfaces},
    {0x19d, "SUST", surfaces},        {0x19f, "SURED", surfaces},
    {0x1a7, "SYNCS", mbarriers},      {0x1b0, "ARRIVES.LDGSTSBAR", mbarriers},
    {0x1b2, "SYNCS.EXCH", mbarriers}, {0x1bd, "STAS", mbarriers},
    {0x1b4, "UTMALDG", bulk_copies},  {0x1b5, "UTMASTG", bulk_copies},
    {0x1b6, "UTMAREDG", bulk_copies}, {0x1b7, "UTMACMDFLUSH", bulk_copies},
    {0x1b8, "UTMAPF", bulk_copies},   {0x1b9, "UTMACCTL", bulk_copies},
    {0x1ba, "UBLKCP", bulk_copies},   {0x1bb, "UBLKRED", bulk_copies},
    {0x1bc, "UBLKPF", bulk_copies},   {0x1c6, "FENCE.VIEW.ASYNC", bulk_copies},
    {0x1c7, "UCGABAR", clusters},     {0x1c5, "WARPGROUP", products},
    {0x1f0, "HGMMA", products},       {0x1f1, "IGMMA", products},
    {0x1f2, "BGMMA", products},       {0x1f3, "QGMMA", products},
    {0x044, "STSM", matrices},        {0x02f, "ELECT", elections},
};

}  // namespace

std::string why_not_emulated(unsigned opcode) {
  for (const NotEmulated& n : list)
    if (n.opcode == opcode)
      return std::string(n.name) + " is of " + std::string(n.kind) + ", which are not emulated";
  return "";
}

}  // namespace subcore::tracer
