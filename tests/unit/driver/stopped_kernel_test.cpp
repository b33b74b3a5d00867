#include "driver/stopped_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr const char* kKernel = "kernel k(out C: float32[1]) {\n  C[0] = 1.0f32\n}\n";

TEST(StoppedKernel, ShowsTheLoopIr) {
  const StoppedKernel stopped(ir::parse_kernel(kKernel), "simplify", {});
  EXPECT_THAT(stopped.sources(), ElementsAre(Pair("k.ir", kKernel)));
}

TEST(StoppedKernel, DoesNotRun) {
  StoppedKernel stopped(ir::parse_kernel(kKernel), "simplify", {"user.py", 7, "sw.build(s, [C])"});
  try {
    stopped.run({}, {});
    FAIL() << "expected UnsupportedError";
  } catch (const UnsupportedError& e) {
    EXPECT_EQ(e.report().where.line, 7);
    EXPECT_EQ(e.report().why, "its build stopped after pass 'simplify'");
    EXPECT_THAT(e.report().fix, HasSubstr("stop_after"));
  }
}

}  // namespace
}  // namespace solway::driver
