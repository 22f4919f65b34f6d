// A reader's place in a trace, for errors that name it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <string>
#include <string_view>

namespace subcore {

class TracePosition {
 public:
  virtual ~TracePosition() = default;
  // Throws TraceError: `where: problem; expected X`.
  [[noreturn]] virtual void fail(const std::string& problem, const std::string& expected) const = 0;
};

// A token in a form for a one-line message: quoted, without control characters, not too long.
std::string quoted(std::string_view token);
// A program counter, as traces write it.
std::string pc_text(std::uint64_t pc);

}  // namespace subcore
