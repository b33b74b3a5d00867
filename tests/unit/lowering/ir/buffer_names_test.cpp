#include "lowering/ir/buffer_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::ir {
namespace {

using testing::ElementsAre;

std::set<std::string> names_in(const std::string& text) {
  Scope scope;
  scope.vars["i"] = kInt64;
  for (const char* name : {"A", "B", "C", "D"}) {
    scope.buffers[name] = make_buffer(name, DType::Float32, {64});
  }
  return buffer_names(parse_stmt(text, scope));
}

TEST(BufferNames, AsDocumented) {
  EXPECT_THAT(names_in("allocate T: float32[4] in panel { T[0] = A[0] }"), ElementsAre("A", "T"));
}

TEST(BufferNames, OfVectorsTransfersAndRequests) {
  EXPECT_THAT(names_in("vstore(C[0], 4) = vload(A[(i * 4)], 4)"), ElementsAre("A", "C"));
  EXPECT_THAT(names_in("prefetch D[i]"), ElementsAre("D"));
  EXPECT_THAT(names_in("allocate T: float32[8] in ldm {\n"
                       "  issue T_get get A[0] -> T[0] (8, 1, 1)\n  wait T_get\n}"),
              ElementsAre("A", "T"));
}

}  // namespace
}  // namespace solway::ir
