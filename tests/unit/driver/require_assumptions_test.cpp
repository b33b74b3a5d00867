#include "driver/require_assumptions.h"

#include <algorithm>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/assume.h"
#include "support/error.h"

#include "tests/support/sample_programs.h"

namespace solway::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// B[i] = A[i] + A[i] of n elements, n a multiple of 4 up to 16.
class RequireAssumptions : public testing::TestWithParam<const char*> {
 protected:
  RequireAssumptions() {
    const dsl::Expr n = dsl::make_size_ref(dsl::make_size("n", 1, 16, samples::at(1)), {});
    const dsl::Extent extent = dsl::make_extent(n, samples::at(1));
    const dsl::Tensor a = dsl::make_placeholder({extent}, DType::Float32, "A", samples::at(2));
    const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, extent, samples::at(3));
    const dsl::Expr read = dsl::make_read(a, {samples::value_of(i)}, samples::at(3));
    const dsl::Tensor b = dsl::make_compute(
        {extent}, {i}, dsl::make_binary(BinaryOp::Add, read, read, {}), "B", samples::at(3));
    const auto number = [](std::int64_t value) {
      return dsl::make_int(value, DType::Int64, false, {});
    };
    const dsl::Expr rest = dsl::make_binary(BinaryOp::Mod, n, number(4), {});
    const dsl::Expr whole = dsl::make_binary(BinaryOp::Eq, rest, number(0), {});
    const dsl::Expr some = dsl::make_binary(BinaryOp::Ge, n, number(1), {});
    const schedule::State state = schedule::make_state({b}, samples::at(4));
    kernel = build(schedule::assume(state, {whole, some}, samples::at(5)), {a, b},
                   {GetParam(), "twice"}, samples::at(6));
  }

  CompiledKernel kernel;
};

TEST_P(RequireAssumptions, NamesTheConditionItsLineAndTheValues) {
  EXPECT_NO_THROW(require_assumptions(kernel, {{"n", 8}}, samples::at(7)));
  try {
    require_assumptions(kernel, {{"n", 6}}, samples::at(7));
    FAIL() << "expected ArgumentMismatchError";
  } catch (const ArgumentMismatchError& e) {
    EXPECT_EQ(e.report().where.line, 7);
    EXPECT_EQ(e.report().what, "twice runs only where n % 4 == 0");
    EXPECT_EQ(e.report().why, "got n = 6; the condition is assumed at user.py:5");
  }
}

TEST_P(RequireAssumptions, TheCodeDoesNothingWhereOneFails) {
  std::vector<float> a(8, 3), b(8, -1);
  std::int64_t n = 6;
  void* args[] = {a.data(), b.data(), &n};
  EXPECT_EQ(kernel.run(args).status, 4);
  EXPECT_THAT(b, testing::Each(-1));
  n = 4;
  EXPECT_EQ(kernel.run(args).status, 0);
  EXPECT_THAT(b, ElementsAre(6, 6, 6, 6, -1, -1, -1, -1));
}

TEST_P(RequireAssumptions, OneThatHoldsAnywayIsARemark) {
  ASSERT_EQ(kernel.kernel().requirements.size(), 1U);
  const auto remarks = kernel.remarks();
  const auto is_it = [](const Remark& remark) { return remark.step == "assume(n >= 1)"; };
  const auto remark = std::find_if(remarks.begin(), remarks.end(), is_it);
  ASSERT_NE(remark, remarks.end());
  EXPECT_EQ(remark->verdict, "has no effect");
  EXPECT_EQ(remark->where.line, 5);
}

INSTANTIATE_TEST_SUITE_P(Targets, RequireAssumptions, testing::Values("host", "c"));

}  // namespace
}  // namespace solway::driver
