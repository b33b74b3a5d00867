#pragma once

#include <cstdint>

namespace solway::dsl {

/// The sizes of a convolution of planes, in any layout:
///
///   C[g, f, y, x] = sum over c, r, q of D(g, c, y + r, x + q) W(g, f, c, r, q)
///
/// each of g, f and c being any number of axes. D is an element of a tensor, or zero around it.
struct PlaneConvolution {
  std::int64_t rows = 0;                ///< of y
  std::int64_t columns = 0;             ///< of x
  int taps = 0;                         ///< of r, and of q
  std::int64_t channels = 1;            ///< values of all c together
  std::int64_t filters = 1;             ///< of all f together
  std::int64_t others = 1;              ///< of all g together
  bool has_known_weights = false;       ///< W is an element of a constant
  bool has_channels_innermost = false;  ///< neighbours in memory are channels of D, filters of C
};

}  // namespace solway::dsl
