#include "schedule/transform_layout.h"

#include <gtest/gtest.h>

#include "schedule/compute_inline.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using testing::refusal;

std::string printed(const State& s, const std::vector<dsl::Tensor>& args) {
  const std::string all = ir::to_string(lowering::lower(s, args, "k", {}).kernel);
  return all.substr(all.find('\n') + 1);
}

/// Blocks of 4 along the only dimension.
LayoutRequest blocks(const dsl::Tensor& tensor) {
  const auto axis =
      dsl::make_axis("n", dsl::AxisKind::Spatial, 0, tensor->shape[0], samples::at(6));
  const auto four = dsl::make_int(4, DType::Int64, true, samples::at(6));
  const auto value = samples::value_of(axis);
  return {tensor,
          {axis},
          {dsl::make_binary(BinaryOp::FloorDiv, value, four, samples::at(6)),
           dsl::make_binary(BinaryOp::Mod, value, four, samples::at(6))}};
}

TEST(TransformLayout, AnIntermediateLiesInBlocks) {
  const samples::Pipeline program(8);
  const State state =
      transform_layout(make_state({program.c}, samples::at(5)), blocks(program.p), samples::at(6));
  EXPECT_EQ(state.program->array("P").shape, (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(printed(state, {program.a, program.c}),
            "  allocate P: float32[3, 4] {\n"
            "    for i in [0, 9) {\n"
            "      P[(i // 4), (i % 4)] = (A[i] + A[(i + 1)])\n"
            "    }\n"
            "    for i in [0, 8) {\n"
            "      C[i] = (P[(i // 4), (i % 4)] * P[((i + 1) // 4), ((i + 1) % 4)])\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST(TransformLayout, AnArgumentIsCopiedBeforeItsReaders) {
  const samples::Pipeline program(8);
  const State state =
      transform_layout(make_state({program.c}, samples::at(5)), blocks(program.a), samples::at(6));
  EXPECT_EQ(state.order.placements.front().statement, "A_layout");
  EXPECT_EQ(state.program->array("A_layout").shape, (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(state.stage_loops.at("A_layout").size(), 1U);
  EXPECT_TRUE(state.program->statement("P").reads_from("A_layout"));
}

TEST(TransformLayout, AnOutputIsCopiedBack) {
  const samples::Pipeline program(8);
  const State state =
      transform_layout(make_state({program.c}, samples::at(5)), blocks(program.c), samples::at(6));
  EXPECT_EQ(state.order.placements.back().statement, "C_layout");
  EXPECT_TRUE(state.program->statement("C").writes_to("C_layout"));
  EXPECT_TRUE(state.program->statement("C_layout").writes_to("C"));
}

TEST(TransformLayout, RefusesPlacesThatTwoElementsShare) {
  const samples::Pipeline program(8);
  LayoutRequest request = blocks(program.p);
  request.index.erase(request.index.begin());
  const State state = make_state({program.c}, samples::at(5));
  EXPECT_EQ(refusal<ScheduleArgumentError>([&] {
              transform_layout(state, request, samples::at(7));
            }).what,
            "transform_layout(P, lambda n: (n % 4,)): two elements would have one place");
}

TEST(TransformLayout, AStageInAnotherLayoutIsNotInlined) {
  const samples::Pipeline program(8);
  const State state =
      transform_layout(make_state({program.c}, samples::at(5)), blocks(program.p), samples::at(6));
  EXPECT_EQ(refusal<ScheduleArgumentError>([&] { compute_inline(state, "P", samples::at(7)); }).fix,
            "inline it before");
}

}  // namespace
}  // namespace solway::schedule
