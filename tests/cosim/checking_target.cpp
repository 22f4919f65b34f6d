#include "tests/cosim/checking_target.h"

#include <cstring>
#include <sstream>

namespace subcore::test {

using sc_core::sc_time;
using sc_core::sc_time_stamp;
using sc_core::SC_ZERO_TIME;

CheckingTarget::CheckingTarget(const sc_core::sc_module_name& name, const Rules& rules)
    : sc_module(name),
      socket("socket"),
      socket_64("socket_64"),
      socket_128("socket_128"),
      rules_(rules),
      random_(rules.seed) {
  SC_HAS_PROCESS(CheckingTarget);
  auto& own = *static_cast<tlm::tlm_fw_transport_if<>*>(this);
  socket.bind(own);
  socket_64.bind(own);
  socket_128.bind(own);
  SC_METHOD(act);
  sensitive << event_;
  dont_initialize();
}

void CheckingTarget::violation(const std::string& text) {
  std::ostringstream line;
  line << sc_time_stamp() << ": " << text;
  violations.push_back(line.str());
}

CheckingTarget::Attributes CheckingTarget::attributes(const Payload& t) {
  const auto* enables = reinterpret_cast<const char*>(t.get_byte_enable_ptr());
  return {t.get_command(),
          t.get_address(),
          t.get_data_ptr(),
          t.get_byte_enable_ptr(),
          t.get_data_length(),
          t.get_streaming_width(),
          t.get_byte_enable_length(),
          enables == nullptr ? std::string() : std::string(enables, t.get_byte_enable_length())};
}

sc_time CheckingTarget::draw_delay() {
  switch (draw(3)) {
    case 0:
      return SC_ZERO_TIME;
    case 1:
      return draw(static_cast<unsigned>(rules_.slow) + 1) * rules_.cycle;
    default:
      return draw(static_cast<unsigned>(rules_.slow) * 10) * 0.1 * rules_.cycle;
  }
}

void CheckingTarget::later(const sc_time& delay, std::function<void()> action) {
  sc_time at = sc_time_stamp() + delay;
  if (rules_.off_edge) {
    const auto cycle = rules_.cycle.value();
    at = sc_time::from_value(at.value() / cycle * cycle + cycle / 2);
    if (at <= sc_time_stamp()) at += rules_.cycle;
  }
  agenda_.emplace(at, std::move(action));
  event_.notify(agenda_.begin()->first - sc_time_stamp());
}

void CheckingTarget::act() {
  while (!agenda_.empty() && agenda_.begin()->first <= sc_time_stamp()) {
    const std::function<void()> action = std::move(agenda_.begin()->second);
    agenda_.erase(agenda_.begin());
    action();
  }
  if (!agenda_.empty()) event_.notify(agenda_.begin()->first - sc_time_stamp());
}

tlm::tlm_sync_enum CheckingTarget::nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) return begin_request(t, phase, delay);
  if (phase != tlm::END_RESP) {
    violation("a phase forward that is neither BEGIN_REQ nor END_RESP");
    return tlm::TLM_ACCEPTED;
  }
  end_response(t, delay);
  return draw(2) == 0 ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

// Checks that byte enables come with writes of some bytes of each sector, but not of all bytes of all
// sectors.
void CheckingTarget::check_byte_enables(const Payload& t) {
  if (t.get_byte_enable_ptr() == nullptr) {
    if (t.get_byte_enable_length() != 0) violation("a byte enable length without byte enables");
    return;
  }
  ++seen["byte enables"];
  if (!t.is_write()) violation("byte enables on a read");
  if (t.get_byte_enable_length() != t.get_data_length()) {
    violation("byte enables of another length than the data");
    return;
  }
  unsigned enabled = 0, in_sector = 0;
  for (unsigned b = 0; b < t.get_data_length(); ++b) {
    const unsigned char e = t.get_byte_enable_ptr()[b];
    if (e != TLM_BYTE_ENABLED && e != TLM_BYTE_DISABLED) violation("a byte enable other than 0 and 0xff");
    in_sector += e == TLM_BYTE_ENABLED ? 1 : 0;
    if ((b + 1) % rules_.sector != 0) continue;
    if (in_sector == 0) violation("a sector of which no byte is enabled");
    enabled += in_sector;
    in_sector = 0;
  }
  if (enabled == t.get_data_length()) violation("byte enables that enable everything");
}

void CheckingTarget::check_request(const Payload& t, const sc_time& delay) {
  if (request_ != nullptr) violation("BEGIN_REQ before the END_REQ of the request before");
  if (sc_time_stamp() + delay < request_free_) violation("BEGIN_REQ before the time annotated to END_REQ");
  if (live_.count(const_cast<Payload*>(&t)) != 0) violation("a payload sent that is still under way");
  if (kept_.count(const_cast<Payload*>(&t)) != 0)
    violation("a payload sent that its target has not released");
  if (!t.has_mm()) violation("a payload without memory manager");
  if (t.get_ref_count() < 1) violation("a payload that nobody holds");
  if (t.get_command() == tlm::TLM_IGNORE_COMMAND) violation("no command");
  if (t.get_data_ptr() == nullptr || t.get_data_length() == 0) violation("no data");
  if (t.get_streaming_width() < t.get_data_length()) violation("a streaming width below the length");
  check_byte_enables(t);
  if (t.get_address() % rules_.sector != 0 || t.get_data_length() % rules_.sector != 0)
    violation("not on sector borders");
  if (t.get_address() / rules_.line != (t.get_address() + t.get_data_length() - 1) / rules_.line)
    violation("across a line");
  if (t.is_dmi_allowed()) violation("the DMI hint set");
  if (t.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    violation("a response status before the response");
}

tlm::tlm_sync_enum CheckingTarget::begin_request(Payload& t, tlm::tlm_phase& phase, sc_time& delay) {
  check_request(t, delay);
  ++requests;
  t.acquire();
  live_[&t] = {attributes(t), requests};
  request_ = &t;
  unsigned variant = draw(6);
  // Responses go one at a time: while one is under way, this one cannot begin on the return path.
  if (variant == 2 && response_ != nullptr) variant = 1;
  switch (variant) {
    case 0: {
      ++seen["early completion"];
      delay += draw_delay();
      request_ = nullptr;
      execute(t);
      finish(t);
      return tlm::TLM_COMPLETED;
    }
    case 1:
      ++seen["END_REQ returned"];
      request_ = nullptr;
      live_[&t].request_ended = true;
      delay += draw(2) == 0 ? SC_ZERO_TIME : draw_delay();
      request_free_ = sc_time_stamp() + delay;
      later(delay + draw_delay(), [this, &t] { ready(t); });
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    case 2:
      ++seen["BEGIN_RESP returned"];
      request_ = nullptr;
      live_[&t].request_ended = true;
      delay += draw_delay();
      response_ = &t;
      response_begin_ = sc_time_stamp() + delay;
      execute(t);
      live_[&t].responded = true;
      phase = tlm::BEGIN_RESP;
      return tlm::TLM_UPDATED;
    case 3:
      ++seen["END_REQ called later"];
      later(draw_delay(), [this, &t] {
        send_end_request(t);
        later(draw_delay(), [this, &t] { ready(t); });
      });
      return tlm::TLM_ACCEPTED;
    case 4:
      ++seen["BEGIN_RESP implies END_REQ"];
      later(draw_delay(), [this, &t] { ready(t); });
      return tlm::TLM_ACCEPTED;
    default:
      ++seen["END_REQ called within BEGIN_REQ"];
      send_end_request(t);
      later(draw_delay(), [this, &t] { ready(t); });
      return tlm::TLM_ACCEPTED;
  }
}

void CheckingTarget::send_end_request(Payload& t) {
  check_unchanged(t);
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_time delay = draw(2) == 0 ? SC_ZERO_TIME : draw_delay();
  request_ = nullptr;
  request_free_ = sc_time_stamp() + delay;
  live_[&t].request_ended = true;
  if (backward(t, phase, delay) != tlm::TLM_ACCEPTED)
    violation("an answer to END_REQ other than TLM_ACCEPTED");
}

void CheckingTarget::ready(Payload& t) {
  ready_.push_back(&t);
  respond();
}

// Begins the response of a ready request, in any order.
void CheckingTarget::respond() {
  if (response_ != nullptr || ready_.empty()) return;
  const unsigned n = draw(static_cast<unsigned>(ready_.size()));
  Payload& t = *ready_[n];
  for (const auto& [other, l] : live_) {
    if (l.number < live_[&t].number) {
      ++seen["out of order"];
      break;
    }
  }
  ready_.erase(ready_.begin() + n);
  check_unchanged(t);
  if (request_ == &t) request_ = nullptr;
  execute(t);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_time delay = draw_delay();
  response_ = &t;
  response_begin_ = sc_time_stamp() + delay;
  if (!live_[&t].request_ended) request_free_ = response_begin_;
  live_[&t].responded = true;
  const tlm::tlm_sync_enum answer = backward(t, phase, delay);
  if (answer == tlm::TLM_ACCEPTED) {
    ++seen["END_RESP called"];
    return;
  }
  if (rules_.wants_end_response) violation("BEGIN_RESP answered without END_RESP");
  if (answer == tlm::TLM_UPDATED && phase != tlm::END_RESP) violation("a strange phase after BEGIN_RESP");
  ++seen["END_RESP implied"];
  response_ = nullptr;
  finish(t);
  later(draw_delay(), [this] { respond(); });
}

void CheckingTarget::end_response(Payload& t, const sc_time& delay) {
  if (response_ != &t) {
    violation("END_RESP without a response under way");
    return;
  }
  if (sc_time_stamp() + delay < response_begin_)
    violation("END_RESP before the time annotated to BEGIN_RESP");
  response_ = nullptr;
  finish(t);
  if (draw(2) == 0 && delay == SC_ZERO_TIME && !ready_.empty()) {
    ++seen["BEGIN_RESP called within END_RESP"];
    respond();
  }
  later(delay, [this] { respond(); });
}

// Moves the data as late as the protocol allows: when the response begins.
void CheckingTarget::execute(Payload& t) {
  auto& line = bytes_[t.get_address() / 128];
  unsigned char* at = line.data() + t.get_address() % 128;
  if (t.is_read()) {
    std::memcpy(t.get_data_ptr(), at, t.get_data_length());
  } else {
    for (unsigned b = 0; b < t.get_data_length(); ++b) {
      const unsigned char* enables = t.get_byte_enable_ptr();
      if (enables != nullptr && enables[b % t.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
      at[b] = t.get_data_ptr()[b];
      ++written[t.get_address() + b];
    }
  }
  t.set_response_status(tlm::TLM_OK_RESPONSE);
  t.set_dmi_allowed(true);  // a hint, and only for this transaction
}

// A debug access lies within a line, as requests do.
unsigned CheckingTarget::transport_dbg(Payload& t) {
  auto& line = bytes_[t.get_address() / 128];
  unsigned char* at = line.data() + t.get_address() % 128;
  std::memcpy(t.is_read() ? t.get_data_ptr() : at, t.is_read() ? at : t.get_data_ptr(), t.get_data_length());
  return t.get_data_length();
}

void CheckingTarget::finish(Payload& t) {
  check_unchanged(t);
  ++responses;
  const Attributes a = live_[&t].sent;
  live_.erase(&t);
  // A target may hold a payload beyond its transaction. The payload must then stay unchanged.
  if (draw(4) == 0) {
    ++seen["payload kept"];
    kept_[&t] = a;
    if (kept_.size() > 5) release_kept();
  } else {
    t.release();
  }
}

void CheckingTarget::release_kept() {
  const auto kept = std::move(kept_);
  kept_.clear();
  for (const auto& [t, a] : kept) {
    Attributes now = attributes(*t);
    if (rules_.behind_router) now.address = a.address;
    if (!(now == a)) violation("a payload changed that its target has not released");
    t->release();
  }
}

void CheckingTarget::check_unchanged(const Payload& t) {
  const Live& live = live_[const_cast<Payload*>(&t)];
  Attributes now = attributes(t);
  if (rules_.behind_router && live.responded) now.address = live.sent.address;
  if (!(now == live.sent)) violation("a payload changed under way");
}

tlm::tlm_sync_enum CheckingTarget::backward(Payload& t, tlm::tlm_phase& phase, sc_time& delay) {
  if (rules_.bus_width == 64) return socket_64->nb_transport_bw(t, phase, delay);
  if (rules_.bus_width == 128) return socket_128->nb_transport_bw(t, phase, delay);
  return socket->nb_transport_bw(t, phase, delay);
}

}  // namespace subcore::test
