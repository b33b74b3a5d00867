#include "dsl/size.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dsl/affine.h"
#include "support/error.h"
#include "support/isl_context.h"
#include "support/isl_ext.h"

namespace solway::dsl {
namespace {

using testing::HasSubstr;

const SourceLoc kWhere{"user.py", 3, ""};

Expr number(std::int64_t value) { return make_int(value, DType::Int64, false, kWhere); }

TEST(Size, ExtentsHaveTheBoundsOfTheirSizes) {
  const Expr n = make_size_ref(make_size("n", 2, 10, kWhere), kWhere);
  const Expr m = make_size_ref(make_size("m", 1, 5, kWhere), kWhere);
  const Extent plain = make_extent(n, kWhere);
  EXPECT_EQ(plain.min, 2);
  EXPECT_EQ(plain.max, 10);
  EXPECT_EQ(to_string(plain), "n");
  const Expr twice = make_binary(BinaryOp::Mul, n, number(2), kWhere);
  const Extent sum = make_extent(make_binary(BinaryOp::Sub, twice, m, kWhere), kWhere);
  EXPECT_EQ(sum.min, -1);
  EXPECT_EQ(sum.max, 19);
  const Extent nothing = make_extent(make_binary(BinaryOp::Sub, n, n, kWhere), kWhere);
  EXPECT_EQ(nothing.min, 0);
  EXPECT_EQ(nothing.max, 0);
}

TEST(Size, ANumberIsAConstantExtent) {
  const Extent eight = make_extent(number(8), kWhere);
  EXPECT_TRUE(eight.is_constant());
  EXPECT_EQ(eight.max, 8);
  EXPECT_EQ(to_string(eight), "8");
}

TEST(Size, RefusesProductsAndAxes) {
  const Expr n = make_size_ref(make_size("n", 2, 10, kWhere), kWhere);
  const Expr m = make_size_ref(make_size("m", 1, 5, kWhere), kWhere);
  EXPECT_THROW(make_extent(make_binary(BinaryOp::Mul, n, m, kWhere), kWhere), UnsupportedError);
  const Expr i = make_axis_ref(make_axis("i", AxisKind::Spatial, 0, 4, kWhere), kWhere);
  EXPECT_THROW(make_extent(make_binary(BinaryOp::Add, n, i, kWhere), kWhere), DslError);
}

TEST(Size, RefusesBoundsWithoutValues) {
  try {
    make_size("n", 5, 4, kWhere);
    FAIL() << "expected DslError";
  } catch (const DslError& error) {
    EXPECT_EQ(error.report().where.line, 3);
    EXPECT_THAT(error.report().why, HasSubstr("from 5 to 4"));
  }
}

TEST(Size, SizesAreFoundOnceInOrder) {
  const Size n = make_size("n", 2, 10, kWhere);
  const Size m = make_size("m", 1, 5, kWhere);
  const Expr n_ref = make_size_ref(n, kWhere);
  const Expr sum = make_binary(BinaryOp::Add, make_size_ref(m, kWhere),
                               make_binary(BinaryOp::Add, n_ref, n_ref, kWhere), kWhere);
  EXPECT_EQ(sizes_of(sum), (std::vector<Size>{m, n}));
}

TEST(Size, AnAxisOverASizeIsAParametricSet) {
  const IslContext isl;
  const Expr n = make_size_ref(make_size("n", 1, 9, kWhere), kWhere);
  const Axis i = make_axis("i", AxisKind::Spatial, 0, make_extent(n, kWhere), kWhere);
  EXPECT_EQ(i->end, 9);
  EXPECT_FALSE(i->is_constant());
  const isl::set domain = domain_of(isl.get(), {"B", {i}});
  const isl::set expected(isl.get(), "[n] -> { B[i] : 0 <= i < n and 1 <= n <= 9 }");
  EXPECT_TRUE(domain.is_equal(expected));
}

}  // namespace
}  // namespace solway::dsl
