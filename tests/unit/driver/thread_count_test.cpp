#include "driver/thread_count.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/cores.h"
#include "support/error.h"

namespace solway::driver {
namespace {

class ThreadCount : public ::testing::Test {
 protected:
  void SetUp() override { unsetenv("SOLWAY_THREADS"); }
  void TearDown() override { unsetenv("SOLWAY_THREADS"); }
};

TEST_F(ThreadCount, ACallSaysFirstThenTheEnvironment) {
  EXPECT_EQ(threads_of_call(0, true, {}), runtime::default_threads());
  setenv("SOLWAY_THREADS", "5", 1);
  EXPECT_EQ(threads_of_call(0, true, {}), 5);
  EXPECT_EQ(threads_of_call(3, true, {}), 3);
}

TEST_F(ThreadCount, CodeWithoutThreadsHasOne) {
  setenv("SOLWAY_THREADS", "5", 1);
  EXPECT_EQ(threads_of_call(0, false, {}), 1);
  EXPECT_EQ(threads_of_call(1, false, {}), 1);
  EXPECT_THROW(threads_of_call(2, false, {}), UnsupportedError);
}

TEST_F(ThreadCount, WhatIsNoNumberIsRefused) {
  EXPECT_THROW(threads_of_call(-1, true, {}), ScheduleArgumentError);
  EXPECT_THROW(threads_of_call(1025, true, {}), ScheduleArgumentError);
  for (const char* text : {"", "0", "-2", "4.5", "4 ", "1025", "99999999999999"}) {
    setenv("SOLWAY_THREADS", text, 1);
    try {
      threads_of_call(0, true, {"user.py", 3, "k(a)"});
      FAIL() << text;
    } catch (const ScheduleArgumentError& e) {
      EXPECT_EQ(e.report().where.line, 3);
      EXPECT_THAT(e.report().why, ::testing::HasSubstr(text));
    }
  }
}

}  // namespace
}  // namespace solway::driver
