#include "emulator/subprocess.h"

#include <gtest/gtest.h>

#include <pthread.h>
#include <signal.h>

namespace solway::emulator {
namespace {

ChildResult shell(const std::string& text, const ChildLimits& limits = {}) {
  return run_child({"/bin/sh", "-c", text, "sh", "{answer}"}, limits);
}

TEST(Subprocess, GivesAnswerMessagesAndExitCode) {
  const ChildResult result = shell("echo said; echo warned >&2; eval \"echo answer >&$1\"; exit 3");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.messages, "said\nwarned\n");
  EXPECT_EQ(result.output, "answer\n");
}

TEST(Subprocess, EndsAChildThatRunsTooLong) {
  const ChildResult result = shell("sleep 20", {.seconds = 0.2});
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
}

TEST(Subprocess, TellsASignalFromAnExit) {
  const ChildResult result = shell("kill -SEGV $$");
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_EQ(result.exit_code, -1);
}

TEST(Subprocess, RunsNoForkHandlersOfTheLibrariesAround) {
  static int handled = 0;
  pthread_atfork([] { ++handled; }, nullptr, nullptr);
  EXPECT_EQ(shell("exit 3").exit_code, 3);
  EXPECT_EQ(handled, 0);
}

TEST(Subprocess, AProgramThatIsNotThereExitsWith127) {
  EXPECT_EQ(run_child({"/nowhere/program"}, {}).exit_code, 127);
}

}  // namespace
}  // namespace solway::emulator
