#include "dsl/exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dsl/update.h"

#include "tests/unit/dsl/programs.h"

namespace solway::dsl {
namespace {

using ::testing::ElementsAre;
using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

/// name[i] = of[i] * factor
Tensor scaled(const Tensor& of, const std::string& name, double factor) {
  const Axis i = spatial("i", 8);
  return make_compute({8}, {i}, mul(read(of, {var(i)}), lit(factor)), name, line(6));
}

TEST(Exchange, MakesWhatReadsAnExchangedTensorAnew) {
  const Tensor a = input("A", {8});
  const Tensor b = scaled(a, "B", 2), c = scaled(b, "C", 3), d = scaled(a, "D", 4);
  const Tensor other = scaled(a, "B", 5);
  const auto made = exchange({c, b, d}, {{b, other}});
  ASSERT_TRUE(made.has_value());
  EXPECT_NE((*made)[0], c);
  EXPECT_EQ((*made)[0]->name, "C");
  EXPECT_EQ((*made)[0]->axis, c->axis);
  EXPECT_EQ(to_string((*made)[0]->body), to_string(c->body));
  EXPECT_THAT(inputs_of((*made)[0]), ElementsAre(other));
  EXPECT_EQ((*made)[1], other);
  EXPECT_EQ((*made)[2], d);
}

TEST(Exchange, ReadsInIndicesCountToo) {
  const Tensor a = input("A", {8});
  const Tensor n = make_placeholder({8}, DType::Int64, "N", line(4));
  const Axis i = spatial("i", 8);
  const Tensor m = make_compute({8}, {i}, read(n, {var(i)}), "M", line(6));
  const Expr index = make_bounded(read(m, {var(i)}), 0, 8, line(6));
  const Tensor c = make_compute({8}, {i}, read(a, {index}), "C", line(7));
  const Tensor other =
      make_compute({8}, {i}, read(n, {sub(lit(std::int64_t{7}), var(i))}), "M", line(8));
  EXPECT_THAT(inputs_of(exchange({c}, {{m, other}})->front()), ElementsAre(a, other));
}

TEST(Exchange, WithoutChangesGivesTheSameTensors) {
  const Tensor b = scaled(input("A", {8}), "B", 2);
  EXPECT_THAT(*exchange({b}, {}), ElementsAre(b));
}

TEST(Exchange, IsNotPossibleThroughAnUpdate) {
  const Tensor a = input("A", {8});
  const Tensor b = scaled(a, "B", 2);
  const Axis i = spatial("i", 8);
  const Tensor u = make_update(b, {i}, {var(i)}, lit(1.0), nullptr, "U", line(9));
  EXPECT_FALSE(exchange({u}, {{b, scaled(a, "B", 5)}}).has_value());
}

}  // namespace
}  // namespace solway::dsl
