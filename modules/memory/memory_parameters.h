// Memory behind the load/store units: one simple memory per SM, or caches, an interconnect and DRAM. Defaults
// are those of an RTX 2060 with ten of its thirty SMs. The source stands beside each default:
//   SM75    Accel-Sim's tested configuration SM75_RTX2060 (gpgpusim.config), by the name of the option
//   QV100   Accel-Sim's configuration SM7_QV100
//   Malekeh Table I of the paper (arXiv 2023), and units/papers.yaml for its authors' simulator
//   RTX2070 measured: sjfeng1999/gpu-arch-microbenchmark, README: L1 32, shared memory 23, L2 236 cycles
//   assumed no public source gives the value; the reason for the value follows
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <string>

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/policy/index_function.h"
#include "subcore/model/policy/mshr_table.h"
#include "subcore/model/policy/sectored_tags.h"
#include "subcore/modules/memory/initiator_parameters.h"

namespace subcore {

struct L1Parameters {
  // Malekeh. SM75 and the RTX 2060's white paper: 96 KB with shared memory (gpgpu_unified_l1d_size).
  std::uint32_t kilobytes = 64;
  std::string carve_outs;                               // SM75: "32 64" of 96 KB (gpgpu_shmem_option)
  std::uint32_t ways = 128;                             // SM75: 4 sets (gpgpu_cache:dl1)
  IndexFunction set_index = IndexFunction::linear;      // SM75 (gpgpu_cache:dl1), also for the next six
  LineAllocation allocation = LineAllocation::on_miss;  // SM75
  std::uint32_t mshrs = 256;                            // SM75
  MshrUnit mshr_unit = MshrUnit::sector;                // SM75
  std::uint32_t merges = 32;                            // SM75
  std::uint32_t queue = 16;                             // SM75: miss queue
  bool write_allocate = true;                           // SM75; sectors that are written in part are not kept
  // Assumed: 0, plain LRU, because no measurement speaks for another value. SM75: 25
  // (gpgpu_l1_cache_write_ratio), with which written lines may fill one of its four sets.
  std::uint32_t written_percent = 0;
  std::uint32_t miss_latency = 0;  // assumed: all of a miss's latency is in interconnect and L2
  InitiatorParameters initiator = {};
  void describe(ParameterVisitor& v) {
    v.field("kilobytes", kilobytes, {1, 1048576}, "KB",
            "capacity per SM, of 128-byte lines with 4 sectors; with memory.l1.carve_outs, the capacity of "
            "cache and shared memory together");
    v.field("carve_outs", carve_outs,
            "sizes that shared memory may take out of memory.l1.kilobytes, in KB, ascending, with blanks "
            "between them. Each kernel gets the smallest size that its CTAs fit in. Without sizes, shared "
            "memory is separate");
    v.field("ways", ways, {1, 1024}, "ways",
            "associativity (LRU) of the whole capacity: there are capacity / (128 bytes x ways) sets");
    v.choice("set_index", set_index,
             "bits of a line's number that give its set: the lowest bits, or the lowest bits with all higher "
             "bits folded onto them");
    v.choice("allocation", allocation,
             "a line that is read gets its place when it misses (a request waits while all lines of its set "
             "are on their way), or when its first sector comes");
    v.field("mshrs", mshrs, {1, 4096}, "registers",
            "miss status holding registers: lines (or sectors) fetched at once");
    v.choice("mshr_unit", mshr_unit, "a register is for a line, or for each of its sectors");
    v.field("merges", merges, {1, 1024}, "requests", "requests that may wait for one register");
    v.field("queue", queue, {2, 4096}, "requests", "requests waiting for the interconnect");
    v.field("miss_latency", miss_latency, {0, 10000}, "cycles",
            "time from the arrival of a missing sector to the answer");
    v.field("write_allocate", write_allocate,
            "a store's line is kept, with the sectors that the store writes wholly; the store is passed on "
            "all the same");
    v.only_if(write_allocate, "memory.l1.write_allocate true", [&] {
      v.field("written_percent", written_percent, {0, 100}, "%",
              "share of all lines that must have been written before a written line may be evicted");
    });
    initiator.describe(v);
  }
};

// Parameters of the way from L1s to L2 slices and back (memory.interconnect.*).
struct InterconnectParameters {
  std::uint32_t latency = 45;          // assumed share of an L2 hit's 236 cycles (L2Parameters)
  std::uint32_t bytes_per_cycle = 40;  // SM75: icnt_flit_size, a sector and 8 bytes
  std::uint32_t header_bytes = 8;      // as bytes_per_cycle
  std::uint32_t queue = 512;           // SM75: icnt_in_buffer_limit, icnt_out_buffer_limit
  // Assumed: as for other packets. An SM of an H200 alone gets 105 bytes a cycle by bulk copies, and some 60
  // by other accesses.
  std::uint32_t bulk_bytes_per_cycle = 40;
  std::uint32_t host_ports = 0;
  void describe(ParameterVisitor& v) {
    v.field("latency", latency, {1, 10000}, "cycles", "latency in one direction, without contention");
    v.field("bytes_per_cycle", bytes_per_cycle, {1, 65536}, "bytes/cycle",
            "bandwidth of each port, in each direction");
    v.field("header_bytes", header_bytes, {0, 1024}, "bytes", "bytes of a packet beside its data");
    v.field("queue", queue, {1, 4096}, "packets", "packets waiting at each port, in each direction");
    v.field("bulk_bytes_per_cycle", bulk_bytes_per_cycle, {1, 65536}, "bytes/cycle",
            "bandwidth of an SM's port for bulk copies, in each direction");
    v.field("host_ports", host_ports, {0, 64}, "ports",
            "ports for a user's own hosts, beside the ports of the SMs; each is bound in C++");
  }
};

// Parameters of the L2. RTX2070: an SM sees an L2 hit after 236 cycles, the interconnect included. (SM75:
// 242, as measured in Accel-Sim.)
struct L2Parameters {
  std::uint32_t kilobytes = 1024;  // Malekeh; SM75: 3 MB for 30 SMs
  std::uint32_t slices = 8;        // SM75: 24 for 30 SMs (gpgpu_n_mem, gpgpu_n_sub_partition_per_mchannel)
  // QV100: hashed (gpgpu_memory_partition_indexing). SM75 divides by its twelve channels and takes the rest,
  // which spreads lines as well. Plain address bits for a third of the channels would not.
  IndexFunction slice_index = IndexFunction::hashed;
  std::uint32_t ways = 16;                              // SM75: gpgpu_cache:dl2, also for the write policy
  IndexFunction set_index = IndexFunction::hashed;      // SM75: a hash (by polynomials)
  LineAllocation allocation = LineAllocation::on_miss;  // SM75
  std::uint32_t latency = 142;                          // the rest of the 236 cycles
  std::uint32_t mshrs = 192;                            // SM75
  MshrUnit mshr_unit = MshrUnit::sector;                // SM75
  std::uint32_t merges = 4;                             // SM75
  std::uint32_t queue = 32;                             // SM75: miss queue
  std::uint32_t atomic_latency = 10;                    // assumed: small compared with the access itself
  std::uint32_t atomic_interval = 2;                    // assumed: half the rate of reads
  InitiatorParameters initiator = {};
  void describe(ParameterVisitor& v) {
    v.field("kilobytes", kilobytes, {1, 1048576}, "KB",
            "capacity of all slices, of 128-byte lines with 4 sectors");
    v.field("slices", slices, {1, 256}, "slices", "slices, a power of two; lines are spread over them");
    v.choice("slice_index", slice_index,
             "bits of a line's number that give its slice: the lowest bits, or the lowest bits with higher "
             "bits folded onto them");
    v.field("ways", ways, {1, 1024}, "ways",
            "associativity (LRU): the number of sets of a slice is its capacity / (128 bytes x ways)");
    v.choice("set_index", set_index,
             "bits of a line's number, without the bits of the slice, that give its set: the lowest bits, or "
             "the lowest bits with all higher bits folded onto them");
    v.choice("allocation", allocation,
             "a line that is read gets its place when it misses (a request waits while all lines of its set "
             "are on their way), or when its first sector comes");
    v.field("latency", latency, {1, 10000}, "cycles", "time of a tag lookup, and of the data of a hit");
    v.field("mshrs", mshrs, {1, 4096}, "registers",
            "miss status holding registers per slice: lines (or sectors) fetched at once");
    v.choice("mshr_unit", mshr_unit, "a register is for a line, or for each of its sectors");
    v.field("merges", merges, {1, 1024}, "requests", "requests that may wait for one register");
    v.field("queue", queue, {1, 4096}, "requests", "requests waiting at a slice, and responses to be sent");
    v.field("atomic_latency", atomic_latency, {0, 10000}, "cycles",
            "time of an atomic, added to the access to its line");
    v.field("atomic_interval", atomic_interval, {1, 10000}, "cycles",
            "time between the atomics of two lines in one slice");
    initiator.describe(v);
  }
};

// The memory that serves the L2 slices.
enum class DramKind : std::uint8_t { channels, external };
constexpr std::array<std::string_view, 2> names(DramKind) {
  return {"channels", "external"};
}

// DRAM behind the L2 slices (memory.dram.*). SM75, as measured in Accel-Sim: an SM sees a response of the
// DRAM after 369 cycles, L2 and interconnect included.
struct DramParameters {
  DramKind kind = DramKind::channels;
  std::uint32_t channels = 4;     // SM75: 12 for 30 SMs (gpgpu_n_mem)
  std::uint32_t latency = 131;    // the rest of the 369 cycles
  double bytes_per_cycle = 20.5;  // SM75: 12 x 2 bytes at 14 GT/s, 336 GB/s; a channel at 1.365 GHz
  std::uint32_t queue = 32;       // SM75: 64 of two slices (gpgpu_frfcfs_dram_sched_queue_size)
  void describe(ParameterVisitor& v) {
    v.choice("kind", kind,
             "channels with a latency and a bandwidth; or external: a user's own DRAM, bound in C++ to a "
             "socket of each slice of the L2");
    v.only_if(kind == DramKind::channels, "memory.dram.kind channels", [&] {
      v.field("channels", channels, {1, 256}, "channels",
              "channels; an equal number of slices of the L2 is in front of each");
      v.field("latency", latency, {1, 10000}, "cycles", "time from request to response of an idle channel");
      v.field("bytes_per_cycle", bytes_per_cycle, {0.001, 65536}, "bytes/cycle", "bandwidth of a channel");
      v.field("queue", queue, {1, 4096}, "requests", "requests of a slice waiting at a channel");
    });
  }
};

// Parameters of the simple memory, which stands for L1 and L2 in one.
struct SimpleMemoryParameters {
  std::uint32_t hit_latency = 20;      // Malekeh's simulator; SM75: 32 (gpgpu_l1_latency), as RTX2070
  std::uint32_t miss_latency = 220;    // assumed: near an L2 hit (RTX2070: 236)
  std::uint32_t cache_kilobytes = 64;  // the L1's size
  std::uint32_t line_bytes = 128;      // the L1's line
  std::uint32_t ways = 4;              // assumed: no machine has tags that stand for L1 and L2
  double bytes_per_cycle = 128;        // SM75: four banks of 32 bytes (gpgpu_l1_banks)
  void describe(ParameterVisitor& v) {
    v.field("hit_latency", hit_latency, {1, 100000}, "cycles",
            "request to response when the line is present");
    v.field("miss_latency", miss_latency, {1, 100000}, "cycles",
            "time from request to response when the line is absent");
    v.field("cache_kilobytes", cache_kilobytes, {0, 1048576}, "KB",
            "capacity of the tag store; 0 = every request misses");
    v.field("line_bytes", line_bytes, {32, 4096}, "bytes", "line size, a power of two");
    v.field("ways", ways, {1, 64}, "ways", "associativity of the tag store (LRU)");
    v.field("bytes_per_cycle", bytes_per_cycle, {0.001, 65536}, "bytes/cycle",
            "bandwidth of the response path");
  }
};

// Parameters of caches, interconnect and DRAM. L1s are empty at the start of every kernel (SM75:
// gpgpu_flush_l1_cache).
struct HierarchyParameters {
  std::uint32_t hit_latency = 32;  // RTX2070; SM75 (gpgpu_l1_latency). Malekeh's simulator: 20
  L1Parameters l1;
  InterconnectParameters interconnect;
  L2Parameters l2;
  DramParameters dram;
  void describe(ParameterVisitor& v) {
    v.field("hit_latency", hit_latency, {1, 100000}, "cycles",
            "request to response when the line is present");
    v.group("l1", l1);
    v.group("interconnect", interconnect);
    v.group("l2", l2);
    v.group("dram", dram);
  }
};

}  // namespace subcore
