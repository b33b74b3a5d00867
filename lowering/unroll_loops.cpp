#include "lowering/unroll_loops.h"

#include <string>
#include <utility>
#include <vector>

#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"

namespace solway::lowering {
namespace {

using ir::Stmt;

class Unroller final : public ir::Mutator {
 public:
  explicit Unroller(Remarks& remarks) : remarks_(remarks) {}

 private:
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    if (s.for_kind != ir::ForKind::Unrolled) return Mutator::rewrite(s, self);
    const Stmt body = mutate(s.body);
    const ir::Linear extent = ir::linear_of(s.end) - ir::linear_of(s.begin);
    if (!extent.terms.empty() || extent.constant > kMaxUnrolledCopies || has_load(s.begin)) {
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
      copies.push_back(ir::simplify(substitute(body, {{s.var, value}})));
    }
    return ir::Block::make(std::move(copies), s.where);
  }

  Remarks& remarks_;
};

}  // namespace

Stmt unroll_loops(const Stmt& s, Remarks& remarks) { return Unroller(remarks)(s); }

}  // namespace solway::lowering
