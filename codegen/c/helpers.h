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
  /// add, sub, mul, neg, abs, floordiv, mod, pow, min, max, sigmoid, rsqrt, from_f32, from_f64.
  std::string use(const std::string& operation, DType type);
  /// Definitions of the functions in use, in a fixed order.
  std::string definitions() const;

 private:
  std::set<std::string> used_;
};

}  // namespace solway::codegen::c99
