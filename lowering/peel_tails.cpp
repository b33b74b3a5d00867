#include "lowering/peel_tails.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"
#include "lowering/simplify_bounds.h"

namespace solway::lowering {
namespace {

using ir::Stmt;

/// A loop whose bounds change at more places stays whole.
constexpr std::size_t kMaxCuts = 2;
/// Nested cuts multiply the code inside; those further in stop at this many copies.
constexpr std::size_t kMaxCopies = 16;

/// The smallest v with c * v + k >= 0; requires c > 0.
std::int64_t first_non_negative(std::int64_t c, std::int64_t k) {
  return -*ir::try_evaluate(BinaryOp::FloorDiv, k, c, DType::Int64);
}

/// Where the outcome of a choice or comparison in the bounds of a vectorized loop changes as the
/// variable of `loop` grows; of an unrolled one, too, unless the copies of `loop` have such bounds
/// anyway, as it is unrolled itself.
class CutFinder final : public ir::Visitor {
 public:
  explicit CutFinder(const ir::For& loop)
      : var_(loop.var), is_unrolled_(loop.for_kind == ir::ForKind::Unrolled) {}
  std::set<std::int64_t> cuts;  ///< the first value of each new outcome

 private:
  void visit(const ir::For& s) override {
    const bool needs_extent = s.for_kind == ir::ForKind::Vectorized ||
                              (s.for_kind == ir::ForKind::Unrolled && !is_unrolled_);
    if (needs_extent) {
      is_in_bounds_ = true;
      walk(s.begin);
      walk(s.end);
      is_in_bounds_ = false;
    }
    walk(s.body);
  }

  void visit(const ir::Binary& e) override {
    Visitor::visit(e);
    const bool is_choice = e.op == BinaryOp::Min || e.op == BinaryOp::Max;
    if (!is_in_bounds_ || e.a.type() != ir::kInt64 || !(is_choice || is_comparison(e.op))) return;
    const ir::Linear d = ir::linear_of(e.a) - ir::linear_of(e.b);
    if (d.terms.size() != 1 || d.terms.begin()->first != var_) return;
    std::int64_t c = d.terms.begin()->second.coefficient;
    std::int64_t k = d.constant;
    if (c == INT64_MIN || k == INT64_MIN) return;
    if (c < 0) {
      c = -c;
      k = -k;
    }
    const std::int64_t from_zero = first_non_negative(c, k);
    const std::int64_t above_zero = first_non_negative(c, k - 1);
    // A choice between equal values is none.
    if (!is_choice || from_zero == above_zero) cuts.insert(from_zero);
    cuts.insert(above_zero);
  }

  const std::string& var_;
  bool is_unrolled_;
  bool is_in_bounds_ = false;
};

class TailPeeler final : public ir::Mutator {
 private:
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    const auto begin = ir::try_constant(s.begin);
    const auto end = ir::try_constant(s.end);
    if (!begin || !end || s.for_kind == ir::ForKind::Vectorized) return Mutator::rewrite(s, self);
    CutFinder finder(s);
    finder.walk(s.body);
    std::vector<std::int64_t> cuts;
    for (const std::int64_t cut : finder.cuts) {
      if (cut > *begin && cut < *end) cuts.push_back(cut);
    }
    const bool is_copied_anyway = s.for_kind == ir::ForKind::Unrolled;
    const std::size_t copies = copies_ * (is_copied_anyway ? 1 : cuts.size() + 1);
    const bool is_too_much = !is_copied_anyway && (cuts.size() > kMaxCuts || copies > kMaxCopies);
    if (cuts.empty() || is_too_much) return Mutator::rewrite(s, self);
    cuts.push_back(*end);
    std::vector<Stmt> parts;
    std::int64_t from = *begin;
    const std::size_t outside = std::exchange(copies_, copies);
    for (const std::int64_t to : cuts) {
      parts.push_back(mutate(simplify_bounds(part(s, from, to))));
      from = to;
    }
    copies_ = outside;
    if (s.for_kind == ir::ForKind::Parallel) return chosen_inside(s, parts, cuts);
    return ir::Block::make(std::move(parts), s.where);
  }

  /// One loop that runs in each iteration what the part does that has it.
  static Stmt chosen_inside(const ir::For& s, const std::vector<Stmt>& parts,
                            const std::vector<std::int64_t>& ends) {
    const auto body_of = [&](std::size_t k) {
      const ir::For* const loop = parts[k].as_or_null<ir::For>();
      return loop != nullptr && loop->var == s.var ? loop->body : parts[k];
    };
    Stmt body = body_of(parts.size() - 1);
    for (std::size_t k = parts.size() - 1; k-- > 0;) {
      const ir::Expr condition =
          ir::Binary::make(BinaryOp::Lt, ir::Var::make(s.var), ir::index(ends[k]));
      body = ir::If::make(condition, body_of(k), body, s.where);
    }
    return ir::For::make(s.var, s.begin, s.end, s.for_kind, body, s.where);
  }

  static Stmt part(const ir::For& s, std::int64_t from, std::int64_t to) {
    if (to - from == 1) return ir::substitute(s.body, {{s.var, ir::index(from)}});
    return ir::For::make(s.var, ir::index(from), ir::index(to), s.for_kind, s.body, s.where);
  }

  std::size_t copies_ = 1;  ///< of the present statement
};

}  // namespace

Stmt peel_tails(const Stmt& s) { return TailPeeler()(s); }

}  // namespace solway::lowering
