// The fate of results that are written into a register cache. Either an instruction reads them there at least
// once, or they are overwritten, displaced or flushed before (Malekeh, Fig. 16: writes that only pollute the
// cache). A cache keeps a flag for each entry: its result has not been read yet.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <functional>
#include <utility>

#include "subcore/base/bits.h"
#include "subcore/model/statistics/statistics.h"

namespace subcore {

struct ResultUse {
  std::uint64_t used = 0, unused = 0;

  // `unread` is the flag of the entry. A result replaces the entry's value.
  void written(bool& unread) {
    gone(unread);
    unread = true;
  }
  void read(bool& unread) {
    used += unread;
    unread = false;
  }
  void gone(bool& unread) {
    unused += unread;
    unread = false;
  }
};

// `unread` gives the number of results that are neither used nor unused yet.
inline void register_use(StatisticsGroup& group, const ResultUse& use, std::function<double()> unread) {
  group.counter("cache_writes_used", "operands",
                "results in the cache that an instruction read there at least once", use.used);
  group.counter(
      "cache_writes_unused", "operands",
      "results in the cache that were overwritten, displaced or flushed before an instruction read them",
      use.unused);
  group.derived("cache_writes_left", "operands",
                "results that are in the cache and that no instruction has read there yet",
                std::move(unread));
}

// ResultUse, with the flags of a cache of up to 64 entries.
class EntryUse {
 public:
  void written(unsigned entry) {
    gone(entry);
    bits::add(unread_, entry);
  }
  void read(unsigned entry) {
    use_.used += bits::has(unread_, entry);
    bits::remove(unread_, entry);
  }
  void gone(unsigned entry) {
    use_.unused += bits::has(unread_, entry);
    bits::remove(unread_, entry);
  }
  void all_gone() {
    use_.unused += unread();
    unread_ = 0;
  }
  // The number of results in the cache that have not been read yet.
  std::uint64_t unread() const { return bits::count(unread_); }
  const ResultUse& use() const { return use_; }

 private:
  std::uint64_t unread_ = 0;
  ResultUse use_;
};

}  // namespace subcore
