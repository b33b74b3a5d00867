#pragma once

#include <cstdint>
#include <map>

#include "dsl/expr.h"

namespace solway::schedule {

/// Copies expressions with some of their nodes replaced; a node that is shared stays shared.
class Substitution {
 public:
  /// Reads that are not replaced are copied too, so that each stands for one operand.
  enum class Reads : std::uint8_t { Keep, Copy };

  explicit Substitution(Reads reads) : reads_(reads) {}

  void replace(const dsl::Expr& node, dsl::Expr by) { done_[node] = std::move(by); }
  void replace(const dsl::Axis& axis, dsl::Expr by) { axes_[axis] = std::move(by); }
  /// What became of a node of the expressions that were copied.
  const dsl::Expr& copy_of(const dsl::Expr& node) const { return done_.at(node); }

  dsl::Expr operator()(const dsl::Expr& expr);

 private:
  Reads reads_;
  std::map<dsl::Expr, dsl::Expr> done_;
  std::map<dsl::Axis, dsl::Expr> axes_;
};

}  // namespace solway::schedule
