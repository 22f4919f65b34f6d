// ControlRegisters: the SM's control port, a TLM-2.0 base-protocol target with a small register map. Through
// it any controller, ours or a user's, can watch an SM and set its waiting threshold.
#pragma once

#include <functional>

#include "subcore/modules/conductor/conductor.h"
#include "subcore/modules/control_registers/control_target.h"
#include "subcore/modules/protocol/payloads.h"

namespace subcore {

// Byte offsets of the registers.
namespace control_register {
inline constexpr std::uint64_t cycle = 0x00;                 // read: core cycles since time 0
inline constexpr std::uint64_t instructions_retired = 0x08;  // read: warp instructions
inline constexpr std::uint64_t source_operands = 0x10;       // read: operands looked for in collectors
inline constexpr std::uint64_t cache_read_hits = 0x18;       // read: those found there
inline constexpr std::uint64_t sthld = 0x20;                 // read and write: waiting threshold in cycles
// Read: the start of the kernel that this SM runs, or ran last. The start is the cycle in which the kernel's
// first CTA was handed to any SM. All ones before the first kernel.
inline constexpr std::uint64_t kernel_cycle = 0x28;
inline constexpr std::uint64_t kernel_instructions = 0x30;  // read: warp instructions of it that this SM
                                                            // retired
// Read: CTAs that this SM has got and whose end the kernel dispatcher has not heard of. Between two cycles,
// all SMs of a GPU read 0 if and only if no kernel runs.
inline constexpr std::uint64_t ctas = 0x38;
// Size of all registers in bytes.
inline constexpr std::uint64_t size = 0x40;
}  // namespace control_register

// The module of the control port. control_socket may stay unbound: an SM with a fixed threshold needs no
// controller.
class ControlRegisters : public RegisterTarget {
 public:
  PortVector<OutPort<ControlTransfer>> sthld_socket;  // a socket per sub-core

  // Sources of the read-only registers' values.
  struct Readers {
    std::function<std::uint64_t()> instructions_retired, source_operands, cache_read_hits, ctas;
  };
  // `is_read`: a module waits as the threshold says, so that waveforms show the threshold.
  ControlRegisters(const sc_core::sc_module_name& name, unsigned sub_cores, std::uint32_t sthld, bool is_read,
                   Readers readers, const Conductor& conductor);

  // The first CTA of the kernel that began in cycle `start` comes to this SM. All earlier kernels have ended
  // on this SM.
  void begin_kernel(Cycle start);

  std::uint64_t sthld() const { return sthld_; }
  std::vector<Signal> signals() override;

 private:
  void start_of_simulation() override { spread(0); }
  void spread(Cycle stamp);
  std::optional<std::uint64_t> read_register(std::uint64_t offset) override;
  tlm::tlm_response_status write_register(std::uint64_t offset, std::uint64_t value, bool debug) override;

  std::uint64_t sthld_;
  bool is_read_;
  Cycle kernel_cycle_ = never;
  std::uint64_t retired_before_ = 0;  // instructions that this SM retired before the kernel came
  Readers readers_;
  const Conductor& conductor_;
};

}  // namespace subcore
