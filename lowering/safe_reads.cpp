#include "lowering/safe_reads.h"

#include <algorithm>
#include <utility>

#include "lowering/ir/visitor.h"
#include "lowering/reduction_form.h"

namespace solway::lowering {
namespace {

/// The reads of an expression; or of it without what conditions guard.
class Reads final : public ir::Visitor {
 public:
  explicit Reads(bool guarded_too) : guarded_too_(guarded_too) {}

  std::vector<const ir::Load*> found;

 private:
  using Visitor::visit;

  void visit(const ir::Load& e) override {
    found.push_back(&e);
    Visitor::visit(e);
  }
  void visit(const ir::Select& e) override {
    if (guarded_too_) return Visitor::visit(e);
    walk(e.condition);
  }
  void visit(const ir::Binary& e) override {
    const bool is_lazy = e.op == BinaryOp::And || e.op == BinaryOp::Or;
    if (guarded_too_ || !is_lazy) return Visitor::visit(e);
    walk(e.a);
  }

  bool guarded_too_;
};

bool all_equal(const std::vector<ir::Expr>& a, const std::vector<ir::Expr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), ir::equal);
}

/// Whether every place inside of `inner` is one inside of `outer`.
bool holds(const ir::BufferNode& outer, const ir::BufferNode& inner) {
  return !outer.is_upper_bound && !inner.is_upper_bound &&
         std::equal(outer.shape.begin(), outer.shape.end(), inner.shape.begin(), inner.shape.end(),
                    [](std::int64_t more, std::int64_t less) { return more >= less; });
}

}  // namespace

SafeReads::SafeReads(const ir::Store& store, ir::Ranges ranges)
    : written_(store.buffer),
      place_(store.indices),
      value_(store.value),
      ranges_(std::move(ranges)) {
  Reads in_any_case(/*guarded_too=*/false);
  // Every term of a reduction is one that it may take, also where 'and' has its result before.
  const auto form = try_reduction(store);
  in_any_case.walk(form ? form->term : value_);
  made_ = std::move(in_any_case.found);
}

SafeReads::SafeReads(const ir::Expr& value, ir::Ranges ranges)
    : value_(value), ranges_(std::move(ranges)) {
  Reads in_any_case(/*guarded_too=*/false);
  in_any_case.walk(value_);
  made_ = std::move(in_any_case.found);
}

bool SafeReads::is_bounded(const ir::Load& load) const {
  if (load.buffer->is_upper_bound || load.indices.size() != load.buffer->shape.size()) return false;
  for (std::size_t d = 0; d < load.indices.size(); ++d) {
    const auto range = ir::try_range(load.indices[d], ranges_);
    if (!range || range->lo < 0 || range->hi >= load.buffer->shape[d]) return false;
  }
  return true;
}

bool SafeReads::is_safe(const ir::Load& load) const {
  if (is_bounded(load)) return true;
  if (written_ != nullptr && all_equal(load.indices, place_) && holds(*load.buffer, *written_)) {
    return true;
  }
  return std::any_of(made_.begin(), made_.end(), [&](const ir::Load* one) {
    return one->buffer == load.buffer && all_equal(one->indices, load.indices);
  });
}

bool SafeReads::cover(const ir::Expr& e) const {
  Reads all(/*guarded_too=*/true);
  all.walk(e);
  return std::all_of(all.found.begin(), all.found.end(),
                     [&](const ir::Load* load) { return is_safe(*load); });
}

}  // namespace solway::lowering
