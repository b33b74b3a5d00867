#include "lowering/unroll_loops.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/range.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"

namespace solway::lowering {
namespace {

using ir::Stmt;

constexpr std::int64_t kMostGuarded = 32;  ///< copies with conditions
constexpr std::int64_t kFar = std::int64_t{1} << 31;

/// Whether a loop to unroll inside of `loop` has another number of iterations in each of its.
class MovesCounts final : public ir::Visitor {
 public:
  explicit MovesCounts(const ir::For& loop) : var_(loop.var) { walk(loop.body); }
  bool found() const { return found_; }

 private:
  void visit(const ir::For& s) override {
    const bool is_unrolled = s.for_kind == ir::ForKind::Unrolled;
    found_ = found_ || (is_unrolled && (mentions(s.begin, var_) || mentions(s.end, var_)));
    Visitor::visit(s);
  }

  const std::string& var_;
  bool found_ = false;
};

/// Whether a body stores to a buffer of registers alone, each iteration of the loops around it to
/// places of its own, and reads what is there only where it stores: the loops may change places.
class OwnRegisters final : public ir::Visitor {
 public:
  OwnRegisters(const Stmt& body, std::vector<std::string> vars) : vars_(std::move(vars)) {
    walk(body);
  }
  bool hold() const { return is_own_ && buffer_ != nullptr; }

 private:
  void visit(const ir::Store& s) override { store(s.buffer, s.indices, s.value); }
  void visit(const ir::VectorStore& s) override { store(s.buffer, s.indices, s.value); }
  void visit(const ir::Load& e) override {
    load(e.buffer, e.indices);
    Visitor::visit(e);
  }
  void visit(const ir::VectorLoad& e) override {
    load(e.buffer, e.indices);
    Visitor::visit(e);
  }
  void visit(const ir::For& /*s*/) override { is_own_ = false; }
  void visit(const ir::Call& /*s*/) override { is_own_ = false; }
  void visit(const ir::Exchange& /*s*/) override { is_own_ = false; }

  void store(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices,
             const ir::Expr& value) {
    if (buffer_ == nullptr) buffer_ = buffer;
    is_own_ = is_own_ && buffer == buffer_ && buffer->scope == "register" &&
              std::all_of(vars_.begin(), vars_.end(), [&](const std::string& var) {
                return std::any_of(indices.begin(), indices.end(), [&](const ir::Expr& index) {
                  const auto* plain = index.as_or_null<ir::Var>();
                  return plain != nullptr && plain->name == var;
                });
              });
    stored_ = &indices;
    walk(value);
    stored_ = nullptr;
  }

  void load(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices) {
    if (buffer->scope != "register") return;
    is_own_ = is_own_ && stored_ != nullptr && buffer == buffer_ &&
              std::equal(indices.begin(), indices.end(), stored_->begin(), stored_->end(),
                         [](const auto& a, const auto& b) { return ir::equal(a, b); });
  }

  const std::vector<std::string> vars_;
  ir::Buffer buffer_;
  const std::vector<ir::Expr>* stored_ = nullptr;  ///< where the present statement stores
  bool is_own_ = true;
};

/// Whether a body without loops reads places in registers that a variable names.
class NamesRegisters final : public ir::Visitor {
 public:
  NamesRegisters(const Stmt& body, const std::string& var) : var_(var) { walk(body); }
  bool found() const { return found_ && !has_loop_; }

 private:
  void visit(const ir::Load& e) override {
    load(e.buffer, e.indices);
    Visitor::visit(e);
  }
  void visit(const ir::VectorLoad& e) override {
    load(e.buffer, e.indices);
    Visitor::visit(e);
  }
  void visit(const ir::For& /*s*/) override { has_loop_ = true; }

  void load(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices) {
    found_ = found_ || (buffer->scope == "register" &&
                        std::any_of(indices.begin(), indices.end(),
                                    [&](const ir::Expr& index) { return mentions(index, var_); }));
  }

  const std::string& var_;
  bool found_ = false;
  bool has_loop_ = false;
};

/// What an expression is at least, by a constant of which it takes the larger; at most likewise.
std::optional<std::int64_t> bound_of(const ir::Expr& e, BinaryOp op) {
  if (const auto constant = ir::try_constant(e)) return constant;
  const auto* choice = e.as_or_null<ir::Binary>();
  if (choice == nullptr || choice->op != op) return std::nullopt;
  const auto a = bound_of(choice->a, op);
  return a ? a : bound_of(choice->b, op);
}

/// The iterations that a loop to unroll may have, whose number differs.
struct Guarded {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// `ranges` are of the variables around the loop.
std::optional<Guarded> guarded(const ir::For& s, const ir::Ranges& ranges) {
  if (s.for_kind != ir::ForKind::Unrolled || has_load(s.begin) || has_load(s.end)) {
    return std::nullopt;
  }
  const ir::Linear extent = ir::linear_of(s.end) - ir::linear_of(s.begin);
  auto begin = bound_of(s.begin, BinaryOp::Max);
  auto end = bound_of(s.end, BinaryOp::Min);
  const auto first = ir::try_range(s.begin, ranges);
  const auto past = ir::try_range(s.end, ranges);
  // Of sizes that a call says nothing is known.
  if (!begin && first && first->lo > -kFar) begin = first->lo;
  if (!end && past && past->hi < kFar) end = past->hi;
  if (extent.terms.empty() || !begin || !end || *end - *begin > kMostGuarded) return std::nullopt;
  return Guarded{*begin, *end};
}

class Unroller final : public ir::Mutator {
 public:
  explicit Unroller(Remarks& remarks) : remarks_(remarks) {}

 private:
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    const auto values = ir::try_range(s, ranges_);
    if (values) ranges_[s.var] = *values;
    Stmt out = s.for_kind == ir::ForKind::Unrolled ? unrolled(s) : Mutator::rewrite(s, self);
    ranges_.erase(s.var);
    return out;
  }

  Stmt unrolled(const ir::For& s) {
    if (const auto outside = guards_outside(s)) return mutate(*outside);
    const auto range = guarded(s, ranges_);
    if (range && (OwnRegisters(innermost(s), {s.var}).hold() ||
                  NamesRegisters(innermost(s), s.var).found())) {
      return with_guards(s, *range);
    }
    const ir::Linear extent = ir::linear_of(s.end) - ir::linear_of(s.begin);
    const bool may =
        extent.terms.empty() && extent.constant <= kMaxUnrolledCopies && !has_load(s.begin);
    // Loops inside are unrolled once for all copies, unless their numbers of iterations differ.
    const bool is_first = may && MovesCounts(s).found();
    const Stmt body = is_first ? s.body : mutate(s.body);
    if (!may) {
      const std::string why =
          extent.terms.empty()
              ? std::to_string(extent.constant) + " iterations, at most " +
                    std::to_string(kMaxUnrolledCopies) + " are copied"
              : "the number of iterations, " + to_string(to_expr(extent)) + ", is not constant";
      remarks_.push_back({"unroll(" + s.var + ")", "kept as a loop", why, s.where});
      return ir::For::make(s.var, s.begin, s.end, ir::ForKind::Serial, body, s.where);
    }
    std::vector<Stmt> copies;
    for (std::int64_t k = 0; k < extent.constant; ++k) {
      const ir::Expr value = ir::add(s.begin, ir::index(k));
      const Stmt copy = ir::simplify(substitute(body, {{s.var, value}}));
      copies.push_back(is_first ? mutate(copy) : copy);
    }
    return ir::Block::make(std::move(copies), s.where);
  }

  /// The body of loops to unroll that stand directly in each other.
  static const Stmt& innermost(const ir::For& s) {
    const auto* inner = s.body.as_or_null<ir::For>();
    return inner != nullptr && inner->for_kind == ir::ForKind::Unrolled ? innermost(*inner)
                                                                        : s.body;
  }

  /// A nest of loops to unroll with one whose number of iterations differs outside of one whose
  /// does not, so that all of its copies share a condition; nullopt: there is none, or they may not
  /// change places.
  std::optional<Stmt> guards_outside(const ir::For& s) const {
    const auto* inner = s.body.as_or_null<ir::For>();
    if (inner == nullptr || guarded(s, ranges_)) return std::nullopt;
    if (inner->for_kind != ir::ForKind::Unrolled) return std::nullopt;
    std::optional<Stmt> swapped;
    if (!guarded(*inner, ranges_)) {
      swapped = guards_outside(*inner);
      if (!swapped) return std::nullopt;
      inner = &swapped->as<ir::For>();
    }
    const bool may_swap = !mentions(inner->begin, s.var) && !mentions(inner->end, s.var) &&
                          !mentions(s.begin, inner->var) && !mentions(s.end, inner->var) &&
                          OwnRegisters(innermost(*inner), {s.var, inner->var}).hold();
    if (!may_swap) return std::nullopt;
    return ir::For::make(inner->var, inner->begin, inner->end, inner->for_kind,
                         ir::For::make(s.var, s.begin, s.end, s.for_kind, inner->body, s.where),
                         inner->where);
  }

  /// Copies for all iterations that there may be, each where it is one: places in registers have
  /// constant indices.
  Stmt with_guards(const ir::For& s, const Guarded& range) {
    const Stmt body = mutate(s.body);
    std::vector<Stmt> copies;
    for (std::int64_t k = range.begin; k < range.end; ++k) {
      const Stmt copy = ir::simplify(substitute(body, {{s.var, ir::index(k)}}));
      ir::Expr runs;
      const auto require = [&](const ir::Expr& one) {
        runs = runs.defined() ? ir::Binary::make(BinaryOp::And, runs, one) : ir::Expr(one);
      };
      if (!ir::try_constant(s.begin)) {
        require(ir::Binary::make(BinaryOp::Le, s.begin, ir::index(k)));
      }
      if (!ir::try_constant(s.end)) require(ir::Binary::make(BinaryOp::Lt, ir::index(k), s.end));
      copies.push_back(ir::If::make(runs, copy, {}, s.where));
    }
    return ir::Block::make(std::move(copies), s.where);
  }

  Remarks& remarks_;
  ir::Ranges ranges_;  ///< of the loops around
};

}  // namespace

Stmt unroll_loops(const Stmt& s, Remarks& remarks) { return Unroller(remarks)(s); }

}  // namespace solway::lowering
