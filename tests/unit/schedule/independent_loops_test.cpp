#include "schedule/independent_loops.h"

#include <gtest/gtest.h>

#include "dsl/update.h"
#include "schedule/fuse.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"

#include "tests/support/sample_programs.h"

namespace solway::schedule {
namespace {

using samples::at;

struct Product {
  samples::Matmul m{4, 6, 8};
  State state = make_state({m.c}, at(5));
  LoopId x = state.stage_loops.at("C")[0];
  LoopId y = state.stage_loops.at("C")[1];
  LoopId k = state.stage_loops.at("C")[2];
};

TEST(IndependentLoops, AreAskedForByAMark) {
  const Product p;
  EXPECT_TRUE(independent_loops(p.state).empty());
  State s = vectorize(p.state, "C", p.y, at(6));
  s = unroll(s, "C", p.x, at(7));
  EXPECT_EQ(independent_loops(s), (std::set<LoopId>{p.x, p.y}));
}

TEST(IndependentLoops, ReductionsAreNot) {
  const Product p;
  const State s = vectorize(p.state, "C", p.k, at(6));
  EXPECT_TRUE(independent_loops(s).empty());
  EXPECT_TRUE(independent_loops(unroll(p.state, "C", p.k, at(6))).empty());
}

TEST(IndependentLoops, NorIsWhatALaterLaneOverwrites) {
  // A[i] = A[i + 1] is a legal vector, and a dependence.
  const dsl::Tensor a = dsl::make_placeholder({9}, DType::Float32, "A", at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, at(2));
  const dsl::Expr next = dsl::make_binary(BinaryOp::Add, samples::value_of(i),
                                          dsl::make_int(1, DType::Int64, true, at(2)), at(2));
  const dsl::Tensor u = dsl::make_update(a, {i}, {samples::value_of(i)},
                                         dsl::make_read(a, {next}, at(2)), nullptr, "U", at(2));
  const State state = make_state({u}, at(3));
  const State s = vectorize(state, "U", state.stage_loops.at("U")[0], at(4));
  EXPECT_TRUE(independent_loops(s).empty());
}

TEST(IndependentLoops, FusedColumnsAndRowsAre) {
  const Product q;
  const FuseResult made = fuse(q.state, "C", {q.x, q.y}, at(6));
  EXPECT_EQ(independent_loops(vectorize(made.state, "C", made.fused, at(7))),
            std::set<LoopId>{made.fused});
}

}  // namespace
}  // namespace solway::schedule
