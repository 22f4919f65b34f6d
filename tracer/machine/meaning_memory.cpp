// Loads, stores, atomics, asynchronous copies.
#include <algorithm>
#include <cstring>

#include "subcore/tracer/machine/meaning.h"
#include "subcore/tracer/machine/step.h"

namespace subcore::tracer::meaning {
namespace {

constexpr unsigned most_registers = 4;
using Registers = std::array<Word, most_registers>;

// Extends loaded bytes and halves to words, with their signs.
void extend_sign(unsigned size, Registers& values) {
  if (size == 1) values[0] = static_cast<Word>(std::int32_t{static_cast<std::int8_t>(values[0])});
  if (size == 3) values[0] = static_cast<Word>(std::int32_t{static_cast<std::int16_t>(values[0])});
}

void write_registers(Step& s, unsigned lane, const Registers& values) {
  for (unsigned n = 0; n < s.instruction().destination_width; ++n) s.write(lane, values[n], n);
}

// Types of atomics.
enum : unsigned {
  unsigned_word,
  signed_word,
  unsigned_wide,
  single_float,
  two_halves,
  signed_wide,
  double_float,
  two_bfloats
};

bool is_wide_type(unsigned type) {
  return type == unsigned_wide || type == signed_wide || type == double_float;
}

Wide sum_of(unsigned type, Wide a, Wide b) {
  switch (type) {
    case single_float:
      return bits_of(flushed(as_float(low_word(a)) + as_float(low_word(b))));
    case double_float:
      return bits_of(as_double(a) + as_double(b));
    case two_bfloats: {
      const auto half = [&](unsigned n) {
        return nearest_bfloat(static_cast<double>(bfloat_value(half_of(low_word(a), n))) +
                              static_cast<double>(bfloat_value(half_of(low_word(b), n))));
      };
      return joined_halves(half(0), half(1));
    }
    case two_halves: {
      const auto half = [&](unsigned n) {
        return nearest_half(static_cast<double>(half_value(half_of(low_word(a), n))) +
                            static_cast<double>(half_value(half_of(low_word(b), n))));
      };
      return joined_halves(half(0), half(1));
    }
    default:
      return a + b;
  }
}

// The value that an atomic operation leaves in memory.
Wide result_of(Step& s, unsigned operation, unsigned type, Wide before, Wide x) {
  const auto x_is_below = [&] {
    if (type == signed_word) return as_signed(low_word(x)) < as_signed(low_word(before));
    if (type == signed_wide) return static_cast<std::int64_t>(x) < static_cast<std::int64_t>(before);
    return x < before;
  };
  switch (operation) {
    case 0:
      return sum_of(type, before, x);
    case 1:
      return x_is_below() ? x : before;
    case 2:
      return x_is_below() ? before : x;
    case 3:
      return before >= x ? 0 : before + 1;
    case 4:
      return before == 0 || before > x ? x : before - 1;
    case 5:
      return before & x;
    case 6:
      return before | x;
    case 7:
      return before ^ x;
    case 8:
      return x;
    case 9:
      s.fail(s.instruction().text + " arrives at an mbarrier; mbarriers are not emulated");
    default:
      s.fail(s.instruction().text + " has an operation that is not known");
  }
}

// Reads the value at each lane's address and writes `next(lane, before)`. If the instruction has a result,
// the lane gets `result(lane, before)`. Lanes take turns in an order that no GPU promises. A generic atomic
// with a predicate handles only global memory. In lanes with another address it leaves the predicate false,
// and other code does the work.
template <class Next, class Result>
void change_memory(Step& s, unsigned bytes, Next next, Result result) {
  const Instruction& i = s.instruction();
  const bool is_global_only = i.address.space == Space::generic && i.predicates[0] != true_predicate;
  Lanes done = 0;
  s.compute_addresses(s.lanes());
  s.each_lane([&](unsigned l) {
    if (is_global_only && s.place_of(s.address(l)).first != Space::global) return;
    bits::add(done, l);
    std::uint8_t* const at = s.bytes_at(s.address(l), bytes, l);
    Wide before = 0;
    std::memcpy(&before, at, bytes);
    const Wide after = next(l, before);
    std::memcpy(at, &after, bytes);
    if (i.destination_width == 0) return;
    const Wide given = result(l, before);
    s.write(l, low_word(given));
    if (i.destination_width == 2) s.write(l, high_word(given), 1);
  });
  s.write_predicate(0, done);
}
template <class Next>
void change_memory(Step& s, Next next) {
  change_memory(s, is_wide_type(s.field(Field::type)) ? 8 : 4, next,
                [](unsigned, Wide before) { return before; });
}
// Adds a number to memory. The instruction's row gives its type.
void add_to_memory(Step& s, unsigned type) {
  const unsigned data = s.instruction().data;
  change_memory(
      s, type == double_float ? 8 : 4,
      [&](unsigned l, Wide before) {
        return sum_of(type, before, type == double_float ? s.vector_pair(data, l) : s.vector(data, l));
      },
      [](unsigned, Wide before) { return before; });
}

Wide data_of(Step& s, unsigned number, unsigned lane) {
  return is_wide_type(s.field(Field::type)) ? s.vector_pair(number, lane) : s.vector(number, lane);
}

}  // namespace

void load_constant(Step& s) {
  const Address& a = s.instruction().address;
  const unsigned size = s.field(Field::size);
  s.each_lane([&](unsigned l) {
    Registers values{};
    const std::uint32_t offset = s.vector(a.base, l) + static_cast<std::uint32_t>(a.offset);
    s.read_constant(s.field(Field::bank), offset, access_bytes(size), values.data());
    extend_sign(size, values);
    write_registers(s, l, values);
  });
}

void load_constant_uniform(Step& s) {
  const Address& a = s.instruction().address;
  const unsigned size = s.field(Field::size);
  s.each_lane([&](unsigned l) {
    Registers values{};
    const std::uint32_t offset = s.uniform(a.base) + static_cast<std::uint32_t>(a.offset);
    s.read_constant(s.field(Field::bank), offset, access_bytes(size), values.data());
    extend_sign(size, values);
    write_registers(s, l, values);
  });
}

void load(Step& s) {
  const unsigned size = s.field(Field::size), bytes = access_bytes(size);
  s.compute_addresses(s.lanes());
  s.each_lane([&](unsigned l) {
    Registers values{};
    std::memcpy(values.data(), s.bytes_at(s.address(l), bytes, l), bytes);
    extend_sign(size, values);
    write_registers(s, l, values);
  });
}

void store(Step& s) {
  const unsigned size = s.field(Field::size), bytes = access_bytes(size);
  s.compute_addresses(s.lanes());
  s.each_lane([&](unsigned l) {
    Registers values{};
    for (unsigned n = 0; n < access_registers(size); ++n) values[n] = s.vector_at(s.instruction().data, n, l);
    std::memcpy(s.bytes_at(s.address(l), bytes, l), values.data(), bytes);
  });
}

// LDSM: matrices of 8 x 8 halves. Lanes 8 n to 8 n + 7 have the addresses of the rows of matrix n.
void load_matrix(Step& s) {
  constexpr unsigned row_bytes = 16;
  s.compute_addresses(all_lanes);
  if (s.lanes() == 0) return;
  for (unsigned matrix = 0; matrix < s.instruction().destination_width; ++matrix) {
    std::array<std::array<Half, 8>, 8> rows;
    for (unsigned row = 0; row < 8; ++row) {
      const unsigned lane = matrix * 8 + row;
      std::memcpy(rows[row].data(), s.bytes_at(s.address(lane), row_bytes, lane), row_bytes);
    }
    s.each_lane([&](unsigned l) {
      const unsigned row = l / 4, column = l % 4 * 2;
      s.write(l,
              s.field(Field::transposed) ? joined_halves(rows[column][row], rows[column + 1][row])
                                         : joined_halves(rows[row][column], rows[row][column + 1]),
              matrix);
    });
  }
}

void copy_to_shared(Step& s) {
  const Address& a = s.instruction().address;
  const unsigned bytes = access_bytes(s.field(Field::size));
  const Lanes is_copied = s.condition(0);
  s.note_addresses();
  s.each_lane([&](unsigned l) {
    s.address(l) = s.vector_pair(a.base, l) + static_cast<std::uint64_t>(a.offset);
    PendingCopy copy;
    copy.from = s.address(l);
    copy.to = s.vector(a.copy_to, l) + static_cast<std::uint32_t>(a.copy_offset);
    copy.bytes = bytes;
    copy.is_zero = s.field(Field::zero_fill) && !bits::has(is_copied, l);
    s.check_copy(copy, l);
    s.copy(copy);
  });
}

void end_copy_group(Step& s) {
  s.end_copy_group();
}

void wait_for_copies(Step& s) {
  s.wait_for_copies(s.field(Field::scoreboard), s.field(Field::count));
}

void atomic(Step& s) {
  const unsigned operation = s.field(Field::function), type = s.field(Field::type);
  change_memory(s, [&](unsigned l, Wide before) {
    return result_of(s, operation, type, before, data_of(s, s.instruction().data, l));
  });
}

void reduce_memory(Step& s) {
  atomic(s);
}

void atomic_increment(Step& s) {
  change_memory(s, [](unsigned, Wide before) { return before + 1; });
}

void compare_and_swap(Step& s) {
  change_memory(s, [&](unsigned l, Wide before) {
    return before == data_of(s, s.instruction().data, l) ? data_of(s, s.instruction().second_data, l)
                                                         : before;
  });
}

// ATOMS.CAST: the result says whether memory has changed.
void try_swap(Step& s) {
  const auto is_expected = [&](unsigned l, Wide before) {
    return before == data_of(s, s.instruction().data, l);
  };
  change_memory(
      s, is_wide_type(s.field(Field::type)) ? 8 : 4,
      [&](unsigned l, Wide before) {
        return is_expected(l, before) ? data_of(s, s.instruction().second_data, l) : before;
      },
      [&](unsigned l, Wide before) { return Wide{is_expected(l, before)}; });
}

void add_halves_to_memory(Step& s) {
  add_to_memory(s, two_halves);
}

void add_bfloats_to_memory(Step& s) {
  add_to_memory(s, two_bfloats);
}

void add_single_to_memory(Step& s) {
  add_to_memory(s, single_float);
}

void add_double_to_memory(Step& s) {
  add_to_memory(s, double_float);
}

// QSPC: whether a generic address is in shared memory of the CTA (mode 2), or of another CTA of a cluster
// (mode 3).
void query_space(Step& s) {
  constexpr unsigned shared = 2, distributed = 3;
  const unsigned mode = s.field(Field::mode);
  if (mode != shared && mode != distributed)
    s.fail(s.instruction().text + " asks for a memory that is not known");
  s.compute_addresses(s.lanes());
  Lanes yes = 0;
  s.each_lane([&](unsigned l) {
    bits::set(yes, l, mode == shared && s.place_of(s.address(l)).first == Space::shared);
  });
  s.write_predicate(0, yes);
}

}  // namespace subcore::tracer::meaning
