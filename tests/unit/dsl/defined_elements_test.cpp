#include <gtest/gtest.h>

#include "dsl/affine.h"
#include "dsl/update.h"
#include "support/error.h"
#include "support/isl_context.h"

#include "tests/unit/dsl/programs.h"

namespace solway::dsl {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

/// L[i, j] = 1 for j <= i
Tensor triangle() {
  const Axis i = spatial("i", 4), j = spatial("j", 4);
  return make_compute({4, 4}, {i, j}, element(DType::Float32), "L", line(6),
                      op(BinaryOp::Le, var(j), var(i)));
}

TEST(DefinedElements, OfADomain) {
  const IslContext isl;
  EXPECT_TRUE(defined_elements(isl.get(), triangle())
                  .is_equal(isl::set(isl.get(), "{ L[i, j] : 0 <= j <= i < 4 }")));
  const Tensor a = input("A", {8});
  EXPECT_TRUE(defined_elements(isl.get(), a).is_equal(extent_of(isl.get(), a)));
}

TEST(DefinedElements, AnUpdateAddsWhatItStores) {
  const IslContext isl;
  const Axis i = spatial("i", 4);
  const Tensor last =
      make_update(triangle(), {i}, {var(i), lit(std::int64_t{3})}, lit(2.0), nullptr, "M", line(7));
  EXPECT_TRUE(
      defined_elements(isl.get(), last)
          .is_equal(isl::set(isl.get(), "{ L[i, j] : 0 <= i < 4 and (0 <= j <= i or j = 3) }")));
}

TEST(DefinedElements, RefusesAReadOutsideADomain) {
  const Tensor l = triangle();
  const Axis i = spatial("i", 4), j = spatial("j", 4);
  const Expr body = read(l, {var(i), var(j)}, 9);
  try {
    make_compute({4, 4}, {i, j}, body, "C", line(8));
    FAIL() << "expected DslError";
  } catch (const DslError& e) {
    EXPECT_EQ(e.report().what, "L[i, j] reads outside the domain of 'L'");
    EXPECT_EQ(e.report().why,
              "L[i, j] reads L[0, 1] at i=0, j=1, which the where= of 'L' (user.py:6) leaves out");
    EXPECT_EQ(e.report().where.line, 9);
  }
  EXPECT_NO_THROW(
      make_compute({4, 4}, {i, j}, body, "C", line(8), op(BinaryOp::Le, var(j), var(i))));
}

TEST(DefinedElements, AStepMayReadWhatAnEarlierOneStored) {
  const Tensor l = triangle();
  const Axis i = spatial("i", 4);
  const Expr last = lit(std::int64_t{3});
  const Expr above = read(l, {sub(var(i), lit(std::int64_t{1})), last});
  const Expr first = op(BinaryOp::Gt, var(i), lit(std::int64_t{0}));
  const auto from = [&](const Expr& value) {
    return make_update(l, {i}, {var(i), last}, value, nullptr, "M", line(7));
  };
  EXPECT_THROW(from(read(l, {var(i), last})), DslError);
  EXPECT_NO_THROW(from(make_select(first, above, lit(1.0), line(7))));
}

TEST(RequireAffineDomain, RefusesNoConditionAndWhatIsNotAffine) {
  const Axis i = spatial("i", 4), j = spatial("j", 4);
  const auto with_domain = [&](const Expr& domain) {
    return make_compute({4, 4}, {i, j}, element(DType::Float32), "C", line(8), domain);
  };
  EXPECT_THROW(with_domain(var(i)), DslError);
  EXPECT_THROW(with_domain(op(BinaryOp::Lt, mul(var(i), var(j)), lit(std::int64_t{3}))),
               UnsupportedError);
}

}  // namespace
}  // namespace solway::dsl
