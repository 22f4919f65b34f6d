#include "subcore/tracer/machine/not_emulated.h"

#include <string_view>

namespace subcore::tracer {
namespace {

struct NotEmulated {
  unsigned opcode;  // bits 0 to 8 of the encoding
  std::string_view name, kind;
};

namespace kinds {
constexpr std::string_view textures = "textures", surfaces = "surfaces", mbarriers = "mbarriers",
                           bulk_copies = "bulk copies", clusters = "clusters of CTAs",
                           products = "matrix products of warpgroups", matrices = "matrices that are stored",
                           elections = "elections of a lane";
}  // namespace kinds

// nvcc 13.0 writes these opcodes for PTX's tex, suld, mbarrier, cp.async.bulk, barrier.cluster, wgmma and the
// like.
constexpr NotEmulated known_by_name[] = {
    {0x160, "TEX", kinds::textures},         {0x163, "TLD4", kinds::textures},
    {0x166, "TLD", kinds::textures},         {0x16c, "TXD", kinds::textures},
    {0x16f, "TXQ", kinds::textures},         {0x199, "SULD", kinds::surfaces},
    {0x19d, "SUST", kinds::surfaces},        {0x19f, "SURED", kinds::surfaces},
    {0x1a7, "SYNCS", kinds::mbarriers},      {0x1b0, "ARRIVES.LDGSTSBAR", kinds::mbarriers},
    {0x1b2, "SYNCS.EXCH", kinds::mbarriers}, {0x1bd, "STAS", kinds::mbarriers},
    {0x1b4, "UTMALDG", kinds::bulk_copies},  {0x1b5, "UTMASTG", kinds::bulk_copies},
    {0x1b6, "UTMAREDG", kinds::bulk_copies}, {0x1b7, "UTMACMDFLUSH", kinds::bulk_copies},
    {0x1b8, "UTMAPF", kinds::bulk_copies},   {0x1b9, "UTMACCTL", kinds::bulk_copies},
    {0x1ba, "UBLKCP", kinds::bulk_copies},   {0x1bb, "UBLKRED", kinds::bulk_copies},
    {0x1bc, "UBLKPF", kinds::bulk_copies},   {0x1c6, "FENCE.VIEW.ASYNC", kinds::bulk_copies},
    {0x1c7, "UCGABAR", kinds::clusters},     {0x1c5, "WARPGROUP", kinds::products},
    {0x1f0, "HGMMA", kinds::products},       {0x1f1, "IGMMA", kinds::products},
    {0x1f2, "BGMMA", kinds::products},       {0x1f3, "QGMMA", kinds::products},
    {0x044, "STSM", kinds::matrices},        {0x02f, "ELECT", kinds::elections},
};

}  // namespace

std::string why_not_emulated(unsigned opcode) {
  for (const NotEmulated& n : known_by_name)
    if (n.opcode == opcode)
      return std::string(n.name) + " is of " + std::string(n.kind) + ", which are not emulated";
  return "";
}

}  // namespace subcore::tracer
