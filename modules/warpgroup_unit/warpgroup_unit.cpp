#include "subcore/modules/warpgroup_unit/warpgroup_unit.h"

#include <algorithm>
#include <ostream>

#include "subcore/modules/protocol/warp_names.h"

namespace subcore {

WarpgroupUnit::WarpgroupUnit(const sc_core::sc_module_name& name, unsigned warp_slots, unsigned reader,
                             const WarpgroupTiming& timing, OperandCheck& check)
    : TickingModule(name),
      core_socket("core_socket"),
      result_socket("result_socket"),
      product_socket("product_socket"),
      read_socket("read_socket"),
      source_socket("source_socket"),
      written_socket("written_socket"),
      timing_(timing),
      check_(check),
      reader_(static_cast<std::uint8_t>(reader)),
      taken_(warp_slots) {
  core_socket.on_receive<&WarpgroupUnit::finished>(this);
  result_socket.on_credit<&WarpgroupUnit::latch_free>(this);
  product_socket.on_status<&WarpgroupUnit::granted>(this);
  source_socket.on_receive<&WarpgroupUnit::delivered>(this);
  written_socket.on_credit<&WarpgroupUnit::written>(this);
}

// A product leaves the tensor core's latch at once.
void WarpgroupUnit::finished(unsigned, ResultTransfer& t) {
  if (!t.instruction->is_product()) return result_socket.send(t);
  ++count_;
  ProductTransfer come{t.stamp, t.instruction, ProductTransfer::Kind::came};
  product_socket.send(come);
  core_socket.accept_now();
}

void WarpgroupUnit::latch_free(unsigned, ResultTransfer& t) {
  if (!t.instruction->is_product()) core_socket.credit(t);
}

void WarpgroupUnit::granted(unsigned, ProductTransfer& t) {
  events_.put({t.stamp, t.instruction, 0, false});
  wake(t.stamp);
}

void WarpgroupUnit::delivered(unsigned, OperandTransfer& t) {
  check_.check_accumulator(*this, *t.instruction, t.slot, t.version, t.stamp);
  const Cycle send = t.stamp + timing_.accumulator_latency - 2;
  values_.put({send, t.instruction, t.slot});
  wake(send);
}

void WarpgroupUnit::written(unsigned, OperandTransfer& t) {
  events_.put({t.stamp, t.instruction, t.reg, true});
  wake(t.stamp);
}

void WarpgroupUnit::take(const Event& e, Cycle now) {
  if (!e.written) {
    products_.push_back({e.instruction, e.stamp, 0, e.instruction->code->accumulators.count, false, false});
    return;
  }
  taken_[e.instruction->warp_slot].reset(e.reg);
  const auto p = std::find_if(products_.begin(), products_.end(),
                              [&](const Product& x) { return x.instruction == e.instruction; });
  if (--p->unwritten != 0) return;
  complete(*e.instruction, now);
  products_.erase(p);
}

void WarpgroupUnit::complete(Instruction& i, Cycle now) {
  ResultTransfer r{now + 1, &i};
  result_socket.send(r);
}

// Asks for the product's next accumulator. If there is nothing to add to, begins to write the accumulator.
void WarpgroupUnit::ask(Product& p, Cycle now) {
  const Instruction& i = *p.instruction;
  const unsigned n = p.read++;
  const auto r = static_cast<Register>(i.code->accumulators.first + n);
  taken_[i.warp_slot].set(r);
  if (!i.code->accumulators.read) {
    const Cycle send_at = now + timing_.accumulator_latency;
    values_.put({send_at, p.instruction, static_cast<std::uint8_t>(n)});
    return wake(send_at);
  }
  ++reads_;
  OperandTransfer t;
  t.stamp = now + 1;
  t.instruction = p.instruction;
  t.warp_slot = i.warp_slot;
  t.reg = r;
  t.collector = reader_;
  t.slot = static_cast<std::uint8_t>(n);
  t.kind = OperandTransfer::Kind::accumulator;
  read_socket.send(t);
}

// Does the work of a cycle for the product whose accumulators may be read. Returns when the product wants
// another cycle; `never`: nothing to do until a transfer comes.
Cycle WarpgroupUnit::work(Product& p, Cycle now) {
  const StaticInstruction& code = *p.instruction->code;
  if (!p.begun) {
    const Cycle begins = std::max(p.from, core_free_);
    if (begins > now) return begins;
    p.begun = true;
    begun_ = now;
    core_free_ = now + timing_.cycles(code);
    busy_ += timing_.cycles(code);
    ProductTransfer began{now + 1, p.instruction, ProductTransfer::Kind::began};
    product_socket.send(began);
  }
  if (p.read == code.accumulators.count) {
    p.over = true;
    return never;
  }
  const Cycle due = begun_ + timing_.read_at(code, p.read);
  if (due > now) return due;
  // The value of an earlier product must be in the bank first.
  if (taken_[p.instruction->warp_slot][code.accumulators.first + p.read]) return never;
  begun_ += now - due;
  core_free_ += now - due;
  ask(p, now);
  if (p.read != code.accumulators.count) return begun_ + timing_.read_at(code, p.read);
  p.over = true;
  return now + 1;
}

void WarpgroupUnit::send(const Value& v, Cycle now) {
  const Instruction& i = *v.instruction;
  ++writes_;
  OperandTransfer t;
  t.stamp = now + 1;
  t.instruction = v.instruction;
  t.warp_slot = i.warp_slot;
  t.reg = static_cast<Register>(i.code->accumulators.first + v.number);
  t.version = {(*i.accumulated)[v.number], 0, i.register_id(t.reg), 0};
  t.kind = OperandTransfer::Kind::result;
  written_socket.send(t);
}

Cycle WarpgroupUnit::tick(Cycle now) {
  events_.take(now, [&](const Event& e) { take(e, now); });
  values_.take(now, [&](const Value& v) { send(v, now); });
  Cycle next = std::min(events_.next(), values_.next());
  const auto p = std::find_if(products_.begin(), products_.end(), [](const Product& x) { return !x.over; });
  if (p == products_.end()) return next;
  next = std::min(next, work(*p, now));
  if (!p->begun || p->instruction->code->accumulators.count != 0) return next;
  complete(*p->instruction, now);  // a trace without registers has nothing to write
  products_.erase(p);
  return products_.empty() ? next : now + 1;
}

void WarpgroupUnit::report_waiting(std::ostream& out) const {
  for (const Product& p : products_)
    out << name() << ": pc 0x" << std::hex << p.instruction->code->pc << std::dec << ", "
        << warp_name(*p.instruction) << ": " << p.unwritten << " accumulators to be written\n";
}

}  // namespace subcore
