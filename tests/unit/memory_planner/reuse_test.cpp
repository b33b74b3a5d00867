#include "memory_planner/reuse.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::memory_planner {
namespace {

TEST(Reuse, AProductUsesItsOperandsAgain) {
  const samples::Matmul matmul(8, 32, 64);
  EXPECT_TRUE(is_product(schedule::make_state({matmul.c}, {}), "C"));
}

TEST(Reuse, SumsOfRowsAndElementwiseStagesDoNot) {
  using samples::at;
  const dsl::Tensor a = dsl::make_placeholder({8, 16}, DType::Float32, "A", at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, at(2));
  const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, 16, at(2));
  const dsl::Expr read = dsl::make_read(a, {samples::value_of(i), samples::value_of(k)}, at(2));
  const dsl::Tensor sums =
      dsl::make_compute({8}, {i}, dsl::make_reduce(ReduceOp::Sum, read, {k}, at(2)), "S", at(2));
  EXPECT_FALSE(is_product(schedule::make_state({sums}, {}), "S"));
  const samples::Pipeline pipeline(10);
  EXPECT_FALSE(is_product(schedule::make_state({pipeline.c}, {}), "P"));
}

TEST(Reuse, APassCostsMoreThanItsBytesDo) {
  const samples::Matmul small(8, 32, 64);
  const samples::Matmul large(1024, 1024, 64);
  const auto cycles = [](const samples::Matmul& m) {
    return cycles_of_pass(schedule::make_state({m.c}, {}), "C", testing::vector_machine());
  };
  EXPECT_GT(cycles(small), 0);
  EXPECT_GT(cycles(large), cycles(small) * (1024.0 * 1024) / (8.0 * 32));
}

}  // namespace
}  // namespace solway::memory_planner
