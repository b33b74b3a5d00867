#pragma once

#include <cstdint>
#include <vector>

#include "codegen/athread/assembly/product_tile.h"

namespace solway::codegen::assembly {

/// Elements from a step's A and B to those of the next step.
struct Advance {
  std::int64_t a = 0;
  std::int64_t b = 0;
};

/// Which rounds of a product run inside of each step, written out, and which around all steps.
struct UnrolledRounds {
  std::vector<Rounds> around;     ///< outermost first
  std::vector<Advance> advances;  ///< from each of a step's repetitions to the next; never empty
};

/// The innermost rounds go inside, as long as a step has kMostRepetitions at most and one
/// instruction each moves A and B on. The loop over steps then has them in a row, so that its
/// iterations overlap without an end:
///
///   before: 3 times: for k: step (A, B)          after: for k: step, step, step
///           A += 4, B += 32 from the first step         A += 4, B += 32; the same; A += a_step -
///           8,
///                                                       B += b_step - 64
UnrolledRounds unroll_rounds(const Product& product);

inline constexpr std::int64_t kMostRepetitions = 16;

}  // namespace solway::codegen::assembly
