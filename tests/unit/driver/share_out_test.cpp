#include "driver/share_out.h"

#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/compute_at.h"
#include "schedule/reorder.h"
#include "schedule/split.h"

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::driver {
namespace {

using samples::at;

struct Product {
  samples::Matmul matmul{96, 128, 64};
  schedule::State state = schedule::make_state({matmul.c}, {});
  StageChoice choice;

  explicit Product(double cycles) {
    choice.stage = "C";
    choice.cycles = cycles;
  }
  std::string shared_out() {
    state = share_out(state, choice, choice.cycles, at(9));
    return choice.parallel;
  }
};

TEST(ShareOut, TheOutermostLoopWithEnoughIterations) {
  Product product(1e6);
  EXPECT_EQ(product.shared_out(), "x");
  EXPECT_EQ(product.state.log.back().primitive, "parallel");
}

TEST(ShareOut, ALoopOfFewIterationsComesLast) {
  Product product(1e6);
  const auto x = product.state.stage_loops.at("C")[0];
  product.state = schedule::split(product.state, "C", x, 48, at(8)).state;  // 2 of 48
  EXPECT_EQ(product.shared_out(), "x.i");
}

/// 9 of 64 iterations on 2, 4, 8 and 16 threads: one of them has 5, 3, 2 and 1.
TEST(ShareOut, TheLoopThatComesOutMoreEvenly) {
  samples::Matmul matmul{9, 128, 64};
  Product product(1e6);
  product.state = schedule::make_state({matmul.c}, {});
  EXPECT_EQ(product.shared_out(), "y");
}

/// Each of the threads would read all of A.
TEST(ShareOut, TheOutermostOfTwoThatAreAsEven) {
  samples::Matmul matmul{32, 128, 64};
  Product product(1e6);
  product.state = schedule::make_state({matmul.c}, {});
  EXPECT_EQ(product.shared_out(), "x");
}

TEST(ShareOut, AReductionIsNotSharedOut) {
  Product product(1e6);
  const auto loops = product.state.stage_loops.at("C");
  product.state = schedule::reorder(product.state, "C", {loops[2], loops[0], loops[1]}, at(8));
  product.choice.cycles = 1e5;
  EXPECT_EQ(product.shared_out(), "");  // too little in each of 64 rounds
  product.choice.cycles = 1e6;
  EXPECT_EQ(product.shared_out(), "x");
}

TEST(ShareOut, LittleWorkStaysOnOneThread) {
  Product product(59999);
  EXPECT_EQ(product.shared_out(), "");
  EXPECT_TRUE(product.state.log.empty());
}

TEST(ShareOut, WhatIsSharedOutStays) {
  Product product(1e6);
  product.shared_out();
  const auto steps = product.state.log.size();
  product.choice.parallel = "";
  EXPECT_EQ(product.shared_out(), "");
  EXPECT_EQ(product.state.log.size(), steps);
}

TEST(ShareOut, WhatIsCopiedBeforeTheLoopAllThreadsRead) {
  Product product(1e6);
  const auto loops = product.state.stage_loops.at("C");
  schedule::BufferRequest request;
  request.stage = "C";
  request.tensor = "B";
  request.text = "buffer_read(B)";
  product.state = schedule::buffer_read(product.state, request, at(8)).state;
  EXPECT_EQ(product.shared_out(), "x");
  EXPECT_EQ(product.state.program->array("BB").scope, kSharedScope);
}

TEST(ShareOut, WorkInTheLoopsOfAStageCounts) {
  const samples::Pipeline pipeline(16);
  schedule::State state = schedule::make_state({pipeline.c}, {});
  const schedule::LoopId outer = state.stage_loops.at("C")[0];
  const auto runs = static_cast<double>(state.order.loop(outer).extent());
  state = schedule::compute_at(state, "P", "C", outer, at(8));
  std::vector<StageChoice> choices(2);
  choices[0].stage = "P";
  choices[0].cycles = 10;
  choices[1].stage = "C";
  choices[1].cycles = 7;
  EXPECT_EQ(cycles_within(state, choices, {{"P", "C"}}, "C"), 7 + runs * 10);
  EXPECT_EQ(cycles_within(state, choices, {{"P", "C"}}, "P"), 10);
  choices[1].cycles = -1;  // not counted
  EXPECT_EQ(cycles_within(state, choices, {}, "C"), 0);
}

}  // namespace
}  // namespace solway::driver
