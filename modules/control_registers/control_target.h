// ControlTarget: the target's end of a control path with 64-bit registers. A ControlTarget is a TLM-2.0
// base-protocol target and may stay unbound. The target waits for an annotated delay: the access sees and
// changes what is there after the delay.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstring>
#include <functional>
#include <optional>

#include "subcore/modules/conductor/method_process.h"
#include "subcore/modules/control_registers/control_port.h"
#include "subcore/modules/memory/at_target.h"
#include "subcore/modules/protocol/module.h"

namespace subcore {

class ControlTarget : public TargetSocket<Binding::optional>, protected tlm::tlm_fw_transport_if<> {
 public:
  // Makes the access and sets the response status. `debug`: through the debug transport.
  using Access = std::function<void(Payload&, bool debug)>;

  // A member of its module.
  ControlTarget(const char* name, Access access)
      : TargetSocket(name, *this),
        access_(std::move(access)),
        due_("due"),
        process_("answer", due_, [this] { answer(); }) {}

 private:
  using Initiator = AtTarget<TargetSocket<Binding::optional>>;

  void access(Payload& t, bool debug = false) {
    t.set_dmi_allowed(false);
    access_(t, debug);
  }
  void b_transport(Payload& t, sc_core::sc_time& delay) override {
    if (synchronise(this->name(), t, delay)) access(t);
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    const bool at_once = delay == sc_core::SC_ZERO_TIME;
    const auto begin = [&] {
      if (at_once) return Initiator::Answer::completed;
      due_.notify(delay);
      return Initiator::Answer::waiting;
    };
    const auto ended = [&] {
      if (held_) due_.notify(delay);
    };
    tlm::tlm_sync_enum answer;
    try {
      answer = initiator_.called(t, phase, 0, begin, ended);
    } catch (const Failure&) {
      t.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      return tlm::TLM_COMPLETED;
    } catch (const sc_core::sc_report&) {
      t.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      throw;
    }
    if (at_once && phase == tlm::BEGIN_REQ) access(t);
    return answer;
  }
  void answer() {
    held_ = initiator_.responding();
    if (held_) return;
    access(*initiator_.request());
    initiator_.respond(*initiator_.request());
  }
  bool get_direct_mem_ptr(Payload& t, tlm::tlm_dmi& dmi) override { return refuse_direct_memory(t, dmi); }
  unsigned transport_dbg(Payload& t) override {
    access(t, true);
    return t.is_response_ok() ? t.get_data_length() : 0;
  }

  Access access_;
  // A request that came through nb_transport_fw with a delay waits for its moment. The response ends the
  // request.
  Initiator initiator_{*this};
  bool held_ = false;  // the request is due, but the response before has not ended
  sc_core::sc_event due_;
  MethodProcess process_;
};

// A module with registers that others read and write, at 0, 8, ..., little endian. An access is of a whole
// register (8 bytes, aligned). Wrong accesses change nothing and get these responses:
// * an unknown offset: TLM_ADDRESS_ERROR_RESPONSE
// * another size or streaming width: TLM_BURST_ERROR_RESPONSE
// * byte enables: TLM_BYTE_ENABLE_ERROR_RESPONSE
// * a command that the register does not take: TLM_COMMAND_ERROR_RESPONSE
class RegisterTarget : public Module {
 public:
  // Socket of the controller; may stay unbound.
  ControlTarget control_socket;

 protected:
  // `size`: of all registers, in bytes.
  RegisterTarget(const sc_core::sc_module_name& name, std::uint64_t size)
      : Module(name),
        control_socket("control_socket", [this](Payload& t, bool debug) { access(t, debug); }),
        size_(size) {}

  // Returns the value of the register at `offset`; nothing if the register cannot be read.
  virtual std::optional<std::uint64_t> read_register(std::uint64_t offset) = 0;
  // Writes `value` into the register at `offset` and returns the response. `debug`: the access came through
  // the debug transport.
  virtual tlm::tlm_response_status write_register(std::uint64_t offset, std::uint64_t value, bool debug) = 0;

 private:
  void access(Payload& t, bool debug) {
    t.set_response_status(register_access(t, size_, debug));
    if (t.is_response_error()) return;
    if (t.is_write()) {
      std::uint64_t value = 0;
      std::memcpy(&value, t.get_data_ptr(), 8);
      t.set_response_status(write_register(t.get_address(), value, debug));
    } else if (t.is_read()) {
      const std::optional<std::uint64_t> value = read_register(t.get_address());
      if (!value) return t.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
      std::memcpy(t.get_data_ptr(), &*value, 8);
    }
  }

  std::uint64_t size_;
};

}  // namespace subcore
