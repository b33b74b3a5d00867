#include "lowering/lane_divisions.h"

#include <string>

#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/substitute.h"
#include "lowering/simplify_bounds.h"

namespace solway::lowering {
namespace {

using ir::Expr;

class LaneDivisions final : public ir::Mutator {
 public:
  LaneDivisions(const VectorChunk& chunk, const ir::Ranges& ranges)
      : chunk_(chunk), lane_(chunk.var + "_lane"), ranges_(ranges) {
    ranges_[lane_] = {0, chunk.lanes.count - 1};
  }

 private:
  Expr rewrite(const ir::Binary& e, const Expr& self) override {
    const Expr out = Mutator::rewrite(e, self);
    const bool is_division = e.op == BinaryOp::FloorDiv || e.op == BinaryOp::Mod;
    if (!is_division || e.type != ir::kInt64 || !mentions(out, chunk_.var)) return out;
    const Expr iteration = ir::add(chunk_.base, ir::Var::make(lane_));
    const Expr told = simplify_within(substitute(out, {{chunk_.var, iteration}}), ranges_);
    if (!ir::try_coefficient(told, lane_)) return out;
    const Expr lane = ir::sub(ir::Var::make(chunk_.var), chunk_.base);
    return substitute(told, {{lane_, lane}});
  }

  const VectorChunk& chunk_;
  std::string lane_;  ///< the variable that counts them
  ir::Ranges ranges_;
};

}  // namespace

ir::Stmt simplify_lane_divisions(const ir::Stmt& body, const VectorChunk& chunk,
                                 const ir::Ranges& ranges) {
  if (chunk.lanes.scalable) return body;
  return LaneDivisions(chunk, ranges)(body);
}

}  // namespace solway::lowering
