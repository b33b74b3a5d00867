#include "codegen/athread/assembly/unrolled_rounds.h"

#include <algorithm>
#include <cstdlib>

namespace solway::codegen::assembly {
namespace {

/// From each repetition of a step to the next, the last one's to the first of the next step.
std::vector<Advance> advances(const Product& product, std::size_t first_inside) {
  std::vector<Advance> at = {{0, 0}};  // of repetitions, from the step's first one
  for (std::size_t k = first_inside; k < product.rounds.size(); ++k) {
    const Rounds& rounds = product.rounds[k];
    std::vector<Advance> next;
    for (const Advance& outer : at) {
      for (std::int64_t r = 0; r < rounds.count; ++r) {
        next.push_back({outer.a + r * rounds.a, outer.b + r * rounds.b});
      }
    }
    at = std::move(next);
  }
  at.push_back({product.a_step, product.b_step});
  std::vector<Advance> out;
  for (std::size_t k = 1; k < at.size(); ++k) {
    out.push_back({at[k].a - at[k - 1].a, at[k].b - at[k - 1].b});
  }
  return out;
}

}  // namespace

UnrolledRounds unroll_rounds(const Product& product) {
  std::size_t inside = product.rounds.size();
  std::vector<Advance> found = advances(product, inside);
  const auto is_within = [&](const Advance& one) {
    return std::max(std::abs(one.a), std::abs(one.b)) * product.element_bytes() <= kLargestOffset;
  };
  std::int64_t repetitions = 1;
  while (inside > 0) {
    repetitions *= product.rounds[inside - 1].count;
    if (repetitions > kMostRepetitions) break;
    std::vector<Advance> more = advances(product, inside - 1);
    if (!std::all_of(more.begin(), more.end(), is_within)) break;
    found = std::move(more);
    --inside;
  }
  return {{product.rounds.begin(), product.rounds.begin() + static_cast<std::ptrdiff_t>(inside)},
          std::move(found)};
}

}  // namespace solway::codegen::assembly
