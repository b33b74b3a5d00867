#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <isl/cpp.h>

namespace solway::isl_ext {

/// Of a function { [x0, x1, ...] -> [v] } that is one sum of the x with integer coefficients and a
/// constant on all of its domain: the coefficients, which say how v differs between any two points
/// of the domain. nullopt of anything else, as of quotients, and where isl does not show it in its
/// constraints. Where the domain ties an x to others, coefficients that hold there.
///
/// Reads the constraints as they are: questions about single steps that would take isl several
/// products of relations cost next to nothing.
std::optional<std::vector<std::int64_t>> try_coefficients(const isl::map& function);

/// Of any function { [x0, x1, ...] -> [v] }: per x, whether v may change with it alone. False where
/// the constraints show that it does not: its coefficient is 0, or none leads from it to v.
///
///   { [i, j] -> [i mod 2] : 0 <= i, j < 8 }     true, false
std::vector<bool> may_change_with(const isl::map& function);

/// The least box of constants around `points`; unbounded in a dimension that has not both bounds.
isl::set bounding_box(const isl::set& points);
bool is_bounded(const isl::set& points);

/// { [x0, ..., xk, ...] -> [x0, ..., xk + 1, ...] }
isl::multi_aff next_along(const isl::space& points, int k);

/// Whether some two points differ by one in dimension `k` alone.
bool has_neighbours(const isl::set& points, int k);

/// Where the domain is a product of intervals as well: per x, how much v grows from one value of it
/// to the next; 0 where it has only one. nullopt otherwise.
///
///   { [i, j] -> [4i - j] : 0 <= i < 8 and j = 3 }     4, 0
std::optional<std::vector<std::int64_t>> try_steps_on_box(const isl::map& function);

}  // namespace solway::isl_ext
