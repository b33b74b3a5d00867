#include "lowering/choose_code.h"

#include <gtest/gtest.h>

#include "lowering/ir/fold.h"
#include "support/error.h"

namespace solway::lowering {
namespace {

ir::Stmt call() {
  const ir::Buffer buffer = ir::make_buffer("C", DType::Float32, {8});
  return ir::Call::make("twice", {{"Y", buffer, {ir::index(0)}, {1}}}, {{"c", "Y[0] *= 2;"}});
}

TEST(ChooseCode, TakesTheTextOfTheTarget) {
  const ir::Stmt chosen = choose_code(call(), "c", CodeForm::C);
  EXPECT_EQ(chosen.as<ir::Call>().text, "Y[0] *= 2;");
}

TEST(ChooseCode, KeepsWhatIsNoCall) {
  const ir::Stmt none = ir::Block::make({});
  EXPECT_TRUE(choose_code(none, "c", CodeForm::C).same_as(none));
}

TEST(ChooseCode, RefusesATargetWithoutCode) {
  EXPECT_THROW(choose_code(call(), "sw26010", CodeForm::C), UnsupportedError);
}

TEST(ChooseCode, LeavesAMicroKernelToATargetWithAssembly) {
  const ir::Buffer buffer = ir::make_buffer("C", DType::Float32, {8});
  const ir::Stmt product =
      ir::Call::make("micro_kernel_1x4x2", {{"C", buffer, {ir::index(0)}, {1}}}, {}, {}, {},
                     ir::ProductExtents{1, 4, 2});
  EXPECT_TRUE(choose_code(product, "sw26010", CodeForm::CAndAssembly).same_as(product));
  EXPECT_THROW(choose_code(product, "c", CodeForm::C), UnsupportedError);
  EXPECT_THROW(choose_code(product, "x86-64-v3", CodeForm::Other), UnsupportedError);
}

TEST(ChooseCode, RefusesATargetThatTakesNoC) {
  EXPECT_THROW(choose_code(call(), "c", CodeForm::Other), UnsupportedError);
}

}  // namespace
}  // namespace solway::lowering
