#include "subcore/program/report/diagram/blocks.h"

#include <algorithm>

namespace subcore {
namespace {

const std::vector<Block>& blocks() {
  static const std::vector<Block> all{
      // The GPU: from the left its driver and its memory, and below them the SM.
      {"gpu", Room::driver, 0, 0, {"gpu."}},
      {"driver", Room::driver, 0, 0, {}, false, "kernel_dispatcher"},
      {"launch_registers", Room::driver, 0, 0, {}, false, "kernel_dispatcher"},
      {"kernel_dispatcher",
       Room::driver,
       1,
       0,
       {"gpu.kernel_launch_cycles", "gpu.cta_dispatch", "passes.", "operands."}},
      {"sthld_controller", Room::control, 1, 0, {"sthld."}},
      {"memory", Room::memory, 9, 0, {"memory."}, true},
      {"memory_system", Room::memory, 9, 0, {"memory."}, true, "memory"},
      {"dram_channel", Room::memory, 0, 0, {"memory.dram."}},
      {"l2_slice", Room::memory, 1, 0, {"memory.l2."}},
      {"interconnect", Room::memory, 2, 0, {"memory.interconnect."}},
      {"l1_cache", Room::memory, 3, 0, {"memory.l1."}},
      {"conductor", Room::control, 9, 0, {}, true},
      // The SM: above, what the sub-cores share; below, the sub-core.
      {"sm", Room::driver, 0, 1, {"sm."}},
      {"cta_dispatcher", Room::driver, 0, 0, {}},
      {"control_registers", Room::control, 1, 0, {"sthld"}},
      {"load_store_unit", Room::memory, 9, 0, {"load_store."}, true},
      // The sub-core: above, an instruction goes to the right; below, its results come back.
      {"sub_core", Room::issue, 0, 1, {"sub_core."}},
      {"trace_player",
       Room::issue,
       0,
       0,
       {"sub_core.scheduler.instruction_buffer", "sub_core.scheduler.fetch_", "sub_core.warp_slots"}},
      {"issue_scheduler", Room::issue, 1, 0, {"sub_core.scheduler."}},
      {"collector", Room::operands, 2, 0, {"sub_core.collector."}},
      {"dispatch_scheduler", Room::execution, 3, 0, {"sub_core.dispatch."}},
      {"execution_unit", Room::execution, 4, 0, {"sub_core.execution."}},
      {"operand_cache", Room::operands, 2, 1, {"sub_core.operand_cache."}},
      {"crossbar", Room::operands, 2, 2, {}},
      {"register_bank",
       Room::operands,
       3,
       2,
       {"sub_core.register_file.bank", "sub_core.register_file.read_latency"}},
      {"arbiter", Room::operands, 4, 2, {"sub_core.register_file."}},
  };
  return all;
}

struct Named {
  std::string_view name, words;
};

constexpr Named titles[] = {{"gpu", "GPU"},
                            {"sm", "SM"},
                            {"sub_core", "sub-core"},
                            {"memory_system", "memory"},
                            {"unit", "execution unit"},
                            {"bank", "register bank"},
                            {"cta_dispatcher", "CTA dispatcher"},
                            {"load_store_unit", "load/store unit"},
                            {"sthld_controller", "STHLD controller"},
                            {"l1", "L1 cache"},
                            {"l2", "L2 slice"},
                            {"dram", "DRAM channel"}};

constexpr Named flows[] = {{"instruction_socket", "instructions"},
                           {"issue_socket", "instructions"},
                           {"read_socket", "reads"},
                           {"miss_socket", "misses"},
                           {"prefetch_socket", "prefetches"},
                           {"write_back_socket", "write-backs"},
                           {"bank_socket", "accesses"},
                           {"operand_cache.bank_socket", "results"},
                           {"data_socket", "operands"},
                           {"source_socket", "operands"},
                           {"dispatch_socket", "ready"},
                           {"unit_socket", "dispatched"},
                           {"result_socket", "results"},
                           {"destination_socket", "results"},
                           {"retire_socket", "retired"},
                           {"entered_socket", "entered"},
                           {"barrier_socket", "barriers"},
                           {"store_socket", "stores done"},
                           {"launch_socket", "warps"},
                           {"launch_registers.launch_socket", "kernels"},
                           {"cta_socket", "CTAs"},
                           {"sthld_socket", "STHLD"},
                           {"warp_socket", "active warps"},
                           {"cache_control_socket", "invalidate"},
                           {"control_socket", "STHLD, counts"},
                           {"memory_socket", "requests"},
                           {"interconnect_socket", "requests"},
                           {"slice_socket", "requests"},
                           {"dram_socket", "requests"}};

template <class Table>
const Named* find(const Table& table, std::string_view name) {
  const auto found =
      std::find_if(std::begin(table), std::end(table), [&](auto& w) { return w.name == name; });
  return found == std::end(table) ? nullptr : &*found;
}

std::string with_blanks(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace

std::string Block::page() const {
  std::string page = '#' + std::string(page_of.empty() ? kind : page_of);
  std::replace(page.begin(), page.end(), '_', '-');
  return page;
}

const Block* find_block(std::string_view kind) {
  const auto& all = blocks();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Block& b) { return b.kind == kind; });
  return found == all.end() ? nullptr : &*found;
}

std::string title_of(const std::string& name) {
  const Named* known = find(titles, name);
  return known != nullptr ? std::string(known->words) : with_blanks(name);
}

std::string words_of(std::string_view kind, const std::string& socket) {
  const Named* known = find(flows, std::string(kind) + '.' + socket);
  if (known == nullptr) known = find(flows, socket);
  if (known != nullptr) return std::string(known->words);
  constexpr std::string_view ending = "_socket";
  const std::size_t length = socket.size() > ending.size() ? socket.size() - ending.size() : 0;
  return with_blanks(length != 0 && socket.substr(length) == ending ? socket.substr(0, length) : socket);
}

}  // namespace subcore
