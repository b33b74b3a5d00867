#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "lowering/ir/expr.h"

namespace solway::codegen {

/// Integers lo <= x <= hi.
struct Range {
  std::int64_t lo = INT64_MIN;
  std::int64_t hi = INT64_MAX;

  bool operator==(const Range&) const = default;
};

/// Bounds and divisors of scalar integer expressions, from those of the variables around them.
class ValueRanges {
 public:
  /// Replaces what is known of a variable.
  void define(const std::string& var, Range range, std::int64_t divisor = 1);
  void forget(const std::string& var);
  /// The variable of a loop over [begin, end).
  void define_loop(const std::string& var, const ir::Expr& begin, const ir::Expr& end);

  /// All values that `e` can have; that of its whole type when nothing is known.
  Range range(const ir::Expr& e) const;
  Range range(const ir::Binary& e) const;
  /// False when Add, Sub, Mul (Neg, Abs) cannot leave its type, so that C's operator is exact.
  bool may_wrap(const ir::Binary& e) const;
  bool may_wrap(const ir::Unary& e) const;
  /// A number >= 0 that divides every value of `e`; 0 when it is always 0.
  std::int64_t divisor(const ir::Expr& e) const;

 private:
  std::map<std::string, Range> ranges_;
  std::map<std::string, std::int64_t> divisors_;
};

}  // namespace solway::codegen
