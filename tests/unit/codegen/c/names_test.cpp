#include "codegen/c/names.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::codegen::c99 {
namespace {

TEST(CNames, KeepsWhatCAllows) {
  const ir::Kernel k = ir::parse_kernel(
      "kernel k(in A: float32[8], out double: float32[8], out double_: float32[8]) {"
      "  for sw_t in [0, 8) { for expf in [0, 8) { A[expf] = 0.0f32 } } }");
  const CNames names(k);
  EXPECT_EQ(names.of("A"), "A");
  EXPECT_EQ(names.of("double_"), "double_");
  EXPECT_EQ(names.of("double"), "double__");
  EXPECT_EQ(names.of("sw_t"), "vsw_t");
  EXPECT_EQ(names.of("expf"), "expf_");
}

TEST(CNames, KnowsReservedWords) {
  EXPECT_TRUE(is_reserved_in_c("main"));
  EXPECT_TRUE(is_reserved_in_c("int32_t"));
  EXPECT_TRUE(is_reserved_in_c("rintf"));
  EXPECT_FALSE(is_reserved_in_c("conv"));
}

}  // namespace
}  // namespace solway::codegen::c99
