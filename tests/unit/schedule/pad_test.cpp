#include "schedule/pad.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/compute_at.h"
#include "schedule/padded_copy.h"
#include "schedule/parallel.h"
#include "schedule/split.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::refusal;
using testing::ScheduledMatmul;
using ::testing::SizeIs;

std::vector<std::string> stages_of(const Program& program) {
  std::vector<std::string> out;
  for (const dsl::Tensor& stage : program.stages) out.push_back(stage->name);
  return out;
}

TEST(Pad, AnOutputIsCopiedFromThePaddedTensor) {
  const ScheduledMatmul matmul(3, 5, 2);
  const PadResult made = pad(matmul.state, "C", {4, 5}, samples::at(7));
  EXPECT_EQ(made.padded->name, "C_pad");
  ASSERT_THAT(made.operands, SizeIs(1));
  EXPECT_EQ(made.operands[0]->shape, (std::vector<std::int64_t>{4, 2}));
  EXPECT_EQ(matmul.printed(made.state),
            "  allocate C_pad: float32[4, 5] {\n"
            "    allocate A_pad: float32[4, 2] {\n"
            "      for x in [0, 4) {\n"
            "        for k in [0, 2) {\n"
            "          A_pad[x, k] = select((x < 3), A[x, k], 0.0f32)\n"
            "        }\n"
            "      }\n"
            "      for x in [0, 4) {\n"
            "        for y in [0, 5) {\n"
            "          C_pad[x, y] = 0.0f32\n"
            "          for k in [0, 2) {\n"
            "            C_pad[x, y] = (C_pad[x, y] + (A_pad[x, k] * B[k, y]))\n"
            "          }\n"
            "        }\n"
            "      }\n"
            "      for x in [0, 3) {\n"
            "        for y in [0, 5) {\n"
            "          C[x, y] = C_pad[x, y]\n"
            "        }\n"
            "      }\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST(Pad, ReadersOfAnotherTensorReadThePaddedOne) {
  const samples::Pipeline sample(7);
  const PadResult made = pad(make_state({sample.c}, {}), "P", {10}, samples::at(7));
  EXPECT_THAT(stages_of(*made.state.program), ElementsAre("A_pad", "P_pad", "C"));
  EXPECT_EQ(made.state.program->arrays.count("P"), 0U);
  EXPECT_TRUE(made.state.program->statement("C").reads_from("P_pad"));
  EXPECT_EQ(made.state.program->array("A_pad").shape, (std::vector<std::int64_t>{11}));
}

TEST(Pad, AStageForThisOneAloneIsExtended) {
  const samples::Padded sample(8);
  const PadResult made = pad(make_state({sample.c}, {}), "C", {12}, samples::at(7));
  EXPECT_THAT(stages_of(*made.state.program), ElementsAre("P_pad", "C_pad", "C"));
  EXPECT_TRUE(is_padded_copy(made.state, "P_pad"));
  EXPECT_FALSE(made.state.program->statement("P_pad").reads_from("P"));
}

TEST(Pad, LaterPrimitivesAreComparedWithThePaddedProgram) {
  const ScheduledMatmul matmul(3, 5, 2);
  State state = pad(matmul.state, "C", {4, 8}, samples::at(7)).state;
  EXPECT_EQ(state.original->statements.count("C_pad"), 1U);
  const LoopId rows = state.stage_loops.at("C_pad")[0];
  state = parallel(state, "C_pad", rows, samples::at(8));
  BufferRequest request;
  request.stage = "C_pad";
  request.tensor = "B_pad";
  request.at = rows;
  request.padding = Padding::Filled;
  state = buffer_read(state, request, samples::at(9)).state;
  EXPECT_EQ(filled_buffer(state, "B_pad").value_or("none"), "B_pad_buf");
  // The copy may run in tiles of the output, the sums where they are read.
  const LoopId tiles = state.stage_loops.at("C")[0];
  EXPECT_THROW(compute_at(state, "C", "C_pad", rows, samples::at(9)), ScheduleArgumentError);
  const State whole = pad(matmul.state, "C", {4, 8}, samples::at(7)).state;
  EXPECT_NO_THROW(compute_at(whole, "C_pad", "C", tiles, samples::at(9)));
}

TEST(Pad, PadsBesideWhatIsScheduled) {
  const samples::NestedMatmul sample(3, 5, 2);
  const State start = make_state({sample.d}, {});
  const auto refused = refusal<UnsupportedError>([&] { pad(start, "D", {4, 5}, {}); });
  EXPECT_THAT(refused.why, HasSubstr("result of a reduction"));

  const samples::Pipeline pipeline(7);
  State state = make_state({pipeline.c}, {});
  state = split(state, "C", state.stage_loops.at("C")[0], 4, samples::at(5)).state;
  const PadResult made = pad(state, "P", {12}, samples::at(7));
  EXPECT_THAT(made.state.stage_loops.at("C"), SizeIs(2));
  EXPECT_EQ(made.state.log.back().primitive, "pad");
  EXPECT_EQ(made.state.log.back().buffer, "P_pad");
}

TEST(Pad, RefusesAStageThatIsNotAsItWasWritten) {
  const ScheduledMatmul matmul(3, 5, 2);
  const State state = split(matmul.state, "C", matmul.lx, 2, samples::at(5)).state;
  const auto refused = refusal<ScheduleArgumentError>([&] { pad(state, "C", {4, 5}, {}); });
  EXPECT_THAT(refused.what, HasSubstr("another primitive has changed 'C'"));
}

}  // namespace
}  // namespace solway::schedule
