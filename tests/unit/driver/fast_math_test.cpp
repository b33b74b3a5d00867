#include "driver/fast_math.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/target_choice.h"

#include "tests/unit/driver/plane_samples.h"
#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::driver {
namespace {

using memory_planner::testing::vector_machine;
using samples::at;
using testing::blocked_convolution;
using ::testing::HasSubstr;

TEST(ExchangeAlgorithms, TakesMinimalFilteringWhereItIsFaster) {
  const dsl::Tensor c = blocked_convolution(64, 64, 56);
  const ExchangedAlgorithms made = exchange_algorithms({c}, vector_machine(), {}, at(9));
  ASSERT_EQ(made.by.size(), 1U);
  EXPECT_EQ(made.outputs[0], made.by.at(c));
  ASSERT_NE(made.outputs[0]->winograd, nullptr);
  EXPECT_EQ(made.outputs[0]->winograd->outputs, 4);
  ASSERT_EQ(made.remarks.size(), 1U);
  EXPECT_EQ(made.remarks[0].verdict, "minimal filtering F(4x4, 3x3)");
}

TEST(ExchangeAlgorithms, TakesSmallerTilesWhereWeightsComeFromMemory) {
  const Target target = vector_machine();
  dsl::PlaneConvolution sizes;
  sizes.rows = sizes.columns = 14;
  sizes.taps = 3;
  sizes.channels = sizes.filters = 512;
  sizes.has_known_weights = true;
  EXPECT_LT(winograd_cycles(sizes, 2, DType::Float32, target),
            winograd_cycles(sizes, 4, DType::Float32, target));
  sizes.rows = sizes.columns = 56;
  EXPECT_GT(winograd_cycles(sizes, 2, DType::Float32, target),
            winograd_cycles(sizes, 4, DType::Float32, target));
}

TEST(ExchangeAlgorithms, LeavesWhatGainsNothing) {
  const dsl::Tensor c = blocked_convolution(16, 16, 2);
  const ExchangedAlgorithms made = exchange_algorithms({c}, vector_machine(), {}, at(9));
  EXPECT_TRUE(made.by.empty());
  EXPECT_EQ(made.outputs[0], c);
  ASSERT_EQ(made.remarks.size(), 1U);
  EXPECT_EQ(made.remarks[0].verdict, "computed as it is written");
  EXPECT_THAT(made.remarks[0].why, HasSubstr("cycles by the model"));
}

TEST(ExchangeAlgorithms, LeavesOutProductsWithAChosenZero) {
  const auto k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, 4, at(3));
  const dsl::Expr place = dsl::make_axis_ref(k, at(3));
  const auto read = [&](const std::string& name) {
    return dsl::make_read(dsl::make_placeholder({4}, DType::Float32, name, at(3)), {place}, at(3));
  };
  const dsl::Expr below =
      dsl::make_binary(BinaryOp::Lt, place, dsl::make_int(2, DType::Int64, true, at(3)), at(3));
  const dsl::Expr factor =
      dsl::make_select(below, read("A"), dsl::make_float(0, DType::Float32, false, at(3)), at(3));
  const dsl::Expr product = dsl::make_binary(BinaryOp::Mul, factor, read("B"), at(3));
  const dsl::Tensor c = dsl::make_compute(
      dsl::Extents{}, {}, dsl::make_reduce(ReduceOp::Sum, product, {k}, at(3)), "C", at(3));
  const ExchangedAlgorithms made = exchange_algorithms({c}, vector_machine(), {}, at(9));
  ASSERT_EQ(made.by.size(), 1U);
  ASSERT_EQ(made.remarks.size(), 1U);
  EXPECT_EQ(made.remarks[0].verdict, "products with 0 are left out");
}

TEST(ExchangeAlgorithms, LeavesScratchpadMachinesAlone) {
  const dsl::Tensor c = blocked_convolution(64, 64, 28);
  const Target target = load_target("sw26010", at(9));
  EXPECT_EQ(exchange_algorithms({c}, target, {}, at(9)).outputs[0], c);
}

TEST(WinogradCycles, CountProductsTransformsAndWeights) {
  dsl::PlaneConvolution c;
  c.rows = c.columns = 56;
  c.taps = 3;
  c.channels = c.filters = 256;
  const Target target = vector_machine();
  const double direct = direct_cycles(c, DType::Float32, target);
  EXPECT_EQ(direct, 56.0 * 56 * 9 * 256 * 256 / 2 / 16 + 9.0 * 256 * 256 * 4 / 10);
  c.filters = 16;  // whose weights stay in the cache
  EXPECT_EQ(direct_cycles(c, DType::Float32, target), 56.0 * 56 * 9 * 256 * 16 / 2 / 16);
  c.filters = 256;
  const double filtered = winograd_cycles(c, 4, DType::Float32, target);
  EXPECT_LT(filtered, direct / 2);
  EXPECT_GT(filtered, direct / 4);
  c.has_known_weights = true;
  EXPECT_LT(winograd_cycles(c, 4, DType::Float32, target), filtered);
}

}  // namespace
}  // namespace solway::driver
