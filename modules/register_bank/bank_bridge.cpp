#include "subcore/modules/register_bank/bank_bridge.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <sstream>

#include "subcore/modules/protocol/report_ids.h"
#include "subcore/modules/protocol/warp_names.h"

namespace subcore {
namespace {

using OperandWords = std::array<std::uint32_t, BankBridge::operand_bytes / sizeof(std::uint32_t)>;

std::size_t index_of(const OperandTransfer& t) {
  return std::size_t{t.warp_slot} * BankBridge::registers_per_warp + t.reg;
}

std::uint64_t address_of(const OperandTransfer& t) {
  return std::uint64_t{index_of(t)} * BankBridge::operand_bytes;
}

void put(const Version& v, OperandWords& words) {
  const std::array<std::uint32_t, 4> version{v.write, v.lost, v.place, v.missing};
  for (std::size_t n = 0; n < words.size(); ++n) words[n] = version[n % version.size()];
}

}  // namespace

class BankBridge::Transaction : public tlm::tlm_generic_payload {
 public:
  explicit Transaction(tlm::tlm_mm_interface* pool) : tlm_generic_payload(pool) {
    set_data_ptr(reinterpret_cast<unsigned char*>(words.data()));
  }
  void recycle() { reset(); }
  OperandTransfer operand;
  OperandWords words{};
};

BankBridge::BankBridge(const sc_core::sc_module_name& name, const Conductor& conductor)
    : TickingModule(name),
      bank_socket("bank_socket"),
      data_socket("data_socket"),
      memory_socket("memory_socket", *this),
      target_(memory_socket, conductor, EndResponse::completed, nullptr,
              [this](std::ostream& out, const Payload& t) {
                pool_.for_each_in_use([&](const Transaction& own) {
                  if (&own != &t) return;
                  out << " (R" << unsigned{own.operand.reg} << " of " << slot_name(own.operand.warp_slot)
                      << ')';
                });
              }) {
  bank_socket.on_receive<&BankBridge::access>(this);
}

BankBridge::~BankBridge() = default;  // here, because only this file knows Transaction

// A transfer was granted in the cycle before its stamp.
void BankBridge::access(unsigned, OperandTransfer& t) {
  const Cycle now = t.stamp - 1;
  ++(t.writes() ? writes_ : reads_);
  if (t.writes()) {
    const std::size_t index = index_of(t);
    if (index >= written_.size()) written_.resize(index + registers_per_warp);
    Version& v = written_[index];
    v = t.kind == OperandTransfer::Kind::partial_result
            ? merged(v, t.version, t.instruction->mask, t.instruction->place())
            : t.version;
    t.version = v;
  }
  if (queue_.empty() && may_send(t, now)) {
    send(t, now);
    return;
  }
  queue_.push_back(t);
  wake(t.stamp);
}

bool BankBridge::may_send(const OperandTransfer& t, Cycle now) {
  if (!target_.ready(now)) return false;
  busy_.erase(std::remove_if(busy_.begin(), busy_.end(), [&](const Busy& b) { return b.until <= now; }),
              busy_.end());
  return blocked_until(t) == 0;
}

// Until when an earlier transfer of the same register blocks this one; 0: no transfer does; `never`: until
// its answer.
Cycle BankBridge::blocked_until(const OperandTransfer& t) const {
  const std::uint64_t address = address_of(t);
  Cycle until = 0;
  for (const Busy& b : busy_) {
    if (b.address == address && (b.write || t.writes())) until = std::max(until, b.until);
  }
  return until;
}

Cycle BankBridge::tick(Cycle now) {
  while (!queue_.empty() && may_send(queue_.front(), now)) {
    const OperandTransfer t = queue_.front();
    queue_.pop_front();
    send(t, now);
  }
  if (queue_.empty()) return never;
  if (!target_.ready(now)) return target_.ready_at(now);
  return std::max(now + 1, blocked_until(queue_.front()));  // `never`: an answer will wake this module
}

void BankBridge::send(const OperandTransfer& operand, Cycle now) {
  Transaction& t = pool_.acquire(operand.writes() ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                 address_of(operand), operand_bytes);
  t.operand = operand;
  if (operand.writes())
    put(operand.version, t.words);
  else
    t.words.fill(~0u);
  busy_.push_back({t.get_address(), operand.writes(), never});
  ++under_way_;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const AtInitiator::Progress progress = target_.begin(t, delay, now);
  if (progress == AtInitiator::Progress::none || progress == AtInitiator::Progress::request_ended) return;
  // A response that begins only `delay` from now cannot end earlier.
  if (progress == AtInitiator::Progress::response) target_.end(t, delay);
  answered(t, now + std::max<Cycle>(1, target_.whole_cycles(delay)));
}

tlm::tlm_sync_enum BankBridge::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
  return target_.called(payload, phase, delay, false, [&](bool, bool response, Cycle at) {
    if (!queue_.empty()) wake(at);
    if (response) answered(static_cast<Transaction&>(payload), at);
    return true;
  });
}

void BankBridge::answered(Transaction& t, Cycle at) {
  target_.check(t);
  OperandTransfer operand = t.operand;
  const Version version{t.words[0], t.words[1], t.words[2], t.words[3]};
  OperandWords whole;
  put(version, whole);
  if (t.words != whole) {
    std::ostringstream text;
    text << name() << ": the memory answered with lanes of different writes to a " << request_text(t) << " (R"
         << unsigned{operand.reg} << " of " << slot_name(operand.warp_slot) << ")";
    fail(report_id::memory_response, text.str());
  }
  const auto busy = std::find_if(busy_.begin(), busy_.end(), [&](const Busy& b) {
    return b.until == never && b.address == t.get_address() && b.write == operand.writes();
  });
  if (busy != busy_.end()) busy->until = at;
  operand.version = version;
  --under_way_;
  t.release();
  if (operand.writes()) return;
  operand.kind = OperandTransfer::Kind::operand;
  operand.stamp = at;
  data_socket.send(operand);
}

void BankBridge::report_waiting(std::ostream& out) const {
  if (drained()) return;
  out << name() << ": " << under_way_ << " transfers wait for the memory's response, " << queue_.size()
      << " are not sent\n";
  target_.report_requests(out, name());
}

}  // namespace subcore
