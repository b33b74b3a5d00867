#include "memory_planner/scratchpad.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

#include "tests/unit/memory_planner/buffered_matmul.h"

namespace solway::memory_planner {
namespace {

TEST(Scratchpad, FigureTwoTakes33536Bytes) {
  const auto layouts =
      lay_out(testing::buffered_matmul(128, 64), testing::scratchpad_machine(), {});
  ASSERT_EQ(layouts.size(), 1U);
  const ScratchpadLayout& ldm = layouts[0];
  EXPECT_EQ(ldm.scope, "ldm");
  EXPECT_EQ(ldm.total_bytes, 33536);
  EXPECT_EQ(ldm.live_bytes, 33536);
  EXPECT_EQ(ldm.available_bytes(), 65536 - kCodeBytes);
  EXPECT_TRUE(ldm.fits());
}

TEST(Scratchpad, BuffersDoNotOverlapAndAreAligned) {
  const auto layouts = lay_out(testing::buffered_matmul(100, 3), testing::scratchpad_machine(), {});
  const ScratchpadLayout& ldm = layouts[0];
  ASSERT_EQ(ldm.buffers.size(), 3U);
  std::int64_t end = 0;
  for (const PlacedBuffer& b : ldm.buffers) {
    EXPECT_GE(b.offset_bytes, end);
    EXPECT_EQ(b.offset_bytes % 32, 0);
    end = b.offset_bytes + b.size_bytes;
  }
  EXPECT_EQ(ldm.total_bytes, end);
}

TEST(Scratchpad, ABufferKnowsWhatMadeItAndHowLongItLives) {
  const auto layouts =
      lay_out(testing::buffered_matmul(128, 64), testing::scratchpad_machine(), {});
  for (const PlacedBuffer& b : layouts[0].buffers) {
    if (b.tensor == "B") {
      EXPECT_EQ(b.size_bytes, 64 * 128 * 4);
      EXPECT_EQ(b.lifetime, "in each iteration of k.o of C");
      EXPECT_EQ(b.where.line, 9);
      EXPECT_EQ(b.primitive, "buffer_read(B)");
    }
    if (b.tensor == "C") {
      EXPECT_EQ(b.lifetime, "in each iteration of y.o of C");
    }
  }
}

/// Two panels of B for all cores, in nests that follow each other.
TEST(Scratchpad, BuffersOfAllCoresLieOneBehindTheOther) {
  const samples::Matmul matmul(8, 1024, 64);
  schedule::State state = schedule::make_state({matmul.c}, samples::at(5));
  const auto loops = state.stage_loops.at("C");
  schedule::BufferRequest request;
  request.stage = "C";
  request.tensor = "B";
  request.at = loops[0];
  request.scope = kSharedScope;
  request.text = "buffer_read(B)";
  state = schedule::buffer_read(state, request, samples::at(9)).state;
  const Target cluster = load_target("example-cluster", samples::at(1));
  const auto layouts = lay_out(state, cluster, {});
  ASSERT_EQ(layouts.size(), 2U);
  const ScratchpadLayout& shared = layouts[1];
  EXPECT_EQ(shared.scope, "shared");
  EXPECT_EQ(shared.shared_by, MemorySharing::All);
  EXPECT_EQ(shared.total_bytes, 1024 * 64 * 4);
  EXPECT_EQ(shared.available_bytes(), 524288) << "no stack and no counters lie there";
  EXPECT_EQ(shared.alignment_bytes, 64);
  // Whichever nests they are used in.
  ScratchpadLayout two = shared;
  two.buffers.push_back(two.buffers[0]);
  two.buffers[1].live_from = two.buffers[1].live_to = 99;
  assign_offsets(two);
  EXPECT_FALSE(two.shares_bytes());
  two.shared_by = MemorySharing::Core;
  assign_offsets(two);
  EXPECT_TRUE(two.shares_bytes());
  EXPECT_THROW(lay_out(state, testing::scratchpad_machine(), {}), UnsupportedError);
  EXPECT_THROW(lay_out(state, load_target("example-microcontroller", {}), {}), UnsupportedError);
}

TEST(Scratchpad, SaysWhatDoesNotFit) {
  const auto layouts =
      lay_out(testing::buffered_matmul(128, 128), testing::scratchpad_machine(), {});
  EXPECT_FALSE(layouts[0].fits());
  EXPECT_EQ(layouts[0].total_bytes, 66560);
  EXPECT_EQ(layouts[0].available_bytes(), 65536 - kCodeBytes);
}

TEST(Scratchpad, WhatTheSystemKeepsIsNotGivenAway) {
  Target target = testing::scratchpad_machine();
  for (Memory& memory : target.memories) {
    if (memory.name == "ldm") memory.reserved_bytes = 4096;
  }
  const auto layouts = lay_out(testing::buffered_matmul(128, 64), target, {});
  EXPECT_EQ(layouts[0].available_bytes(), 65536 - 4096 - kCodeBytes);
}

TEST(Scratchpad, BuffersBeginWhereTheEngineCanReachThem) {
  Target target = testing::scratchpad_machine();
  for (TransferEngine& engine : target.transfer_engines) engine.alignment_bytes = 128;
  const auto layouts = lay_out(testing::buffered_matmul(100, 3), target, {});
  ASSERT_EQ(layouts[0].buffers.size(), 3U);
  for (const PlacedBuffer& b : layouts[0].buffers) EXPECT_EQ(b.offset_bytes % 128, 0);
}

TEST(Scratchpad, ACacheHasNoHardLimit) {
  Target target = load_target("c", samples::at(1));
  const auto layouts = lay_out(testing::buffered_matmul(1024, 1024), target, {});
  EXPECT_GT(layouts[0].total_bytes, layouts[0].capacity_bytes);
  EXPECT_EQ(layouts[0].reserved_bytes, 0);
  EXPECT_TRUE(layouts[0].fits());
}

TEST(Scratchpad, WhatAllCoresSeeLiesWithTheOthersInACache) {
  samples::Matmul matmul(8, 8, 8);
  schedule::BufferRequest request;
  request.stage = "C";
  request.tensor = "A";
  request.scope = kSharedScope;
  request.text = "buffer_read(A)";
  const auto state = schedule::buffer_read(schedule::make_state({matmul.c}, samples::at(5)),
                                           request, samples::at(6))
                         .state;
  const auto layouts = lay_out(state, load_target("c", samples::at(1)), {});
  ASSERT_EQ(layouts.size(), 1U);
  EXPECT_EQ(layouts[0].scope, "panel");
  EXPECT_EQ(layouts[0].buffers.size(), 1U);
}

/// 16 elements of P are written from one buffer, 9 are read into another one by the next nest.
schedule::State two_nests() {
  const samples::Pipeline program(64);
  schedule::State state = schedule::make_state({program.c}, samples::at(5));
  const auto stage = [&](const std::string& name, std::int64_t factor) {
    const auto loop = state.stage_loops.at(name)[0];
    const auto made = schedule::split(state, name, loop, factor, samples::at(6));
    schedule::BufferRequest request;
    request.stage = name;
    request.tensor = "P";
    request.at = made.outer;
    request.text = "buffer";
    state = name == "P" ? schedule::buffer_write(made.state, request, samples::at(7)).state
                        : schedule::buffer_read(made.state, request, samples::at(8)).state;
  };
  stage("P", 16);
  stage("C", 8);
  return state;
}

TEST(Scratchpad, NestsThatFollowEachOtherShareBytes) {
  const auto layouts = lay_out(two_nests(), testing::scratchpad_machine(), {});
  const ScratchpadLayout& ldm = layouts[0];
  ASSERT_EQ(ldm.buffers.size(), 2U);
  EXPECT_EQ(ldm.buffers[0].offset_bytes, 0);
  EXPECT_EQ(ldm.buffers[1].offset_bytes, 0);
  EXPECT_EQ(ldm.total_bytes, 64);
  EXPECT_EQ(ldm.live_bytes, 64);
  EXPECT_TRUE(ldm.shares_bytes());
}

TEST(Scratchpad, BuffersOfOneNestDoNotShare) {
  const auto layouts =
      lay_out(testing::buffered_matmul(128, 64), testing::scratchpad_machine(), {});
  EXPECT_FALSE(layouts[0].shares_bytes());
}

TEST(Scratchpad, BuffersInACacheDoNotShare) {
  const auto layouts = lay_out(two_nests(), load_target("c", samples::at(1)), {});
  EXPECT_EQ(layouts[0].total_bytes, 64 + 36);
  EXPECT_FALSE(layouts[0].shares_bytes());
}

TEST(Scratchpad, ANestLeavesWhatItsBuffersDoNotTake) {
  const schedule::State state = two_nests();
  const auto layouts = lay_out(state, testing::scratchpad_machine(), {});
  EXPECT_EQ(bytes_beside(state, layouts[0], "P"), 64);
  EXPECT_EQ(bytes_beside(state, layouts[0], "C"), 64);
  EXPECT_TRUE(share_a_nest(state, "P", "P"));
  EXPECT_FALSE(share_a_nest(state, "P", "C"));
}

TEST(Scratchpad, WithoutBuffersTheDefaultMemoryIsEmpty) {
  const samples::Matmul matmul(1, 8, 8);
  const auto layouts =
      lay_out(schedule::make_state({matmul.c}, {}), testing::scratchpad_machine(), {});
  ASSERT_EQ(layouts.size(), 1U);
  EXPECT_TRUE(layouts[0].buffers.empty());
  EXPECT_EQ(layouts[0].total_bytes, 0);
}

}  // namespace
}  // namespace solway::memory_planner
