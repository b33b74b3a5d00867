#include "driver/left_out.h"

#include <gtest/gtest.h>

#include "tests/support/sample_programs.h"

namespace solway::driver {
namespace {

using memory_planner::extract_stage;
using schedule::State;

constexpr memory_planner::Room kRoom{1024, 4};

/// S[i] = X[at] + X of another tensor.
State sum_of(const dsl::Tensor& a, const dsl::Expr& at, const dsl::Tensor& b, const dsl::Axis& i) {
  const dsl::Expr value =
      dsl::make_binary(BinaryOp::Add, dsl::make_read(a, {at}, samples::at(2)),
                       dsl::make_read(b, {samples::value_of(i)}, samples::at(2)), samples::at(2));
  return schedule::make_state({dsl::make_compute({8}, {i}, value, "S", samples::at(2))}, {});
}

TEST(LeftOutFirst, WhatIsNeededWholeThenTheValueOfAReduction) {
  const samples::NestedMatmul nested(4, 8, 16);
  const State state = schedule::make_state({nested.d}, {});
  const auto whole = left_out_first(state, extract_stage(state, "D"), kRoom);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->tensor, "A");  // A[x, k] under k, A[x, 0] beside it
  EXPECT_NE(whole->why.find("whole"), std::string::npos);
  const auto value = left_out_first(state, extract_stage(state, "D", {"A"}), kRoom);
  ASSERT_TRUE(value);
  EXPECT_EQ(value->tensor, "D_r0");
}

TEST(LeftOutFirst, WhatDependsOnDataThenConstants) {
  const dsl::Tensor table = dsl::make_placeholder({8}, DType::Float32, "T", samples::at(1));
  const dsl::Tensor places = dsl::make_placeholder({8}, DType::Int64, "P", samples::at(1));
  const dsl::Tensor constant =
      dsl::make_constant({8}, DType::Float32, "K", std::vector<std::byte>(32), samples::at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, samples::at(2));
  const dsl::Expr place = dsl::make_bounded(
      dsl::make_read(places, {samples::value_of(i)}, samples::at(2)), 0, 8, samples::at(2));
  const State state = sum_of(table, place, constant, i);
  const auto data = left_out_first(state, extract_stage(state, "S"), kRoom);
  ASSERT_TRUE(data);
  EXPECT_EQ(data->tensor, "T");
  const auto next = left_out_first(state, extract_stage(state, "S", {"T"}), kRoom);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->tensor, "K");
  EXPECT_FALSE(left_out_first(state, extract_stage(state, "S", {"T", "K"}), kRoom));
}

TEST(LeftOutFirst, WhatIsTouchedTooFarApart) {
  const dsl::Tensor x = dsl::make_placeholder({1024}, DType::Float32, "X", samples::at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, samples::at(2));
  const auto behind = [&](std::int64_t distance) {
    const dsl::Expr at = dsl::make_binary(
        BinaryOp::Add, samples::value_of(i),
        dsl::make_int(distance, DType::Int64, true, samples::at(2)), samples::at(2));
    return sum_of(x, at, x, i);
  };
  const State near = behind(255);  // a box of 256 elements, which is what there is room for
  EXPECT_FALSE(left_out_first(near, extract_stage(near, "S"), kRoom));
  EXPECT_TRUE(far_apart(extract_stage(near, "S").model, kRoom).empty());
  const State far = behind(256);
  const auto first = left_out_first(far, extract_stage(far, "S"), kRoom);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->tensor, "X");
  EXPECT_NE(first->why.find("far apart"), std::string::npos);
  const auto stage = extract_stage(far, "S");
  const std::vector<int> tensors = far_apart(stage.model, kRoom);
  ASSERT_EQ(tensors.size(), 1u);
  EXPECT_EQ(stage.model.tensors[static_cast<std::size_t>(tensors.front())].name, "X");
}

TEST(LeftOutFirst, NothingOfAPlainStage) {
  const samples::Matmul matmul(8, 8, 8);
  const State state = schedule::make_state({matmul.c}, {});
  EXPECT_FALSE(left_out_first(state, extract_stage(state, "C"), kRoom));
}

TEST(LeftOutOfBoxes, TheLargestThatIsRead) {
  const samples::Matmul matmul(4, 8, 16);
  const State state = schedule::make_state({matmul.c}, {});
  const auto out = left_out_of_boxes(extract_stage(state, "C"));
  ASSERT_TRUE(out);
  EXPECT_EQ(out->tensor, "B");  // 16 x 8
  EXPECT_NE(out->why.find("box"), std::string::npos);
  EXPECT_FALSE(left_out_of_boxes(extract_stage(state, "C", {"A", "B"})));
}

}  // namespace
}  // namespace solway::driver
