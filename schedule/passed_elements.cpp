#include "schedule/passed_elements.h"

#include "dsl/affine.h"

namespace solway::schedule {
namespace {

class Passing {
 public:
  Passing(const Statement& s, DType stored)
      : s_(s),
        stored_(stored),
        scope_{s.name, s.axes},
        out_(isl::union_map::empty(s.domain.ctx())) {}

  isl::union_map run() {
    add(s_.writes[0].value, s_.domain);
    return out_;
  }

 private:
  /// Adds what `value` passes on in the instances `where`.
  void add(const dsl::Expr& value, const isl::set& where) {
    if (value->kind == dsl::ExprKind::Select) {
      const auto condition = dsl::try_condition(where.ctx(), value->operands[0], scope_);
      if (!condition) return;
      add(value->operands[1], where.intersect(*condition));
      add(value->operands[2], where.subtract(*condition));
    }
    if (value->kind != dsl::ExprKind::Read || value->type != stored_) return;
    for (const Operand& operand : s_.reads) {
      if (operand.read != value || !operand.is_exact) continue;
      out_ = out_.unite(operand.index.as_map().intersect_domain(where).coalesce().to_union_map());
    }
  }

  const Statement& s_;
  DType stored_;
  dsl::AffineScope scope_;
  isl::union_map out_;
};

}  // namespace

isl::union_map passed_elements(const Statement& s, DType stored) {
  const bool is_plain = s.kind == StatementKind::Compute && s.writes.size() == 1 &&
                        s.inlined.empty() && !s.origin && s.writes[0].value != nullptr;
  if (!is_plain) return isl::union_map::empty(s.domain.ctx());
  return Passing(s, stored).run();
}

}  // namespace solway::schedule
