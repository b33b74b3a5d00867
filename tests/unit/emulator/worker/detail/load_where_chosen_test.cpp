#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include "emulator/worker/detail/instrument.h"

namespace solway::emulator {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The body of a function of a condition and two pointers, after the pass.
std::string moved(const std::string& body) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseAssemblyString(
      "declare void @use(float)\ndefine float @f(i1 %c, ptr %p, ptr %q, float %x) {\n" + body +
          "\n}",
      diagnostic, context);
  EXPECT_NE(module, nullptr) << diagnostic.getMessage().str();
  load_where_chosen(*module);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->getFunction("f")->print(stream);
  return text;
}

TEST(LoadWhereChosen, OneSideOrBoth) {
  const std::string one =
      moved("%v = load float, ptr %p\n%w = select i1 %c, float %v, float %x\nret float %w");
  EXPECT_THAT(one, Not(HasSubstr("select")));
  EXPECT_LT(one.find("br i1 %c"), one.find("load float, ptr %p"));
  const std::string both = moved(
      "%v = load float, ptr %p\n%u = load float, ptr %q\n"
      "%w = select i1 %c, float %v, float %u\nret float %w");
  EXPECT_LT(both.find("br i1 %c"), both.find("load float, ptr %p"));
  EXPECT_LT(both.find("load float, ptr %p"), both.find("load float, ptr %q"));
}

TEST(LoadWhereChosen, SeveralChoicesOfOneBlock) {
  const std::string text = moved(
      "%v = load float, ptr %p\n%w = select i1 %c, float %v, float %x\n"
      "%u = load float, ptr %q\n%y = select i1 %c, float %u, float %w\nret float %y");
  EXPECT_THAT(text, Not(HasSubstr("select")));
}

TEST(LoadWhereChosen, NotWhatIsUsedElsewhereOrMayChange) {
  const std::string choice = "%w = select i1 %c, float %v, float %x\n";
  EXPECT_THAT(moved("%v = load float, ptr %p\n" + choice + "%s = fadd float %w, %v\nret float %s"),
              HasSubstr("select"));
  EXPECT_THAT(moved("%v = load float, ptr %p\nstore float %x, ptr %q\n" + choice + "ret float %w"),
              HasSubstr("select"));
  EXPECT_THAT(
      moved("%v = load float, ptr %p\ncall void @use(float %x)\n" + choice + "ret float %w"),
      HasSubstr("select"));
  EXPECT_THAT(moved("%v = load volatile float, ptr %p\n" + choice + "ret float %w"),
              HasSubstr("select"));
}

}  // namespace
}  // namespace solway::emulator
