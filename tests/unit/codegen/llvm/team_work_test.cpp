#include "codegen/llvm/team_work.h"

#include <string>

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::codegen {
namespace {

/// A loop that runs as often as N says, around a parallel one.
std::string counted(const std::string& role, const std::string& before = "") {
  return "kernel k(" + role + " N: int64[1], out C: int64[4]) {\n" + before +
         "  for t in [0, N[0]) {\n    for i in [0, 4) parallel {\n      C[i] = t\n    }\n  }\n}\n";
}

TEST(TeamWork, BoundsMayReadInputs) {
  EXPECT_EQ(team_lack(ir::parse_kernel(counted("in")), {}), "");
}

TEST(TeamWork, BoundsMayNotReadWhatIsWritten) {
  const ir::Kernel changed = ir::parse_kernel(counted("inout"));
  EXPECT_NE(team_lack(changed, {}).find("reads 'N'"), std::string::npos);
  EXPECT_NE(team_lack(ir::parse_kernel(counted("in")), {"N"}).find("reads 'N'"), std::string::npos);
}

TEST(TeamWork, AParallelLoopIsNeeded) {
  const ir::Kernel plain =
      ir::parse_kernel("kernel k(out C: int64[4]) {\n  for i in [0, 4) {\n    C[i] = i\n  }\n}\n");
  EXPECT_EQ(team_lack(plain, {}), "no loop of it is parallel");
}

}  // namespace
}  // namespace solway::codegen
