#include "lowering/carry_values.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lowering/ir/buffer_names.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

ir::Linear place_of(const ir::Buffer& buffer, const std::vector<Expr>& indices) {
  return ir::linear_of(ir::flat_index(*buffer, indices));
}

/// a - b, where that is the same everywhere.
std::optional<std::int64_t> distance(const ir::Linear& a, const ir::Linear& b) {
  const ir::Linear apart = a - b;
  return apart.terms.empty() ? std::optional(apart.constant) : std::nullopt;
}

/// Reads of one place of a buffer in an expression that are evaluated whenever it is; `step` is how
/// far the place lies behind `stored`.
class CarriedReads final : public ir::Visitor {
 public:
  CarriedReads(const ir::Buffer& buffer, const ir::Linear& stored, std::int64_t step)
      : buffer_(buffer), stored_(stored), step_(step) {}
  std::set<const ir::Load*> in(const Expr& value) {
    walk(value);
    return std::move(found_);
  }

 private:
  void visit(const ir::Load& e) override {
    if (e.buffer == buffer_ && distance(stored_, place_of(e.buffer, e.indices)) == step_) {
      found_.insert(&e);
    }
  }
  void visit(const ir::Select& e) override { walk(e.condition); }
  void visit(const ir::Binary& e) override {
    walk(e.a);
    if (e.op != BinaryOp::And && e.op != BinaryOp::Or) walk(e.b);
  }

  const ir::Buffer& buffer_;
  const ir::Linear& stored_;
  std::int64_t step_;
  std::set<const ir::Load*> found_;
};

/// Puts what registers have in place of reads.
class FromRegisters final : public ir::Mutator {
 public:
  FromRegisters(const std::set<const ir::Load*>& reads, Expr carried)
      : reads_(reads), carried_(std::move(carried)) {}

 private:
  using Mutator::rewrite;
  Expr rewrite(const ir::Load& e, const Expr& self) override {
    return reads_.count(&e) != 0 ? carried_ : Mutator::rewrite(e, self);
  }

  const std::set<const ir::Load*>& reads_;
  Expr carried_;
};

/// The stores that a body is; empty: it is something else, or they go to several arrays.
std::vector<const ir::Store*> stores_of(const Stmt& body) {
  std::vector<const ir::Store*> out;
  if (const auto* block = body.as_or_null<ir::Block>()) {
    for (const Stmt& s : block->stmts) {
      const std::vector<const ir::Store*> inside = stores_of(s);
      if (inside.empty()) return {};
      out.insert(out.end(), inside.begin(), inside.end());
    }
  } else if (const auto* store = body.as_or_null<ir::Store>()) {
    out.push_back(store);
  }
  const bool is_one = std::all_of(out.begin(), out.end(), [&](const ir::Store* store) {
    return store->buffer == out.front()->buffer && store->buffer->scope != "register";
  });
  return is_one ? out : std::vector<const ir::Store*>{};
}

class Carrier final : public ir::Mutator {
 public:
  explicit Carrier(std::set<std::string> names) : names_(std::move(names)) {}

 private:
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    const auto extent = ir::try_constant(ir::simplify(ir::sub(s.end, s.begin)));
    const std::vector<const ir::Store*> stores = stores_of(s.body);
    const bool may = s.for_kind == ir::ForKind::Serial && extent && *extent > 0 && !stores.empty();
    if (!may) return Mutator::rewrite(s, self);
    std::vector<Stmt> before;
    std::vector<Stmt> inside;
    std::vector<ir::Buffer> registers;
    for (const ir::Store* store : stores) {
      const std::set<const ir::Load*> reads = carried(*store, stores, s.var);
      if (reads.empty()) {
        inside.push_back(
            ir::Store::make(store->buffer, store->indices, store->value, store->where));
        continue;
      }
      const ir::Buffer own = ir::make_buffer(fresh(store->buffer->name + "_carried"),
                                             store->buffer->type, {1}, "register");
      const Expr kept = ir::Load::make(own, {ir::index(0)});
      const Expr first = ir::substitute(ir::Load::make(store->buffer, (*reads.begin())->indices),
                                        {{s.var, s.begin}});
      before.push_back(ir::Store::make(own, {ir::index(0)}, ir::simplify(first), store->where));
      inside.push_back(ir::Store::make(own, {ir::index(0)},
                                       FromRegisters(reads, kept)(store->value), store->where));
      inside.push_back(ir::Store::make(store->buffer, store->indices, kept, store->where));
      registers.push_back(own);
    }
    if (registers.empty()) return self;
    before.push_back(ir::For::make(s.var, s.begin, s.end, s.for_kind,
                                   ir::Block::make(std::move(inside), s.where), s.where));
    Stmt out = ir::Block::make(std::move(before), s.where);
    for (const ir::Buffer& own : registers) out = ir::Allocate::make(own, out, s.where);
    return out;
  }

  /// The reads of a store's value that get what it stored an iteration before, as no other one
  /// stores there in between.
  static std::set<const ir::Load*> carried(const ir::Store& store,
                                           const std::vector<const ir::Store*>& all,
                                           const std::string& var) {
    const ir::Linear place = place_of(store.buffer, store.indices);
    const auto step = ir::try_coefficient(ir::to_expr(place), var);
    if (!step || *step == 0) return {};
    for (const ir::Store* other : all) {
      if (other == &store) continue;
      const auto apart = distance(place_of(other->buffer, other->indices), place);
      if (!apart || *apart == 0 || *apart == -*step) return {};
    }
    return CarriedReads(store.buffer, place, *step).in(store.value);
  }

  std::string fresh(const std::string& name) {
    std::string out = name;
    for (int i = 2; !names_.insert(out).second; ++i) out = name + "_" + std::to_string(i);
    return out;
  }

  std::set<std::string> names_;
};

}  // namespace

Stmt carry_values(const Stmt& s) { return Carrier(ir::buffer_names(s))(s); }

}  // namespace solway::lowering
