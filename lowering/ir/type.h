#pragma once

#include <string>

#include "support/dtype.h"

namespace solway::ir {

/// Lanes of a vector value: exactly `count`, or `count` times the machine's vector length unit
/// when `scalable`. Printed "8" and "vscale*8".
struct Lanes {
  int count = 1;
  bool scalable = false;

  bool operator==(const Lanes&) const = default;
};

/// Type of an expression: an element type and its lanes; one fixed lane is a scalar.
struct Type {
  DType scalar = DType::Int64;
  Lanes lanes;

  bool is_vector() const { return lanes.count != 1 || lanes.scalable; }
  bool operator==(const Type&) const = default;
};

/// Index arithmetic.
inline constexpr Type kInt64{DType::Int64, {}};
/// Conditions.
inline constexpr Type kBool{DType::Bool, {}};

std::string to_string(const Lanes& lanes);
/// "float32", "float32x8", "float32xvscale*4".
std::string to_string(const Type& type);

}  // namespace solway::ir
