// The effects of instructions. There is a function for each row of the table, or for several rows that differ
// only in operands.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

namespace subcore::tracer {

class Step;

namespace meaning {

// meaning_move.cpp
void move(Step&), predicates_to_register(Step&), register_to_predicates(Step&), special_register(Step&),
    select(Step&), select_float(Step&), predicate_logic(Step&), register_to_uniform(Step&), nothing(Step&);

// meaning_integer.cpp
void compare_integers(Step&), add_2(Step&), add_3(Step&), shift_and_add(Step&), logic_3(Step&),
    absolute_integer(Step&), permute(Step&), minimum_integer(Step&), minimum_vector(Step&), minimum_3(Step&),
    minimum_of_sum(Step&), shift_funnel(Step&), sign_extend(Step&), bit_mask(Step&), multiply_add(Step&),
    multiply_add_wide(Step&), multiply_add_high(Step&), dot_product(Step&), pack_integers(Step&),
    leading_one(Step&), reverse_bits(Step&), count_bits(Step&);

// meaning_float.cpp
void minimum_float(Step&), compare_floats(Step&), compare_floats_to_number(Step&), multiply_float(Step&),
    add_float(Step&), multiply_add_float(Step&), check_division(Step&), function(Step&),
    multiply_double(Step&), add_double(Step&), compare_doubles(Step&), multiply_add_double(Step&);

// meaning_convert.cpp
void float_to_float(Step&), float_to_integer(Step&), integer_to_float(Step&), word_to_float(Step&),
    round_float(Step&), pack_floats(Step&);

// meaning_half.cpp
void add_halves(Step&), multiply_halves(Step&), multiply_add_halves(Step&), compare_halves(Step&),
    compare_halves_to_number(Step&), minimum_halves(Step&);

// meaning_matrix.cpp
void matrix_1688_half(Step&), matrix_1688_single(Step&), matrix_16816_half(Step&), matrix_16816_single(Step&),
    matrix_1688_tf32(Step&), matrix_8816_bytes(Step&), matrix_8832_nibbles(Step&), matrix_16832_bytes(Step&),
    matrix_884_doubles(Step&), transpose(Step&);

// meaning_exchange.cpp
void vote(Step&), shuffle(Step&), match_any(Step&), match_any_wide(Step&), match_all(Step&), reduce(Step&);

// meaning_memory.cpp
void load_constant(Step&), load_constant_uniform(Step&), load(Step&), store(Step&), load_matrix(Step&),
    copy_to_shared(Step&), end_copy_group(Step&), wait_for_copies(Step&), atomic(Step&),
    atomic_increment(Step&), reduce_memory(Step&), compare_and_swap(Step&), try_swap(Step&),
    add_halves_to_memory(Step&), add_bfloats_to_memory(Step&), add_single_to_memory(Step&),
    add_double_to_memory(Step&), query_space(Step&);

// meaning_control.cpp
void barrier(Step&), barrier_arrive(Step&), barrier_result(Step&), begin_convergence(Step&), converge(Step&),
    leave_convergence(Step&), barrier_to_register(Step&), register_to_barrier(Step&), synchronize(Step&),
    synchronize_all(Step&), branch(Step&), jump(Step&), call_absolute(Step&), place(Step&), leave(Step&);

}  // namespace meaning
}  // namespace subcore::tracer
