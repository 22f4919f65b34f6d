// The named choices among which a platform file picks. Each enumerator is the YAML word in
// names(); the class that implements it is in the header named beside it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace subcore {

enum class WarpPriorityKind : std::uint8_t { gto, lrr, malekeh };                      // warp_priority.h
enum class AllocationKind : std::uint8_t { any_free, malekeh, private_, own_or_lru };  // allocation.h
enum class AllocationFailure : std::uint8_t { next_warp, stall };                      // issue_scheduler
enum class WarGuard : std::uint8_t { off, operand_collection, write_back };            // scoreboard.h
enum class IssueKind : std::uint8_t { in_order, socgpu };                              // issue_window.h
enum class ControlRelease : std::uint8_t { write_back, issue };                        // dependence_matrix.h
enum class OrderRelease : std::uint8_t { write_back, operand_collection };             // dependence_matrix.h
enum class StoreDone : std::uint8_t { sent, answered };                                // load_store_unit.h
enum class FetchRedirect : std::uint8_t { perfect, issue, write_back };                // fetch_redirect.h
enum class CollectorKind : std::uint8_t { ocu, ccu, boc };
enum class OperandCacheKind : std::uint8_t {
  none,
  rfc,
  software_rfc,
  ltrf,
  register_cache
};                                                                     // operand_cache_policy.h
enum class Demotion : std::uint8_t { long_latency, strand_end };       // issue_window.h
enum class Promotion : std::uint8_t { eligible_fifo, blind_fifo };     // active_set.h
enum class PendingReady : std::uint8_t { no_hazard, collector_free };  // issue_scheduler
enum class Overwrite : std::uint8_t { keeps_place, counts_as_new };    // register_file_cache.h
enum class WritePolicy : std::uint8_t { write_through, write_back };
enum class InFlight : std::uint8_t { window, one };                         // bypassing_collector
enum class BranchHandling : std::uint8_t { ignore, wait, flush_on_taken };  // issue_window.h, bypass_window.h
enum class DispatchOrder : std::uint8_t { oldest, round_robin };            // dispatch_scheduler
enum class ReplacementKind : std::uint8_t { near_aware, lru };              // replacement.h
enum class PartialWrite : std::uint8_t { safe, ignore };                    // cache_table.h
enum class BankWarpId : std::uint8_t { subcore_local, sm, none };           // bank_map.h
enum class SthldMode : std::uint8_t { fixed, adaptive };
enum class SthldReference : std::uint8_t { previous, phase_best };  // sthld_machine.h
enum class SthldLarge : std::uint8_t { change, drop };              // sthld_machine.h
enum class CtaDispatch : std::uint8_t { gpu, sm };                  // kernel_dispatcher
enum class MemoryKind : std::uint8_t { simple, hierarchy };         // platforms/memory_system.h
enum class TickOrder : std::uint8_t { pipeline, reverse, shuffled };

// YAML words in enumerator order, found by argument-dependent lookup.
constexpr std::array<std::string_view, 3> names(WarpPriorityKind) {
  return {"gto", "lrr", "malekeh"};
}
constexpr std::array<std::string_view, 4> names(AllocationKind) {
  return {"any_free", "malekeh", "private", "own_or_lru"};
}
constexpr std::array<std::string_view, 2> names(AllocationFailure) {
  return {"next_warp", "stall"};
}
constexpr std::array<std::string_view, 3> names(WarGuard) {
  return {"off", "operand_collection", "write_back"};
}
constexpr std::array<std::string_view, 2> names(IssueKind) {
  return {"in_order", "socgpu"};
}
constexpr std::array<std::string_view, 2> names(StoreDone) {
  return {"sent", "answered"};
}
constexpr std::array<std::string_view, 2> names(ControlRelease) {
  return {"write_back", "issue"};
}
constexpr std::array<std::string_view, 2> names(OrderRelease) {
  return {"write_back", "operand_collection"};
}
constexpr std::array<std::string_view, 3> names(FetchRedirect) {
  return {"perfect", "issue", "write_back"};
}
constexpr std::array<std::string_view, 3> names(CollectorKind) {
  return {"ocu", "ccu", "boc"};
}
constexpr std::array<std::string_view, 5> names(OperandCacheKind) {
  return {"none", "rfc", "software_rfc", "ltrf", "register_cache"};
}
constexpr std::array<std::string_view, 2> names(Demotion) {
  return {"long_latency", "strand_end"};
}
constexpr std::array<std::string_view, 2> names(Promotion) {
  return {"eligible_fifo", "blind_fifo"};
}
constexpr std::array<std::string_view, 2> names(PendingReady) {
  return {"no_hazard", "collector_free"};
}
constexpr std::array<std::string_view, 2> names(Overwrite) {
  return {"keeps_place", "counts_as_new"};
}
constexpr std::array<std::string_view, 2> names(WritePolicy) {
  return {"write_through", "write_back"};
}
constexpr std::array<std::string_view, 2> names(InFlight) {
  return {"window", "1"};
}
constexpr std::array<std::string_view, 3> names(BranchHandling) {
  return {"ignore", "wait", "flush_on_taken"};
}
constexpr std::array<std::string_view, 2> names(DispatchOrder) {
  return {"oldest", "round_robin"};
}
constexpr std::array<std::string_view, 2> names(ReplacementKind) {
  return {"near_aware", "lru"};
}
constexpr std::array<std::string_view, 2> names(PartialWrite) {
  return {"safe", "ignore"};
}
constexpr std::array<std::string_view, 3> names(BankWarpId) {
  return {"subcore_local", "sm", "none"};
}
constexpr std::array<std::string_view, 2> names(SthldMode) {
  return {"fixed", "adaptive"};
}
constexpr std::array<std::string_view, 2> names(CtaDispatch) {
  return {"gpu", "sm"};
}
constexpr std::array<std::string_view, 2> names(SthldReference) {
  return {"previous", "phase_best"};
}
constexpr std::array<std::string_view, 2> names(SthldLarge) {
  return {"change", "drop"};
}
constexpr std::array<std::string_view, 2> names(MemoryKind) {
  return {"simple", "hierarchy"};
}
constexpr std::array<std::string_view, 3> names(TickOrder) {
  return {"pipeline", "reverse", "shuffled"};
}

template <class E>
constexpr std::string_view name_of(E e) {
  return names(E{})[static_cast<std::size_t>(e)];
}

}  // namespace subcore
