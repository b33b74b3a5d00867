#include "driver/options.h"

#include <cstdlib>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace solway::driver {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

class OptionsTest : public ::testing::Test {
 protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }

 private:
  static void clear() {
    for (const char* name : {"SOLWAY_PRINT_AFTER", "SOLWAY_STOP_AFTER", "SOLWAY_TIMINGS"}) {
      unsetenv(name);
    }
  }
};

TEST_F(OptionsTest, AskForNothingByDefault) {
  const PassOptions options = PassOptions::from_environment();
  EXPECT_THAT(options.print_after, IsEmpty());
  EXPECT_EQ(options.stop_after, "");
  EXPECT_FALSE(options.timings);
  EXPECT_FALSE(options.prints_after("simplify"));
}

TEST_F(OptionsTest, ComeFromTheEnvironment) {
  setenv("SOLWAY_PRINT_AFTER", "simplify, unroll_loops,,", 1);
  setenv("SOLWAY_STOP_AFTER", "simplify", 1);
  setenv("SOLWAY_TIMINGS", "1", 1);
  const PassOptions options = PassOptions::from_environment();
  EXPECT_THAT(options.print_after, ElementsAre("simplify", "unroll_loops"));
  EXPECT_EQ(options.stop_after, "simplify");
  EXPECT_TRUE(options.timings);
  EXPECT_TRUE(options.prints_after("simplify"));
  EXPECT_FALSE(options.prints_after("lower"));
}

TEST_F(OptionsTest, ZeroTurnsTimingsOff) {
  setenv("SOLWAY_TIMINGS", "0", 1);
  EXPECT_FALSE(PassOptions::from_environment().timings);
}

TEST_F(OptionsTest, AllNamesEachPass) {
  EXPECT_TRUE(PassOptions({{"all"}, "", false}).prints_after("simplify"));
}

TEST_F(OptionsTest, TimerPrintsOnceWhenWanted) {
  std::ostringstream out;
  { const PhaseTimer timer({{}, "", true}, "lower", out); }
  EXPECT_THAT(out.str(), MatchesRegex("solway: lower: [0-9]+\\.[0-9][0-9][0-9] ms\n"));
}

TEST_F(OptionsTest, TimerIsQuietOtherwise) {
  std::ostringstream out;
  { const PhaseTimer timer({}, "lower", out); }
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace solway::driver
