#include "driver/foreign_kernel.h"

#include <cstdlib>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/find_program.h"
#include "lowering/ir/parser.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const kTwice =
    "kernel twice(in A: int32[3], inout B: int32[3], out C: int32[3]) {\n"
    "  for i in [0, 3) {\n    C[i] = (A[i] * 2i32)\n    B[i] = (B[i] + C[i])\n  }\n}\n";

ForeignKernel kernel_for(const Target& target) {
  codegen::LlvmOptions options;
  options.cpu = target.llvm_cpu;
  options.triple = target.foreign->triple;
  options.features = target.foreign->features;
  return {ir::parse_kernel(kTwice), options, target, {"mine.py", 7, "k = sw.build(...)"}};
}

TEST(ForeignKernel, RunsUnderTheEmulator) {
  for (const char* name : {"aarch64-neon", "aarch64-sve", "riscv64-v"}) {
    const Target target = load_target(name, {});
    if (!find_program(target.foreign->emulator[0]) || !find_program(target.foreign->compiler)) {
      GTEST_SKIP() << "no emulator of " << name;
    }
    ForeignKernel kernel = kernel_for(target);
    std::vector<std::int32_t> a = {1, 2, 3}, b = {10, 20, 30}, c(3);
    void* args[] = {a.data(), b.data(), c.data()};
    EXPECT_EQ(kernel.run(args, {}).status, 0);
    EXPECT_THAT(a, ElementsAre(1, 2, 3));
    EXPECT_THAT(b, ElementsAre(12, 24, 36));
    EXPECT_THAT(c, ElementsAre(2, 4, 6));
  }
}

TEST(ForeignKernel, ShowsItsCode) {
  const ForeignKernel kernel = kernel_for(load_target("aarch64-neon", {}));
  EXPECT_THAT(kernel.sources().at("twice.ll"), HasSubstr("aarch64"));
  EXPECT_THAT(kernel.sources().at("twice.s"), HasSubstr("ret"));
  EXPECT_EQ(kernel.libraries(codegen::ParallelForm::OneThread, {}).count("libtwice.so"), 1U);
}

TEST(ForeignKernel, NamesTheProgramThatIsNotThere) {
  Target target = load_target("riscv64-v", {});
  target.foreign->compiler = "no-such-compiler";
  ForeignKernel kernel = kernel_for(target);
  try {
    kernel.prepare();
    FAIL() << "no error";
  } catch (const UnsupportedError& e) {
    EXPECT_THAT(e.report().what, HasSubstr("'riscv64-v' cannot be run here"));
    EXPECT_THAT(e.report().why, HasSubstr("'no-such-compiler' was not found"));
    EXPECT_EQ(e.report().where.line, 7);
  }
}

TEST(ForeignKernel, ATargetWithoutAnEmulatorIsForSavingOnly) {
  Target target = load_target("aarch64-neon", {});
  target.foreign->emulator.clear();
  ForeignKernel kernel = kernel_for(target);
  EXPECT_THROW(kernel.prepare(), UnsupportedError);
}

}  // namespace
}  // namespace solway::driver
