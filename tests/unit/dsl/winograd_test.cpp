#include "dsl/winograd.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

#include "tests/unit/dsl/programs.h"

namespace solway::dsl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

struct Sizes {
  std::int64_t size = 8;
  std::int64_t stride = 1;
  std::int64_t taps = 3;
  DType type = DType::Float32;
  bool is_bordered = false;  ///< the first row of X is left out
};

/// C[y, x, f] = sum over r, q, c of X[y s + r, x s + q, c] W[r, q, c, f], 16 channels, 64 filters.
Tensor convolution(const Sizes& s, Tensor weights = nullptr) {
  const std::int64_t wide = (s.size - 1) * s.stride + s.taps;
  const Tensor x = input("X", {wide, wide, 16}, s.type);
  if (weights == nullptr) weights = input("W", {s.taps, s.taps, 16, 64}, s.type);
  const Axis y = spatial("y", s.size), z = spatial("x", s.size), f = spatial("f", 64);
  const Axis r = reduction("r", s.taps), q = reduction("q", s.taps), c = reduction("c", 16);
  const auto at = [&](const Axis& axis, const Axis& tap) {
    return add(mul(var(axis), lit(s.stride)), var(tap));
  };
  const Expr product =
      mul(read(x, {at(y, r), at(z, q), var(c)}), read(weights, {var(r), var(q), var(c), var(f)}));
  const Expr inside = make_binary(BinaryOp::Lt, lit(0L), at(y, r), line(6));
  const Expr term = s.is_bordered ? make_select(inside, product, lit(0L), line(6)) : product;
  return make_compute({s.size, s.size, 64}, {y, z, f},
                      make_reduce(ReduceOp::Sum, term, {r, q, c}, line(6)), "C", line(6));
}

std::string why_not(const Tensor& tensor) {
  const auto found = plane_convolution_of(tensor);
  const auto* const why = std::get_if<std::string>(&found);
  return why == nullptr ? "" : *why;
}

TEST(PlaneConvolutionOf, ReadsSizesFromTheExpression) {
  const auto found = std::get<PlaneConvolution>(plane_convolution_of(convolution({13})));
  EXPECT_EQ(found.rows, 13);
  EXPECT_EQ(found.columns, 13);
  EXPECT_EQ(found.taps, 3);
  EXPECT_EQ(found.channels, 16);
  EXPECT_EQ(found.filters, 64);
  EXPECT_EQ(found.others, 1);
  EXPECT_TRUE(found.has_channels_innermost);
  EXPECT_FALSE(found.has_known_weights);
}

TEST(PlaneConvolutionOf, ASumThatLeavesOutRowsIsOneOfAnImageThatIsZeroThere) {
  const Tensor c = convolution({13, 1, 3, DType::Float32, true});
  EXPECT_EQ(std::get<PlaneConvolution>(plane_convolution_of(c)).rows, 13);
  const Tensor chain = winograd(c, 4, line(7));
  const Tensor image = inputs_of(inputs_of(inputs_of(inputs_of(chain)[0])[0])[0])[0];
  EXPECT_EQ(image->name, "C_B");
  EXPECT_THAT(to_string(image->body), HasSubstr("select(0 < (ty * 4 + 0) * 1 + 0, X["));
}

TEST(PlaneConvolutionOf, SaysWhyATensorIsNone) {
  EXPECT_THAT(why_not(convolution({8, 2})), HasSubstr("windows"));
  EXPECT_THAT(why_not(convolution({8, 1, 3, DType::Int32})), HasSubstr("is int32"));
  EXPECT_THAT(why_not(input("X", {4})), HasSubstr("'X' is no tensor of one value"));
  const Axis i = spatial("i", 4);
  const Tensor copy = make_compute({4}, {i}, read(input("X", {4}), {var(i)}), "C", line(6));
  EXPECT_EQ(why_not(copy), "'C' is no sum of products");
}

TEST(Winograd, WritesStagesThatStandInTheResult) {
  const Tensor c = winograd(convolution({10}), 4, line(7));
  EXPECT_EQ(c->name, "C");
  EXPECT_THAT(c->shape, ElementsAre(10, 10, 64));
  const WinogradStages& chain = *c->winograd;
  EXPECT_EQ(chain.columns, "C_B");
  EXPECT_EQ(chain.filter_columns, "C_G");
  const Tensor rows = inputs_of(c)[0];
  EXPECT_EQ(rows->name, chain.rows);
  const Tensor products = inputs_of(rows)[0];
  EXPECT_THAT(products->shape, ElementsAre(6, 6, 3, 3, 64));
  const std::vector<Tensor> factors = inputs_of(products);
  EXPECT_THAT(factors[0]->shape, ElementsAre(6, 6, 3, 3, 16));
  EXPECT_THAT(factors[1]->shape, ElementsAre(2, 6, 6, 16, 32));
}

TEST(Winograd, FiltersAConstantWhereItIsMade) {
  std::vector<float> values(std::size_t{3} * 3 * 16 * 64, 0.0F);
  values[5] = 12;                       // W[0, 0, 0, 5]
  values[((2 * 3 + 2) * 16) * 64] = 2;  // W[2, 2, 0, 0]
  std::vector<std::byte> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  const Tensor w = make_constant({3, 3, 16, 64}, DType::Float32, "W", bytes, line(1));
  const Tensor c = winograd(convolution({8}, w), 4, line(7));
  EXPECT_EQ(c->winograd->filter_columns, "");
  const Tensor u = inputs_of(inputs_of(inputs_of(c)[0])[0])[1];
  ASSERT_TRUE(u->is_constant());
  EXPECT_THAT(u->shape, ElementsAre(2, 6, 6, 16, 32));
  std::vector<float> made(u->values->size() / sizeof(float));
  std::memcpy(made.data(), u->values->data(), u->values->size());
  EXPECT_EQ(made[5], 12.0F / 16);                           // G[0, 0]^2 at point (0, 0)
  EXPECT_EQ(made[(1 * 16) * 32 + 5], -12.0F / 24);          // G[0, 0] G[1, 0]
  EXPECT_EQ(made[((5 * 6 + 5) * 16) * 32], 2.0F);           // G[5, 2]^2
  EXPECT_EQ(made[std::size_t{6} * 6 * 16 * 32 + 5], 0.0F);  // the other panel
}

TEST(Winograd, RefusesOtherTensorsAndTilesThatAreTooLarge) {
  try {
    winograd(convolution({8, 2}), 4, line(7));
    FAIL() << "expected UnsupportedError";
  } catch (const UnsupportedError& e) {
    EXPECT_EQ(e.report().where.line, 7);
    EXPECT_THAT(e.report().what, HasSubstr("winograd('C', 4)"));
  }
  EXPECT_THROW(winograd(convolution({8}), 7, line(7)), UnsupportedError);
  EXPECT_THROW(winograd(convolution({8}), 0, line(7)), UnsupportedError);
}

}  // namespace
}  // namespace solway::dsl
