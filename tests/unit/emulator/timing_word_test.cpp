#include "emulator/timing_word.h"

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

TEST(TimingWord, RoundTrips) {
  MachineTiming timing;
  timing.load_latency = 4;
  timing.spawn = 15000;
  timing.dma_buses = 4;
  timing.dma = {{32, 1.0 / 3, 1.5}, {128, 12.25, 1e-9}};
  const std::string word = to_word(timing);
  EXPECT_EQ(word.find(' '), std::string::npos);
  const MachineTiming back = timing_from_word(word);
  EXPECT_EQ(to_word(back), word);
  EXPECT_EQ(back.spawn, 15000);
  EXPECT_EQ(back.dma_buses, 4);
  ASSERT_EQ(back.dma.size(), 2U);
  EXPECT_EQ(back.dma[0].get_bytes_per_cycle, 1.0 / 3);
  EXPECT_EQ(back.dma[1].put_bytes_per_cycle, 1e-9);
}

}  // namespace
}  // namespace solway::emulator
