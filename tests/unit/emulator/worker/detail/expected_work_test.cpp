#include <cmath>

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Support/SourceMgr.h>

#include "emulator/worker/detail/instrument.h"

namespace solway::emulator {
namespace {

/// Of the function `main` in a module of this text.
double work(const std::string& text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseAssemblyString(text, diagnostic, context);
  EXPECT_NE(module, nullptr) << diagnostic.getMessage().str();
  return expected_work(*module->getFunction("main"));
}

/// A function with a loop of five instructions that runs to `bound`, after `before`.
std::string loop(const std::string& head, const std::string& before, const std::string& bound) {
  return "define void @" + head + " {\n" + before + R"(
    br label %again
  again:
    %i = phi i64 [ 0, %0 ], [ %next, %again ]
    store volatile i64 %i, ptr @sink
    %next = add nuw nsw i64 %i, 1
    %more = icmp slt i64 %next, )" +
         bound + R"(
    br i1 %more, label %again, label %out
  out:
    ret void
  }
  )";
}

const std::string kSink = "@sink = global i64 0\n";

TEST(ExpectedWork, KnownBoundsMultiply) {
  EXPECT_EQ(work(kSink + loop("main()", "", "10")), 1 + 10 * 5 + 1);
}

TEST(ExpectedWork, BoundThatIsAParameterCountsAsSixtyFour) {
  EXPECT_EQ(work(kSink + loop("main(i64 %n)", "", "%n")), 1 + 64 * 5 + 1);
}

TEST(ExpectedWork, BoundThatDependsOnTheCpeIsThatOfTheFirst) {
  EXPECT_EQ(work(kSink + "declare i32 @athread_get_id(i32)\n" +
                 loop("main()",
                      "%id = call i32 @athread_get_id(i32 -1)\n%wide = sext i32 %id to i64\n"
                      "%n = sub nsw i64 7, %wide",
                      "%n")),
            4 + 7 * 5 + 1);
}

TEST(ExpectedWork, LoopThatWaitsCountsOnce) {
  EXPECT_EQ(work(R"(
@reply = global i32 0
define void @main() {
  br label %again
again:
  %v = load volatile i32, ptr @reply
  %done = icmp eq i32 %v, 1
  br i1 %done, label %out, label %again
out:
  ret void
})"),
            1 + 3 + 1);
}

TEST(ExpectedWork, WhatIsSpawnedRunsOnEachCpe) {
  EXPECT_EQ(work(kSink + loop("part()", "", "10") + R"(
declare i32 @spawn(ptr, ptr)
define void @main() {
  %r = call i32 @spawn(ptr @part, ptr null)
  call void @part()
  ret void
})"),
            3 + 52 * 64 + 52);
}

TEST(ExpectedWork, RecursionAndCallsThroughPointersHaveNoBound) {
  EXPECT_TRUE(std::isinf(work("define void @main() {\ncall void @main()\nret void\n}")));
  EXPECT_TRUE(std::isinf(work("define void @main(ptr %f) {\ncall void %f()\nret void\n}")));
}

}  // namespace
}  // namespace solway::emulator
