#include "schedule/reorder.h"

#include <gtest/gtest.h>

#include "schedule/affine.h"
#include "schedule/fuse_with.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(Reorder, TheInitialisationStaysBeforeTheReduction) {
  const ScheduledMatmul m(2, 3, 4);
  EXPECT_EQ(m.printed(reorder(m.state, "C", {m.lk, m.lx}, samples::at(9))),
            R"(  for y in [0, 3) {
    for x in [0, 2) {
      C[x, y] = 0.0f32
    }
  }
  for k in [0, 4) {
    for y in [0, 3) {
      for x in [0, 2) {
        C[x, y] = (C[x, y] + (A[x, k] * B[k, y]))
      }
    }
  }
}
)");
}

TEST(Reorder, TheSameOrderChangesNothing) {
  const ScheduledMatmul m(2, 3, 4);
  EXPECT_EQ(m.printed(reorder(m.state, "C", {m.lx, m.lk}, samples::at(9))), m.printed(m.state));
}

/// P[i, j] = A[i, j] * A[i, j]; C[x, y] = sum(P[x, y], axis=k), in loops x and y of both.
State product_and_sum() {
  const auto axis = [](const char* name, dsl::AxisKind kind) {
    return dsl::make_axis(name, kind, 0, 3, samples::at(1));
  };
  const auto at = [](const dsl::Tensor& tensor, const std::vector<dsl::Axis>& axes) {
    std::vector<dsl::Expr> indices;
    for (const dsl::Axis& a : axes) indices.push_back(dsl::make_axis_ref(a, samples::at(1)));
    return dsl::make_read(tensor, std::move(indices), samples::at(1));
  };
  const auto a = dsl::make_placeholder({3, 3}, DType::Float32, "A", samples::at(1));
  const std::vector<dsl::Axis> own{axis("i", dsl::AxisKind::Spatial),
                                   axis("j", dsl::AxisKind::Spatial)};
  const dsl::Expr square = dsl::make_binary(BinaryOp::Mul, at(a, own), at(a, own), samples::at(1));
  const auto p = dsl::make_compute({3, 3}, own, square, "P", samples::at(1));
  const std::vector<dsl::Axis> outer{axis("x", dsl::AxisKind::Spatial),
                                     axis("y", dsl::AxisKind::Spatial)};
  const dsl::Expr sum = dsl::make_reduce(ReduceOp::Sum, at(p, outer),
                                         {axis("k", dsl::AxisKind::Reduce)}, samples::at(1));
  const auto c = dsl::make_compute({3, 3}, outer, sum, "C", samples::at(1));
  const State state = make_state({c}, samples::at(2));
  return fuse_with(state, "P", "C", state.stage_loops.at("C")[1], samples::at(3));
}

TEST(Reorder, AStageThatSharesLoopsHasThemInTheirNewOrder) {
  const State both = product_and_sum();
  const std::vector<LoopId> loops = both.stage_loops.at("C");
  const LoopId x = loops[0], y = loops[1], k = loops[2];
  // P has x and y, which stand in the new order although P lacks the k that they trade places with.
  const State state = reorder(both, "C", {k, x}, samples::at(9));
  EXPECT_EQ(state.stage_loops.at("C"), (std::vector<LoopId>{k, y, x}));
  EXPECT_EQ(state.stage_loops.at("P"), (std::vector<LoopId>{y, x}));
  EXPECT_EQ(state.order.placements.front().statement, "P");
  EXPECT_EQ(state.order.placements.front().path, (std::vector<LoopId>{y, x}));
  // So that a loop of P that changes stays where it is.
  const AffineResult turned = affine(state, "P", "{ [x] -> [-x] }", {}, samples::at(10));
  EXPECT_EQ(turned.state.order.placements.front().path, (std::vector<LoopId>{y, turned.loops[0]}));
}

TEST(Reorder, RefusesAnAxisNamedTwice) {
  const ScheduledMatmul m(2, 3, 4);
  const auto r = refusal<ScheduleArgumentError>([&] {
    reorder(m.state, "C", {m.lx, m.lx}, samples::at(9));
  });
  EXPECT_EQ(r.what, "reorder(x, x): axis 'x' is named twice");
  EXPECT_EQ(r.why, "each axis has one place");
  EXPECT_EQ(r.where.line, 9);
}

}  // namespace
}  // namespace solway::schedule
