#pragma once

#include <cstdint>
#include <vector>

namespace solway {

/// The least number of parts of size `b` that hold `a`, both positive.
///
///   ceil_div(13, 8) = 2
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// The divisors of `size` that are multiples of `unit`, in ascending order; none of 0.
///
///   divisors(12) = 1, 2, 3, 4, 6, 12     divisors(12, 2) = 2, 4, 6, 12
inline std::vector<std::int64_t> divisors(std::int64_t size, std::int64_t unit = 1) {
  std::vector<std::int64_t> out;
  for (std::int64_t k = unit; k <= size; k += unit) {
    if (size % k == 0) out.push_back(k);
  }
  return out;
}

}  // namespace solway
