// What stands behind the load/store units: one simple memory per SM, or caches, an interconnect and DRAM.
// Defaults are of the size of a Turing GPU with some ten SMs; where a number has a source, it is named.
#pragma once

#include <cstdint>

#include "model/config/parameter.h"
#include "model/policy/kinds.h"

namespace subcore {

struct L1Parameters {
  std::uint32_t kilobytes = 64;  // Turing: 96 KB, shared with shared memory: 64 + 32 or 32 + 64
  std::uint32_t ways = 4;
  std::uint32_t mshrs = 64;
  std::uint32_t merges = 8;
  std::uint32_t queue = 8;
  template <class V>
  void describe(V& v) {
    v.field("kilobytes", kilobytes, {1, 1048576}, "KB", "capacity per SM, of 128-byte lines with 4 sectors");
    v.field("ways", ways, {1, 1024}, "ways", "associativity (LRU)");
    v.field("mshrs", mshrs, {1, 4096}, "lines", "lines being fetched at once");
    v.field("merges", merges, {1, 1024}, "requests", "requests that may wait for one line");
    v.field("queue", queue, {2, 4096}, "requests", "requests waiting for the interconnect");
  }
};

struct InterconnectParameters {
  std::uint32_t latency = 45;
  std::uint32_t bytes_per_cycle = 40;  // Accel-Sim's flit: a sector and its header
  std::uint32_t header_bytes = 8;
  std::uint32_t queue = 8;
  template <class V>
  void describe(V& v) {
    v.field("latency", latency, {1, 10000}, "cycles", "one way, without contention");
    v.field("bytes_per_cycle", bytes_per_cycle, {1, 65536}, "bytes/cycle",
            "bandwidth of each port, in each direction");
    v.field("header_bytes", header_bytes, {0, 1024}, "bytes", "bytes of a packet beside its data");
    v.field("queue", queue, {1, 4096}, "packets", "packets waiting at each port, in each direction");
  }
};

// Latencies: with the interconnect's, an SM sees some 200 cycles for an L2 hit (Turing microbenchmarks: 188
// to 194; Accel-Sim SM75: 190 to 220).
struct L2Parameters {
  std::uint32_t kilobytes = 1024;  // RTX 2060: 3 MB for 30 SMs
  std::uint32_t slices = 4;
  std::uint32_t ways = 16;
  std::uint32_t latency = 100;
  std::uint32_t mshrs = 128;
  std::uint32_t merges = 16;
  std::uint32_t queue = 16;
  std::uint32_t atomic_latency = 10;
  std::uint32_t atomic_interval = 2;
  template <class V>
  void describe(V& v) {
    v.field("kilobytes", kilobytes, {1, 1048576}, "KB",
            "capacity of all slices, of 128-byte lines with 4 sectors");
    v.field("slices", slices, {1, 256}, "slices", "slices, a power of two; lines are spread over them");
    v.field("ways", ways, {1, 1024}, "ways", "associativity (LRU)");
    v.field("latency", latency, {1, 10000}, "cycles", "tag lookup, and data of a hit");
    v.field("mshrs", mshrs, {1, 4096}, "lines", "lines being fetched at once, per slice");
    v.field("merges", merges, {1, 1024}, "requests", "requests that may wait for one line");
    v.field("queue", queue, {1, 4096}, "requests", "requests waiting at a slice, and responses to be sent");
    v.field("atomic_latency", atomic_latency, {0, 10000}, "cycles",
            "of an atomic, on top of the access to its line");
    v.field("atomic_interval", atomic_interval, {1, 10000}, "cycles",
            "between two lines' atomics in one slice");
  }
};

// With L2 and interconnect an SM sees some 350 cycles (Accel-Sim SM75, in core cycles).
struct DramParameters {
  std::uint32_t channels = 2;
  std::uint32_t latency = 155;
  double bytes_per_cycle = 40;  // RTX 2060: 336 GB/s at 1.365 GHz are 246 for 30 SMs
  std::uint32_t queue = 32;
  template <class V>
  void describe(V& v) {
    v.field("channels", channels, {1, 256}, "channels", "channels, each behind as many slices of the L2");
    v.field("latency", latency, {1, 10000}, "cycles", "request to response of an idle channel");
    v.field("bytes_per_cycle", bytes_per_cycle, {0.001, 65536}, "bytes/cycle", "bandwidth of a channel");
    v.field("queue", queue, {1, 4096}, "requests", "requests of a slice waiting at a channel");
  }
};

// `simple`: a tag store that decides hit or miss, two latencies and a bandwidth. `hierarchy`: the groups
// below, with hit_latency as the L1's.
struct MemoryParameters {
  MemoryKind kind = MemoryKind::simple;
  std::uint32_t hit_latency = 20;
  std::uint32_t miss_latency = 220;
  std::uint32_t cache_kilobytes = 64;
  std::uint32_t line_bytes = 128;
  std::uint32_t ways = 4;
  double bytes_per_cycle = 128;
  L1Parameters l1;
  InterconnectParameters interconnect;
  L2Parameters l2;
  DramParameters dram;
  template <class V>
  void describe(V& v) {
    v.choice("kind", kind,
             "one simple memory per SM (the six keys below), or a hierarchy: L1 (with hit_latency), "
             "interconnect, L2, DRAM");
    v.field("hit_latency", hit_latency, {1, 100000}, "cycles",
            "request to response when the line is present");
    v.field("miss_latency", miss_latency, {1, 100000}, "cycles", "request to response when it is not");
    v.field("cache_kilobytes", cache_kilobytes, {0, 1048576}, "KB",
            "capacity of the tag store; 0 = every request misses");
    v.field("line_bytes", line_bytes, {32, 4096}, "bytes", "line size, a power of two");
    v.field("ways", ways, {1, 64}, "ways", "associativity of the tag store (LRU)");
    v.field("bytes_per_cycle", bytes_per_cycle, {0.001, 65536}, "bytes/cycle",
            "bandwidth of the response path");
    v.group("l1", l1);
    v.group("interconnect", interconnect);
    v.group("l2", l2);
    v.group("dram", dram);
  }
};

}  // namespace subcore
