#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <isl/cpp.h>

namespace solway::isl_ext {

/// Of a function { [x0, x1, ...] -> [v] } that is affine and whose domain is a product of
/// intervals: per x, how much v grows from one value of it to the next; 0 where it has only one.
/// nullopt of anything else, as of quotients, and where isl does not show it in its constraints.
///
///   { [i, j] -> [4i - j] : 0 <= i < 8 and j = 3 }     4, 0
///
/// Reads the constraints as they are: questions about single steps that would take isl several
/// products of relations cost next to nothing.
std::optional<std::vector<std::int64_t>> try_steps_on_box(const isl::map& function);

}  // namespace solway::isl_ext
