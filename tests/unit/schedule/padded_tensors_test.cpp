#include "schedule/padded_tensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

const Request kRequest{"pad(C)", samples::at(9)};

TEST(PaddedTensors, OfAProductAreWrittenWithZerosBeyondTheEnd) {
  const samples::Matmul sample(3, 5, 2);
  const State state = make_state({sample.c}, {});
  const PaddedTensors made = padded_tensors(state, sample.c, {4, 8}, kRequest);
  ASSERT_THAT(made.operands, SizeIs(2));
  EXPECT_EQ(dsl::to_string(made.operands[0]->body), "select(x < 3, A[x, k], 0.0)");
  EXPECT_EQ(dsl::to_string(made.operands[1]->body), "select(y < 5, B[k, y], 0.0)");
  EXPECT_EQ(dsl::to_string(made.padded->body), "sum(A_pad[x, k] * B_pad[k, y], axis=k)");
  EXPECT_EQ(made.padded->shape, (std::vector<std::int64_t>{4, 8}));
  EXPECT_EQ(made.copy->shape, sample.c->shape);
  EXPECT_EQ(made.copy->axis, sample.c->axis);
  EXPECT_THAT(made.extended, IsEmpty());
}

TEST(PaddedTensors, WhatStaysWithinIsReadAsItIs) {
  const samples::Matmul sample(3, 5, 2);
  const State state = make_state({sample.c}, {});
  const PaddedTensors made = padded_tensors(state, sample.c, {3, 8}, kRequest);
  ASSERT_THAT(made.operands, SizeIs(1));
  EXPECT_EQ(dsl::to_string(made.padded->body), "sum(A[x, k] * B_pad[k, y], axis=k)");
}

TEST(PaddedTensors, OfSeveralReadsTheLargestExtentCounts) {
  const samples::Pipeline sample(7);
  const State state = make_state({sample.c}, {});
  const PaddedTensors made = padded_tensors(state, sample.p, {10}, kRequest);
  ASSERT_THAT(made.operands, SizeIs(1));
  EXPECT_EQ(made.operands[0]->shape, (std::vector<std::int64_t>{11}));
  EXPECT_EQ(dsl::to_string(made.padded->body), "A_pad[i] + A_pad[i + 1]");
}

TEST(PaddedTensors, AStageOfOneReaderIsComputedInTheOperand) {
  const samples::Padded sample(8);
  const State state = make_state({sample.c}, {});
  const PaddedTensors made = padded_tensors(state, sample.c, {12}, kRequest);
  EXPECT_THAT(made.extended, Contains(Pair("P", "P_pad")));
  EXPECT_EQ(dsl::to_string(made.operands.at(0)->body),
            "select(i < 10, select(i >= 1 and i <= 8, A[i + -1], 0.0), 0.0)");
}

}  // namespace
}  // namespace solway::schedule
