#include "lowering/ir/for_all_cores.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::ir {
namespace {

bool of(const std::string& body) {
  return is_for_all_cores(
      parse_kernel("kernel k(in N: int64[1], out C: float32[64, 64]) {\n" + body + "\n}").body);
}

TEST(ForAllCores, ParallelLoopsAndBarriers) {
  EXPECT_TRUE(of("for t in [0, 4) { for i in [0, 64) parallel { C[i, t] = 0.0f32 } }"));
  EXPECT_TRUE(of("for t in [0, N[0]) { for i in [0, 4) parallel { C[i, 0] = 1.0f32 } }"));
  EXPECT_TRUE(of("if (1 < 2) { barrier }"));
  EXPECT_FALSE(of("for t in [0, 4) { C[t, t] = 0.0f32 }"));
  EXPECT_FALSE(of("for i in [0, 4) { C[i, 0] = 1.0f32 }"));
  EXPECT_FALSE(is_for_all_cores(Stmt()));
}

}  // namespace
}  // namespace solway::ir
