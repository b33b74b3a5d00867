#include "driver/llvm_kernel.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(LlvmKernel, RunsAndShowsItsCode) {
  const ir::Kernel twice = ir::parse_kernel(
      "kernel twice(in A: int32[3], out C: int32[3]) {\n"
      "  for i in [0, 3) {\n    C[i] = (A[i] * 2i32)\n  }\n}\n");
  LlvmKernel kernel(twice, {});
  std::vector<std::int32_t> a = {1, 2, 3}, c(3);
  void* args[] = {a.data(), c.data()};
  const RunReport report = kernel.run(args, {});
  EXPECT_EQ(report.status, 0);
  EXPECT_FALSE(report.emulated);
  EXPECT_THAT(c, ElementsAre(2, 4, 6));
  EXPECT_THAT(kernel.sources().at("twice.ll"), HasSubstr("define"));
  EXPECT_THAT(kernel.sources().at("twice.s"), HasSubstr("twice"));
  EXPECT_EQ(kernel.libraries(codegen::ParallelForm::OneThread, {}).count("libtwice.a"), 1U);
}

}  // namespace
}  // namespace solway::driver
