#include "emulator/machine_timing.h"

#include <gtest/gtest.h>

#include "support/error.h"
#include "support/target.h"

namespace solway::emulator {
namespace {

TEST(TimingOf, ComesFromTheTargetFile) {
  const MachineTiming timing = timing_of(load_target("sw26010", {}));
  EXPECT_EQ(timing.float_latency, 7);
  EXPECT_EQ(timing.icache_bytes, 16384);
  EXPECT_EQ(timing.dma.pending, 3);
  // 32 bytes at 4.31 GB/s and 1450 MHz.
  EXPECT_DOUBLE_EQ(timing.dma.points.front().get_bytes_per_cycle, 4.31 / 1.45);
}

TEST(TimingOf, SaysWhatATargetLacks) {
  Target target = load_target("sw26010", {});
  target.timing.reset();
  try {
    timing_of(target);
    FAIL();
  } catch (const UnsupportedError& error) {
    EXPECT_NE(std::string(error.what()).find("no table [timing]"), std::string::npos);
  }
}

TEST(TimingOf, AsksHowLargeACacheIsWhoseMissesCost) {
  Target target = load_target("sw26010", {});
  target.cores.icache_bytes = 0;
  try {
    timing_of(target);
    FAIL();
  } catch (const UnsupportedError& error) {
    EXPECT_NE(std::string(error.what()).find("no cores.icache_bytes above zero"),
              std::string::npos);
  }
  target.timing->instruction_cache.reset();
  EXPECT_EQ(timing_of(target).icache_bytes, 0);
}

}  // namespace
}  // namespace solway::emulator
