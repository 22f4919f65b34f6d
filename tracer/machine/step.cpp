#include "subcore/tracer/machine/step.h"

#include <algorithm>

#include "subcore/tracer/machine/decoder.h"

namespace subcore::tracer {

Step::Step(Cta& cta, Warp& warp, std::size_t path, const Instruction& instruction)
    : cta_(cta),
      warp_(warp),
      path_(path),
      i_(instruction),
      is_uniform_(instruction.row->has(is_uniform) && !instruction.row->has(vector_guard)),
      path_lanes_(warp.paths[path].lanes) {
  guarded_ = path_lanes_ & lanes_of(i_.guard);
  lanes_ = !is_uniform_ ? guarded_ : guarded_ != 0 ? 1 : 0;
}

Lanes Step::lanes_of(const Condition& c) const {
  const Lanes value = c.uniform ? warp_.uniform_predicates[c.number] : warp_.predicates[c.number];
  return c.negated ? ~value : value;
}

Values Step::values(const Operand& o, Signs signs) const {
  Values result;
  switch (o.kind) {
    case Operand::Kind::vector:
      result = warp_.registers[o.number];
      break;
    case Operand::Kind::uniform:
      result.fill(uniform(o.number));
      break;
    case Operand::Kind::immediate:
      result.fill(o.value);
      break;
    case Operand::Kind::constant: {
      Word word;
      read_constant(o.bank, o.value, sizeof word, &word);
      result.fill(word);
      break;
    }
    default:
      result.fill(0);
      break;
  }
  if (signs == Signs::none || !(o.negated || o.absolute || o.inverted)) return result;
  for (Word& value : result) {
    if (signs == Signs::integer) {
      value = o.inverted ? ~value : o.negated ? 0 - value : value;
    } else {
      if (o.absolute) value &= 0x7fffffff;
      if (o.negated) value ^= 0x80000000;
    }
  }
  return result;
}

WideValues Step::wide_values(const Operand& o, Signs signs) const {
  WideValues result;
  switch (o.kind) {
    case Operand::Kind::vector:
      for (unsigned lane = 0; lane < lanes_of_warp; ++lane) result[lane] = vector_pair(o.number, lane);
      break;
    case Operand::Kind::uniform:
      result.fill(uniform_pair(o.number));
      break;
    case Operand::Kind::immediate:
      result.fill(signs == Signs::real ? static_cast<Wide>(o.value) << 32 : o.value);
      break;
    case Operand::Kind::constant: {
      Wide value;
      read_constant(o.bank, o.value, sizeof value, &value);
      result.fill(value);
      break;
    }
    default:
      result.fill(0);
      break;
  }
  for (Wide& value : result) {
    if (signs == Signs::integer) {
      value = o.inverted ? ~value : o.negated ? 0 - value : value;
    } else {
      if (o.absolute) value &= ~(Wide{1} << 63);
      if (o.negated) value ^= Wide{1} << 63;
    }
  }
  return result;
}

Word Step::special_register(unsigned number, unsigned lane) const {
  const Dimensions block = cta_.launch_.block, place = cta_.place_;
  const Word thread = warp_.number * lanes_of_warp + lane;
  const Word x = thread % block.x, y = thread / block.x % block.y, z = thread / (block.x * block.y);
  switch (number) {
    case 0x00:
      return lane;
    case 0x20:
      return x | y << 16 | z << 26;
    case 0x21:
      return x;
    case 0x22:
      return y;
    case 0x23:
      return z;
    case 0x25:
      return place.x;
    case 0x26:
      return place.y;
    case 0x27:
      return place.z;
    case 0x2f:  // the upper word of the shared window's address
      return high_word(shared_window);
    case 0x38:
      return bits::one<Lanes>(lane);
    case 0x39:
      return bits::below<Lanes>(lane);
    case 0x3a:
      return bits::first<Lanes>(lane + 1);
    case 0x3b:
      return ~bits::first<Lanes>(lane + 1);
    case 0x3c:
      return ~bits::below<Lanes>(lane);
    // There is no time here, so clocks count the device's warp instructions.
    case 0x50:
    case 0x52:
      return low_word(cta_.launch_.executed_before + cta_.warp_instructions_);
    case 0x51:
    case 0x53:
      return high_word(cta_.launch_.executed_before + cta_.warp_instructions_);
    case 0x03:  // VIRTID, VIRTUALSMID, the rank in a cluster of one CTA, SRZ
    case 0x43:
    case 0x88:
    case 0xff:
      return 0;
    default:
      fail(i_.text + " reads special register " + hex_text(number) + ", which is not known");
  }
}

void Step::read_constant(unsigned bank, std::uint32_t offset, unsigned bytes, void* to) const {
  const Launch& launch = cta_.launch_;
  const std::vector<std::uint8_t>* data = bank == 0   ? &launch.constants
                                          : bank == 2 ? &launch.kernel->immediates
                                          : bank == 3 ? launch.user_constants
                                          : bank == 4 ? launch.addresses
                                                      : nullptr;
  if (data == nullptr || offset > data->size() || bytes > data->size() - offset)
    fail("constant c[" + hex_text(bank) + "][" + hex_text(offset) + "] does not exist");
  std::copy_n(data->data() + offset, bytes, static_cast<std::uint8_t*>(to));
}

void Step::write(unsigned lane, Word value, unsigned n) {
  if (is_uniform_) {
    uniform_result_[n] = value;
    return;
  }
  const unsigned number = i_.destination + n;
  if (number < zero_register) warp_.registers[number][lane] = value;
}

void Step::finish() {
  if (!is_uniform_ || lanes_ == 0 || i_.destination_width == 0 || i_.destination == zero_uniform) return;
  for (unsigned n = 0; n < i_.destination_width && i_.destination + n < zero_uniform; ++n)
    warp_.uniforms[i_.destination + n] = uniform_result_[n];
}

void Step::write_predicate(unsigned n, Lanes value) {
  const unsigned number = i_.predicates[n];
  if (number == true_predicate) return;
  if (i_.row->has(is_uniform)) {
    if (lanes_ != 0) warp_.uniform_predicates[number] = (value & 1) != 0 ? all_lanes : 0;
  } else {
    Lanes& predicate = warp_.predicates[number];
    predicate = (predicate & ~lanes_) | (value & lanes_);
  }
}

void Step::compute_addresses(Lanes of) {
  const Address& a = i_.address;
  const bool is_wide_space = a.space == Space::global || a.space == Space::generic;
  std::uint64_t added = 0;
  if (a.has_uniform && !a.is_descriptor) added = is_wide_space ? uniform_pair(a.uniform) : uniform(a.uniform);
  for (const unsigned lane : bits::each(of)) {
    std::uint64_t address = vector(a.base, lane);
    if (is_wide_space && a.is_wide) address = vector_pair(a.base, lane);
    if (a.scale != 0) address <<= a.scale + 1;
    address += added + static_cast<std::uint64_t>(a.offset);
    addresses_[lane] = is_wide_space ? address : low_word(address);
  }
  accesses_memory_ = true;
}

std::pair<Space, std::uint64_t> Step::place_of(std::uint64_t address) const {
  if (i_.address.space != Space::generic) return {i_.address.space, address};
  if (address - shared_window < window_bytes) return {Space::shared, address - shared_window};
  if (address - local_window < window_bytes) return {Space::local, address - local_window};
  return {Space::global, address};
}

std::uint8_t* Step::bytes_at(std::uint64_t address, unsigned bytes, unsigned lane) {
  const auto where = [&] {
    return "lane " + std::to_string(lane) + ": " + std::to_string(bytes) + " bytes at ";
  };
  if ((address & (bytes - 1)) != 0)
    fail(where() + hex_text(static_cast<std::int64_t>(address)) +
         "; expected an address that is a multiple of the size");
  const auto [space, offset] = place_of(address);
  std::uint8_t* const found = space == Space::shared  ? cta_.shared_bytes(offset, bytes)
                              : space == Space::local ? Cta::local_bytes(warp_, lane, offset, bytes)
                                                      : cta_.memory_.find(address, bytes);
  if (found != nullptr) return found;
  const std::string at = where() + hex_text(static_cast<std::int64_t>(offset));
  if (space == Space::shared)
    fail(at + " of shared memory, but a CTA has " + std::to_string(cta_.shared_.size()) + " bytes");
  if (space == Space::local)
    fail(at + " of local memory, but a thread has " + std::to_string(warp_.local.size() / lanes_of_warp) +
         " bytes");
  fail(at + ", which is outside every allocation");
}

void Step::check_copy(const PendingCopy& copy, unsigned lane) const {
  const auto refuse = [&](const std::string& what) {
    fail("lane " + std::to_string(lane) + ": an asynchronous copy of " + std::to_string(copy.bytes) +
         " bytes from " + hex_text(static_cast<std::int64_t>(copy.from)) + " to " + hex_text(copy.to) + what);
  };
  if (copy.from % copy.bytes != 0 || copy.to % copy.bytes != 0)
    refuse("; expected addresses that are multiples of the size");
  if (copy.to + copy.bytes > cta_.shared_.size())
    refuse(" of shared memory, but a CTA has " + std::to_string(cta_.shared_.size()) + " bytes");
  if (!copy.is_zero && cta_.memory_.find(copy.from, copy.bytes) == nullptr)
    refuse(", whose source is outside every allocation");
}

void Step::copy(const PendingCopy& copy) {
  if (cta_.copy_time_ == CopyTime::issue)
    cta_.take_effect(warp_, copy);
  else
    warp_.copies.push_back(copy);
}

void Step::end_copy_group() {
  warp_.copy_groups.push_back({i_.write_barrier, std::move(warp_.copies)});
  warp_.copies.clear();
}

void Step::wait_for_copies(unsigned scoreboard, unsigned left_open) {
  std::size_t open = 0;
  for (const CopyGroup& group : warp_.copy_groups) open += group.scoreboard == scoreboard;
  std::vector<CopyGroup> left;
  for (CopyGroup& group : warp_.copy_groups) {
    if (group.scoreboard == scoreboard && open > left_open) {
      for (const PendingCopy& copy : group.copies) cta_.take_effect(warp_, copy);
      --open;
    } else {
      left.push_back(std::move(group));
    }
  }
  warp_.copy_groups = std::move(left);
}

void Step::wait(Path::State state, std::uint32_t for_what, std::uint32_t threads) {
  Path& p = path();
  p.state = state;
  p.waits_for = for_what;
  p.threads = threads;
  has_moved_ = true;
  paths_have_changed();
}

void Step::arrive(std::uint32_t barrier, std::uint32_t threads) {
  cta_.arrived_[barrier] += bits::count(lanes_);
  if (threads != 0) cta_.expected_[barrier] = threads;
}

void Step::meet() {
  has_moved_ = true;
  cta_.meet(warp_);
}

void Step::remove_path() {
  warp_.paths.erase(warp_.paths.begin() + static_cast<std::ptrdiff_t>(path_));
  has_moved_ = true;
  paths_have_changed();
}

void Step::split_before(Path other) {
  warp_.paths.insert(warp_.paths.begin() + static_cast<std::ptrdiff_t>(path_), other);
  ++path_;
  paths_have_changed();
}

void Step::split_behind(Path other) {
  warp_.paths.push_back(other);
  paths_have_changed();
}

}  // namespace subcore::tracer
