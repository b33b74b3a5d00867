#include "driver/row_chains.h"

#include <gtest/gtest.h>

#include "schedule/compute_root.h"

#include "tests/unit/driver/row_samples.h"

namespace solway::driver {
namespace {

using memory_planner::Room;
using samples::at;
using testing::Rows;

const RowChain kChain{"Y", {"M"}, 1};

struct Planned {
  schedule::State state;
  Target target = load_target("sw26010", {});
  std::optional<RowPlan> plan;

  explicit Planned(const Rows& rows, std::int64_t bytes = 60000)
      : state(schedule::make_state({rows.y}, {})) {
    plan = plan_rows(state, kChain, target, Room{bytes, 32});
  }
};

TEST(RowChains, RowsAreSharedOutAndComputedInVectors) {
  const Planned p(Rows(512, 128));
  ASSERT_TRUE(p.plan);
  ASSERT_EQ(p.plan->stages.size(), 2U);
  for (const RowPlan::Stage& one : p.plan->stages) {
    EXPECT_EQ(one.plan.parallel, std::vector<int>{0});
    EXPECT_EQ(one.plan.cuts[0].part, 8);
    EXPECT_EQ(one.plan.vector, 1) << one.stage.model.name;
  }
  EXPECT_EQ(p.plan->stages[0].plan.cuts[0].tile, p.plan->stages[1].plan.cuts[0].tile);
  EXPECT_GT(p.plan->cycles, 0);
}

TEST(RowChains, WhatIsPassedOnHasNoTransfersAndWhatSeveralReadHasOne) {
  const Planned p(Rows(512, 128));
  ASSERT_TRUE(p.plan);
  for (const RowPlan::Stage& one : p.plan->stages) {
    for (std::size_t t = 0; t < one.stage.model.tensors.size(); ++t) {
      const bool is_own = one.stage.model.tensors[t].name == "Y";
      EXPECT_EQ(one.plan.depths[t] != 0, is_own) << one.stage.model.tensors[t].name;
    }
  }
  ASSERT_EQ(p.plan->shared.size(), 1U);
  EXPECT_EQ(p.plan->shared[0].tensor, "X");
  EXPECT_EQ(p.plan->shared[0].readers, (std::vector<std::string>{"M", "Y"}));
  EXPECT_TRUE(p.plan->shared[0].moves);
}

TEST(RowChains, NoPlanWhereRowsAreColumnsOfWhatIsPassedOn) {
  // Y[i, j] = 2 M[j, i]: a row of Y needs a column of M, whose loops are not counted so.
  const auto axis = [](const char* name, std::int64_t extent) {
    return dsl::make_axis(name, dsl::AxisKind::Spatial, 0, extent, at(2));
  };
  const dsl::Tensor x = dsl::make_placeholder({64, 64}, DType::Float32, "X", at(1));
  const dsl::Axis a = axis("a", 64);
  const dsl::Axis b = axis("b", 64);
  const auto twice = [](const dsl::Expr& e) {
    return dsl::make_binary(BinaryOp::Add, e, e, at(2));
  };
  const dsl::Tensor m =
      dsl::make_compute({64, 64}, {a, b}, twice(testing::read(x, {a, b})), "M", at(2));
  const dsl::Axis i = axis("i", 64);
  const dsl::Axis j = axis("j", 64);
  const dsl::Tensor y =
      dsl::make_compute({64, 64}, {i, j}, twice(testing::read(m, {j, i})), "Y", at(3));
  const schedule::State state = schedule::make_state({y}, {});
  EXPECT_FALSE(plan_rows(state, kChain, load_target("sw26010", {}), Room{60000, 32}));
}

TEST(RowChains, NoPlanWhereARowDoesNotFit) {
  const Rows rows(512, 128);
  EXPECT_TRUE(Planned(rows, 5000).plan);
  EXPECT_FALSE(Planned(rows, 1000).plan);
}

TEST(RowChains, FewerBytesMakeSmallerTiles) {
  const Rows rows(4096, 128);
  const Planned large(rows);
  const Planned small(rows, 8000);
  ASSERT_TRUE(large.plan && small.plan);
  EXPECT_LE(small.plan->bytes, 8000);
  EXPECT_LE(small.plan->stages[0].plan.cuts[0].tile, large.plan->stages[0].plan.cuts[0].tile);
  EXPECT_GE(small.plan->cycles, large.plan->cycles);
}

TEST(RowChains, ThePlanIsApplied) {
  const Planned p(Rows(512, 128));
  ASSERT_TRUE(p.plan);
  const WrittenNest made = write_rows(p.state, kChain, *p.plan, at(9));
  EXPECT_TRUE(schedule::is_placed(made.state, "M"));
  EXPECT_EQ(made.buffers.size(), 2U);  // X for both of them, and Y
  EXPECT_TRUE(made.remarks.empty());
  EXPECT_FALSE(made.parallel.empty());
}

TEST(RowChains, OneCoreHasTilesOfAllRows) {
  const Rows rows(64, 32);
  const schedule::State state = schedule::make_state({rows.y}, {});
  Target target = load_target("sw26010", {});
  target.cores.count = 1;
  const auto plan = plan_rows(state, kChain, target, Room{60000, 32});
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->stages[1].plan.parallel.empty());
  EXPECT_EQ(plan->stages[1].plan.outer, std::vector<int>{0});
  EXPECT_TRUE(schedule::is_placed(write_rows(state, kChain, *plan, at(9)).state, "M"));
}

}  // namespace
}  // namespace solway::driver
