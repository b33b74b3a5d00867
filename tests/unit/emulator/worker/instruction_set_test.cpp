#include "emulator/worker/instruction_set.h"

#include <gtest/gtest.h>

#include "support/target.h"

namespace solway::emulator {
namespace {

TEST(FindInstruction, KnowsPipesAndLatencies) {
  const MachineTiming timing = timing_of(load_target("sw26010", {}));
  const auto cycles = [&](const char* name) {
    return cycles_of(find_instruction(name)->latency, timing);
  };
  // Fang, thesis, table 3.2.
  EXPECT_EQ(cycles("vmad"), 7);
  EXPECT_EQ(cycles("vldd"), 4);
  EXPECT_EQ(cycles("mull"), 5);
  EXPECT_EQ(cycles("vshff"), 1);
  EXPECT_EQ(cycles("addl"), 1);
  EXPECT_EQ(cycles("getr"), 4);
  EXPECT_EQ(find_instruction("vmad")->pipe, Pipe::Zero);
  EXPECT_EQ(find_instruction("putr")->pipe, Pipe::One);
  EXPECT_EQ(find_instruction("addl")->pipe, Pipe::Either);
  EXPECT_EQ(find_instruction("halt"), nullptr);
}

TEST(RegisterNumber, KnowsOtherNames) {
  EXPECT_EQ(register_number("$0"), 0);
  EXPECT_EQ(register_number("$31"), 31);
  EXPECT_EQ(register_number("$sp"), 30);
  EXPECT_EQ(register_number("$gp"), 29);
  for (const char* const none : {"$32", "$f1", "$", "1", "$1x", ""}) {
    EXPECT_EQ(register_number(none), -1) << none;
  }
}

}  // namespace
}  // namespace solway::emulator
