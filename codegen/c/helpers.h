#pragma once

#include <set>
#include <string>

#include "support/dtype.h"

namespace solway::codegen::c99 {

/// The C type of an element: "float", "int32_t", "bool".
std::string c_type(DType type);

/// Collects the static functions that emitted expressions call, for the head of the file.
class CHelpers {
 public:
  /// Notes that the function is called and gives its name, "sw_add_i32". `operation` is one of
  /// add, sub, mul, neg, abs, sign, floordiv, mod, fmod, pow, shl, shr, min, max, sigmoid, rsqrt,
  /// from_f32, from_f64.
  std::string use(const std::string& operation, DType type);
  /// The call that converts from or to a 16-bit float (see half_cast).
  std::string half(const std::string& text, DType from, DType to);
  /// Definitions of the functions in use, in a fixed order.
  std::string definitions() const;

 private:
  std::set<std::string> used_;
  std::set<std::string> halves_;
};

}  // namespace solway::codegen::c99
