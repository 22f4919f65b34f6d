// LaunchRegisters: the GPU's port for a host. The host launches kernels at run time, hears of their ends by
// an interrupt, and reads what the kernels have cost. The kernels are entries of a list that the GPU was
// given before (KernelDispatcher::load()).
#pragma once

#include <functional>

#include "subcore/modules/conductor/conductor.h"
#include "subcore/modules/control_registers/control_target.h"
#include "subcore/modules/protocol/payload_event_queue.h"
#include "subcore/modules/protocol/payloads.h"

namespace subcore {

// Byte offsets of the registers.
namespace launch_register {
inline constexpr std::uint64_t kernels = 0x00;  // read: entries of the kernel list
// Read and write: the entry that is launched next, from 0. An entry that does not exist gets
// TLM_ADDRESS_ERROR_RESPONSE.
inline constexpr std::uint64_t kernel = 0x08;
// Write of any value: launches that entry, as soon as all kernels that were launched before have ended. With
// an empty list the response is TLM_ADDRESS_ERROR_RESPONSE, by the debug transport
// TLM_COMMAND_ERROR_RESPONSE.
inline constexpr std::uint64_t doorbell = 0x10;
inline constexpr std::uint64_t launched = 0x18;  // read: how many kernels have been launched
inline constexpr std::uint64_t finished = 0x20;  // read: how many of these kernels have ended
inline constexpr std::uint64_t status = 0x28;    // read: bits of launch_status
// Read: bits of launch_interrupt. Write: clears the bits that are 1.
inline constexpr std::uint64_t interrupt_status = 0x30;
// Read and write: the bits that raise the interrupt, none at first. A bit that does not exist gets
// TLM_COMMAND_ERROR_RESPONSE.
inline constexpr std::uint64_t interrupt_enable = 0x38;
// Read: the cycle in which the last kernel that ended has ended.
inline constexpr std::uint64_t finish_cycle = 0x40;
// Read: counts of the whole GPU since time 0. For one kernel, a host reads before and after.
inline constexpr std::uint64_t cycle = 0x48;
inline constexpr std::uint64_t instructions_retired = 0x50;  // warp instructions
inline constexpr std::uint64_t source_operands = 0x58;       // operands looked for in collectors
inline constexpr std::uint64_t cache_read_hits = 0x60;       // source operands found there
// Energy in fJ, rounded. Without energy_from() no energy is counted: TLM_COMMAND_ERROR_RESPONSE.
inline constexpr std::uint64_t energy = 0x68;
// Size of all registers in bytes.
inline constexpr std::uint64_t size = 0x70;
}  // namespace launch_register

namespace launch_status {
inline constexpr std::uint64_t busy = 1;  // a kernel that was launched has not ended
// Something is under way in the GPU. When the last kernel has ended, write-backs that no instruction waits
// for may still be under way; their energy is still to come.
inline constexpr std::uint64_t under_way = 2;
// The model has reported an error and does nothing more. A launch then gets TLM_GENERIC_ERROR_RESPONSE.
inline constexpr std::uint64_t failed = 4;
}  // namespace launch_status

namespace launch_interrupt {
// A kernel that was launched has ended.
inline constexpr std::uint64_t kernel_ended = 1;
inline constexpr std::uint64_t all_ended = 2;  // every kernel that was launched has ended
// All bits that have a meaning.
inline constexpr std::uint64_t all = kernel_ended | all_ended;
}  // namespace launch_interrupt

// The module of the host's port. control_socket may stay unbound: then there is no host.
class LaunchRegisters : public RegisterTarget {
 public:
  OutPort<KernelTransfer> launch_socket;
  // Interrupt, for an sc_signal<bool>. The signal is high while a bit is set in both interrupt_status and
  // interrupt_enable. May stay unbound. A host that the interrupt wakes reads values of the cycle after the
  // kernel's last one.
  sc_core::sc_port<sc_core::sc_signal_inout_if<bool>, 0, sc_core::SC_ZERO_OR_MORE_BOUND> interrupt;

  // Sources of the read-only registers' values.
  struct Readers {
    std::function<std::uint64_t()> kernels, instructions_retired, source_operands, cache_read_hits;
    std::function<bool()> under_way;
  };
  LaunchRegisters(const sc_core::sc_module_name& name, Readers readers, const Conductor& conductor);

  // Sets the source of the energy register: a function that returns the energy counted so far, in pJ.
  void energy_from(std::function<double()> picojoules) { energy_ = std::move(picojoules); }

  std::vector<Signal> signals() override;
  bool drained() const override { return launched_ == finished_; }
  void report_waiting(std::ostream& out) const override;

 private:
  std::optional<std::uint64_t> read_register(std::uint64_t offset) override;
  tlm::tlm_response_status write_register(std::uint64_t offset, std::uint64_t value, bool debug) override;
  void ring();
  void kernel_ended(unsigned, KernelTransfer& t);
  void await_next();
  void update();

  Readers readers_;
  std::function<double()> energy_;
  const Conductor& conductor_;
  std::uint64_t kernel_ = 0, launched_ = 0, finished_ = 0, finish_cycle_ = 0;
  std::uint64_t interrupt_status_ = 0, interrupt_enable_ = 0;
  PayloadEventQueue<KernelTransfer> ended_;
  sc_core::sc_event changed_;
  MethodProcess process_;  // alone writes the interrupt, as signals demand
};

}  // namespace subcore
