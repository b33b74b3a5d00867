#include "driver/c_kernel.h"

#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen/c/emit_c.h"
#include "lowering/ir/parser.h"

namespace solway::driver {
namespace {

using testing::ElementsAre;

CKernel twice() {
  const ir::Kernel kernel = ir::parse_kernel(
      "kernel twice(in A: int32[3], out C: int32[3]) {\n"
      "  for i in [0, 3) {\n    C[i] = (A[i] * 2i32)\n  }\n}\n");
  return CKernel(kernel, codegen::emit_c(kernel), "", {"user.py", 3, ""});
}

TEST(CKernel, CompilesAtTheFirstCallAndRuns) {
  CKernel kernel = twice();
  std::vector<std::int32_t> a = {1, 2, 3}, c(3);
  void* args[] = {a.data(), c.data()};
  const RunReport report = kernel.run(args, {});
  EXPECT_EQ(report.status, 0);
  EXPECT_GE(report.seconds, 0);
  EXPECT_FALSE(report.emulated);
  EXPECT_THAT(c, ElementsAre(2, 4, 6));
}

TEST(CKernel, ShowsItsSourceWithoutTheEntryOfThisProcess) {
  const CKernel kernel = twice();
  ASSERT_EQ(kernel.sources().size(), 1U);
  EXPECT_THAT(kernel.sources().at("twice.c"), testing::Not(testing::HasSubstr("twice_entry")));
}

TEST(CKernel, BringsAMakefileThatIsNotCompiled) {
  const ir::Kernel kernel = ir::parse_kernel("kernel one(out C: int32[1]) {\n  C[0] = 1i32\n}\n");
  CKernel code(kernel, codegen::emit_c(kernel), "all:\n", {"user.py", 3, ""});
  EXPECT_EQ(code.sources().at("Makefile"), "all:\n");
  std::vector<std::int32_t> c(1);
  void* args[] = {c.data()};
  EXPECT_EQ(code.run(args, {}).status, 0);
  EXPECT_EQ(c[0], 1);
}

TEST(CKernel, RunsInSeveralThreads) {
  CKernel kernel = twice();
  std::vector<std::vector<std::int32_t>> results(4, std::vector<std::int32_t>(3));
  std::vector<std::int32_t> a = {1, 2, 3};
  std::vector<std::thread> threads;
  for (std::vector<std::int32_t>& c : results) {
    threads.emplace_back([&] {
      void* args[] = {a.data(), c.data()};
      kernel.run(args, {});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(results, testing::Each(ElementsAre(2, 4, 6)));
}

}  // namespace
}  // namespace solway::driver
