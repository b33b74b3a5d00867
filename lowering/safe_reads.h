#pragma once

#include <vector>

#include "lowering/ir/range.h"
#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Which reads of a store, or of a let, are within bounds in every iteration that runs it, whatever
/// conditions inside of its value hold: those that it makes in any case, those at the place that it
/// writes, of constant arrays that are at least as large, and those whose indices the ranges of
/// variables bound. Vectors evaluate both sides of a choice.
///
///   C[i] = select((A[i] < 0), A[i], B[i])    all, where B has as many elements as C
///   C[i] = select((i > 0), A[i - 1], 0)      not A[i - 1]
///   C[i] = select((i > n), A[i + 1], 0)      A[i + 1], where i is known to be less than 7 of 8
class SafeReads {
 public:
  /// Of no statement: no read is safe.
  SafeReads() = default;
  SafeReads(const ir::Store& store, ir::Ranges ranges);
  /// Of a value that is computed in any case, as that of a let, and stored at no place.
  SafeReads(const ir::Expr& value, ir::Ranges ranges);

  /// Whether all reads in an expression of the store are.
  bool cover(const ir::Expr& e) const;

 private:
  bool is_safe(const ir::Load& load) const;
  bool is_bounded(const ir::Load& load) const;

  ir::Buffer written_;
  std::vector<ir::Expr> place_;
  std::vector<const ir::Load*> made_;
  ir::Expr value_;     ///< holds what `made_` points to
  ir::Ranges ranges_;  ///< of variables
};

}  // namespace solway::lowering
