// Parameters of the load/store unit (keys load_store.* of a platform file).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/modules/memory/initiator_parameters.h"

namespace subcore {

// When a store is over: when all of its requests have been sent, or when they have been answered.
enum class StoreDone : std::uint8_t { sent, answered };

constexpr std::array<std::string_view, 2> names(StoreDone) {
  return {"sent", "answered"};
}

struct LoadStoreParameters {
  std::uint32_t queue = 8;                // instructions; assumed: no source says for a sub-core
  std::uint32_t initiation_interval = 1;  // assumed: as fast as a sub-core issues
  std::uint32_t shared_latency = 20;      // the L1's hit; SM75: 30 (gpgpu_smem_latency)
  std::uint32_t shared_banks = 32;        // SM75: gpgpu_shmem_num_banks
  std::uint32_t constant_latency = 20;    // assumed: as shared memory
  // Assumed: a line a cycle. Machines with a source have 4: one sector for each of the sector_banks.
  std::uint32_t transactions_per_cycle = 1;
  // Assumed: 0, to go with the above. SM75: 4 (gpgpu_l1_banks, of gpgpu_l1_banks_byte_interleaving 32).
  std::uint32_t sector_banks = 0;
  std::uint32_t outstanding = 256;         // assumed: as many as the L1 has registers
  StoreDone store_done = StoreDone::sent;  // assumed: a store is retired as soon as its data have left
  InitiatorParameters initiator = {};
  bool byte_enables = true;
  bool keep_data = false;
  void describe(ParameterVisitor& v) {
    v.field("queue", queue, {1, 1024}, "instructions", "instructions waiting in the unit per sub-core");
    v.field("initiation_interval", initiation_interval, {1, 1000}, "cycles",
            "time between two instructions that enter the unit");
    v.field("shared_latency", shared_latency, {1, 10000}, "cycles",
            "latency of an access to shared memory without conflicts");
    v.field("shared_banks", shared_banks, {0, 64}, "banks",
            "4-byte banks of shared memory, a power of two; 0 = no conflicts");
    v.field("constant_latency", constant_latency, {1, 10000}, "cycles",
            "latency of an access to the constant cache");
    v.field("transactions_per_cycle", transactions_per_cycle, {1, 64}, "requests/cycle",
            "most requests sent to memory_socket per cycle");
    v.field("sector_banks", sector_banks, {0, 64}, "banks",
            "banks of the cache behind memory_socket, each 32 bytes (a sector) wide: a power of two of at "
            "least 4 (a line). Two requests sent in one cycle never need the same bank; 0 = no conflicts");
    v.field("outstanding", outstanding, {1, 65536}, "requests", "most memory requests in flight");
    v.choice("store_done", store_done,
             "when a store is complete: when its last request has left the unit, or when memory has answered "
             "all of its requests. In shared memory: at its last pass, or after shared_latency");
    initiator.describe(v);
    v.field("byte_enables", byte_enables,
            "a store that writes only a part of its sectors says which bytes, by byte enables; false: for "
            "targets without byte enables");
    v.field("keep_data", keep_data,
            "for memories with data of their own. Traces lack the stored values, so a store reads the bytes "
            "by the debug transport and writes them again; false: a store writes arbitrary bytes");
  }
};

}  // namespace subcore
