#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include "emulator/worker/detail/instrument.h"

namespace solway::emulator {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The body of a function of three floats, after the pass.
std::string fused(const std::string& body) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseAssemblyString(
      "declare void @use(float)\ndefine float @f(float %a, float %b, float %c) {\n" + body + "\n}",
      diagnostic, context);
  EXPECT_NE(module, nullptr) << diagnostic.getMessage().str();
  fuse_multiply_add(*module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->getFunction("f")->print(stream);
  return text;
}

TEST(FuseMultiplyAdd, SumTakesTheProductOnEitherSide) {
  const std::string left =
      fused("%p = fmul contract float %a, %b\n%s = fadd contract float %p, %c\nret float %s");
  EXPECT_THAT(left, HasSubstr("call contract float @llvm.fma.f32(float %a, float %b, float %c)"));
  EXPECT_THAT(left, Not(HasSubstr("fmul")));
  EXPECT_THAT(left, Not(HasSubstr("fadd")));
  EXPECT_EQ(left, fused("%p = fmul contract float %a, %b\n%s = fadd contract float %c, %p\n"
                        "ret float %s"));
}

TEST(FuseMultiplyAdd, DifferenceNegatesWhatIsTakenAway) {
  const std::string from =
      fused("%p = fmul contract float %a, %b\n%s = fsub contract float %p, %c\nret float %s");
  EXPECT_THAT(from, HasSubstr("fneg contract float %c"));
  EXPECT_THAT(from, HasSubstr("@llvm.fma.f32(float %a, float %b, float %1)"));
  const std::string taken =
      fused("%p = fmul contract float %a, %b\n%s = fsub contract float %c, %p\nret float %s");
  EXPECT_THAT(taken, HasSubstr("fneg contract float %a"));
  EXPECT_THAT(taken, HasSubstr("@llvm.fma.f32(float %1, float %b, float %c)"));
}

TEST(FuseMultiplyAdd, OneOfTwoProductsStays) {
  const std::string text = fused(
      "%p = fmul contract float %a, %b\n%q = fmul contract float %b, %c\n"
      "%s = fadd contract float %p, %q\nret float %s");
  EXPECT_THAT(text, HasSubstr("@llvm.fma.f32(float %a, float %b, float %q)"));
}

TEST(FuseMultiplyAdd, ProductThatIsUsedElsewhereStays) {
  EXPECT_THAT(fused("%p = fmul contract float %a, %b\n%s = fadd contract float %p, %c\n"
                    "call void @use(float %p)\nret float %s"),
              Not(HasSubstr("llvm.fma")));
  EXPECT_THAT(fused("%p = fmul contract float %a, %b\n%s = fadd contract float %p, %p\n"
                    "ret float %s"),
              Not(HasSubstr("llvm.fma")));
}

TEST(FuseMultiplyAdd, NothingWithoutLeave) {
  EXPECT_THAT(fused("%p = fmul float %a, %b\n%s = fadd contract float %p, %c\nret float %s"),
              Not(HasSubstr("llvm.fma")));
  EXPECT_THAT(fused("%p = fmul contract float %a, %b\n%s = fadd float %p, %c\nret float %s"),
              Not(HasSubstr("llvm.fma")));
}

}  // namespace
}  // namespace solway::emulator
