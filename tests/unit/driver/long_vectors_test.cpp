#include "driver/long_vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/target.h"

#include "tests/support/sample_programs.h"

namespace solway::driver {
namespace {

using samples::at;
using samples::value_of;
using testing::ElementsAre;

const Target& vector_engine() {
  static const Target target = load_target("ve-ncc", at(1));
  return target;
}

std::optional<LongVectors> written(const dsl::Tensor& output) {
  const schedule::State state = schedule::make_state({output}, at(5));
  return write_long_vectors(
      state, memory_planner::describe_stage(state, output->name, vector_engine()), 256, at(6));
}

std::vector<std::string> loops_of(const schedule::State& state, const std::string& stage) {
  std::vector<std::string> out;
  for (const schedule::LoopId id : state.stage_loops.at(stage)) {
    out.push_back(schedule::loop_name(state, id));
  }
  return out;
}

dsl::Axis spatial(const std::string& name, std::int64_t extent) {
  return dsl::make_axis(name, dsl::AxisKind::Spatial, 0, extent, at(2));
}

/// C[i, j, k] = A[i, j, k] + (the rest of the sum)
dsl::Tensor sum_of(const dsl::Tensor& b, const std::vector<int>& read) {
  const std::vector<dsl::Axis> axes = {spatial("i", 3), spatial("j", 20), spatial("k", 50)};
  const dsl::Tensor a = dsl::make_placeholder({3, 20, 50}, DType::Float32, "A", at(1));
  std::vector<dsl::Expr> all, some;
  for (const dsl::Axis& axis : axes) all.push_back(value_of(axis));
  for (const int d : read) some.push_back(all[static_cast<std::size_t>(d)]);
  const dsl::Expr body = dsl::make_binary(BinaryOp::Add, dsl::make_read(a, all, at(2)),
                                          dsl::make_read(b, some, at(2)), at(2));
  return dsl::make_compute({3, 20, 50}, axes, body, "C", at(2));
}

TEST(LongVectors, LoopsThatContinueEachOtherAreOne) {
  const auto made =
      written(sum_of(dsl::make_placeholder({3, 20, 50}, DType::Float32, "B", at(1)), {0, 1, 2}));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->extent, 3000);
  EXPECT_EQ(loops_of(made->state, "C").size(), 1U);
}

TEST(LongVectors, AnOperandThatIsUsedAgainEndsTheVector) {
  const auto made =
      written(sum_of(dsl::make_placeholder({20, 50}, DType::Float32, "B", at(1)), {1, 2}));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->extent, 1000);
  EXPECT_EQ(loops_of(made->state, "C").front(), "i");
}

TEST(LongVectors, ColumnsOfAProductComeInnermost) {
  const samples::Matmul m(8, 300, 4000);
  const auto made = written(m.c);
  ASSERT_TRUE(made);
  EXPECT_THAT(loops_of(made->state, "C"), ElementsAre("x", "k", "y"));
  EXPECT_EQ(made->loop, "y");
  EXPECT_EQ(made->extent, 300);
}

TEST(LongVectors, AReductionThatIsLongerThanAVectorTakesItsPlace) {
  const dsl::Axis i = spatial("i", 4);
  const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, 5000, at(2));
  const dsl::Tensor a = dsl::make_placeholder({4, 5000}, DType::Float32, "A", at(1));
  const dsl::Expr read = dsl::make_read(a, {value_of(i), value_of(k)}, at(2));
  const auto made = written(
      dsl::make_compute({4}, {i}, dsl::make_reduce(ReduceOp::Sum, read, {k}, at(2)), "C", at(2)));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->loop, "k");
}

TEST(LongVectors, NothingIsDoneWhereNothingIsANeighbour) {
  const dsl::Axis i = spatial("i", 1);
  const dsl::Tensor a = dsl::make_placeholder({1}, DType::Float32, "A", at(1));
  const dsl::Expr read = dsl::make_read(a, {value_of(i)}, at(2));
  EXPECT_FALSE(written(
      dsl::make_compute({1}, {i}, dsl::make_binary(BinaryOp::Add, read, read, at(2)), "C", at(2))));
}

}  // namespace
}  // namespace solway::driver
