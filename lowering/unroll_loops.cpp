#include "lowering/unroll_loops.h"

#include <string>
#include <utility>
#include <vector>

#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"

namespace solway::lowering {
namespace {

using ir::Stmt;

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

class Unroller final : public ir::Mutator {
 public:
  explicit Unroller(Remarks& remarks) : remarks_(remarks) {}

 private:
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    if (s.for_kind != ir::ForKind::Unrolled) return Mutator::rewrite(s, self);
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

  Remarks& remarks_;
};

}  // namespace

Stmt unroll_loops(const Stmt& s, Remarks& remarks) { return Unroller(remarks)(s); }

}  // namespace solway::lowering
