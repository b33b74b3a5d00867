#include "emulator/timing_word.h"

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

TEST(TimingWord, RoundTrips) {
  MachineTiming timing;
  timing.load_latency = 4;
  timing.figures.spawn_cycles = 15000;
  timing.figures.remote_copies.emplace().bytes_per_cycle = 7.0 / 3;
  timing.figures.remote_copies->hop_cycles = 4;
  timing.figures.instruction_cache.emplace().shared_bytes = 65536;
  timing.icache_bytes = 16384;
  timing.dma.buses = 4;
  timing.dma.points = {{32, 1.0 / 3, 1.5}, {128, 12.25, 1e-9}};
  const std::string word = to_word(timing);
  EXPECT_EQ(word.find(' '), std::string::npos);
  const MachineTiming back = timing_from_word(word);
  EXPECT_EQ(to_word(back), word);
  EXPECT_EQ(back.figures.spawn_cycles, 15000);
  EXPECT_FALSE(back.figures.messages.has_value());
  ASSERT_TRUE(back.figures.remote_copies.has_value());
  EXPECT_EQ(back.figures.remote_copies->bytes_per_cycle, 7.0 / 3);
  EXPECT_EQ(back.figures.remote_copies->hop_cycles, 4);
  ASSERT_TRUE(back.figures.instruction_cache.has_value());
  EXPECT_EQ(back.figures.instruction_cache->shared_bytes, 65536);
  EXPECT_EQ(back.icache_bytes, 16384);
  EXPECT_EQ(back.dma.buses, 4);
  ASSERT_EQ(back.dma.points.size(), 2U);
  EXPECT_EQ(back.dma.points[0].get_bytes_per_cycle, 1.0 / 3);
  EXPECT_EQ(back.dma.points[1].put_bytes_per_cycle, 1e-9);
}

}  // namespace
}  // namespace solway::emulator
