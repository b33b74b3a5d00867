#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dsl/affine.h"
#include "support/error.h"
#include "support/isl_context.h"

#include "tests/unit/dsl/programs.h"

namespace solway::dsl {
namespace {

using ::testing::HasSubstr;
using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

/// Why the first read of `expr` over `axes` is refused; empty when every read is in bounds.
std::string refusal(const Expr& expr, std::vector<Axis> axes,
                    const std::string& fix = "sw.select(sw.all_of(0 <= ") {
  const IslContext isl;
  try {
    require_in_bounds(isl.get(), expr, {"S", std::move(axes)});
  } catch (const DslError& e) {
    EXPECT_EQ(e.report().where.line, 5);
    EXPECT_THAT(e.report().fix, HasSubstr(fix));
    return e.report().why;
  }
  return "";
}

TEST(RequireInBounds, AcceptsWhatStaysInside) {
  const Axis i = spatial("i", 7);
  EXPECT_EQ(refusal(read(input("A", {8}), {add(var(i), lit(1L))}), {i}), "");
}

TEST(RequireInBounds, NamesTheFirstIndexThatGoesOut) {
  const Axis i = spatial("i", 8), j = spatial("j", 4);
  const Tensor A = input("A", {8});
  EXPECT_EQ(refusal(read(A, {add(var(i), lit(1L))}), {i}), "A[i + 1] reads element 8 of 8 at i=7");
  EXPECT_EQ(refusal(read(A, {sub(var(i), lit(1L))}), {i}), "A[i - 1] reads element -1 of 8 at i=0");
  EXPECT_EQ(refusal(read(input("B", {8, 4}), {var(i), add(var(j), lit(2L))}), {i, j}),
            "B[i, j + 2] reads element 4 of 4 in dimension 1 at i=0, j=2");
}

TEST(RequireInBounds, ANumberHasAnotherInItsPlace) {
  const Axis i = spatial("i", 8);
  const Tensor A = input("A", {8});
  const Tensor B = input("B", {8, 4});
  EXPECT_EQ(refusal(read(A, {lit(8L)}), {}, "write an index from 0 to 7"),
            "A[8] reads element 8 of 8");
  EXPECT_EQ(refusal(read(A, {lit(-9L)}), {}, "write an index from 0 to 7"),
            "A[-9] reads element -9 of 8");
  EXPECT_EQ(refusal(read(B, {var(i), lit(-1L)}), {i}, "count from the first element: B[i, 3]"),
            "B[i, -1] reads element -1 of 4 in dimension 1 at i=0");
  EXPECT_EQ(refusal(read(input("Z", {0}), {lit(0L)}), {}, "the dimension has no elements"),
            "Z[0] reads element 0 of 0");
}

TEST(RequireInBounds, GuardsCount) {
  const Axis i = spatial("i", 8);
  const Expr index = sub(var(i), lit(1L));
  const Expr x = read(input("A", {7}), {index});
  const Expr inside = op(BinaryOp::Ge, index, lit(0L));
  EXPECT_EQ(refusal(make_select(inside, x, lit(0L), line(1)), {i}), "");
  EXPECT_EQ(refusal(make_select(inside, lit(0L), x, line(1)), {i}),
            "A[i - 1] reads element -1 of 7 at i=0");
}

TEST(RequireInBounds, GuardsAroundAndInsideReductions) {
  const Axis i = spatial("i", 8), k = reduction("k", 4);
  const Expr index = add(var(i), var(k));
  const Expr x = read(input("A", {8}), {index});
  EXPECT_EQ(refusal(make_reduce(ReduceOp::Sum, x, {k}, line(1)), {i}),
            "A[i + k] reads element 8 of 8 at i=5, k=3");
  const Expr padded = make_select(op(BinaryOp::Lt, index, lit(8L)), x, lit(0L), line(1));
  EXPECT_EQ(refusal(make_reduce(ReduceOp::Sum, padded, {k}, line(1)), {i}), "");
  const Expr early = make_select(op(BinaryOp::Lt, var(i), lit(5L)),
                                 make_reduce(ReduceOp::Sum, x, {k}, line(1)), lit(0L), line(1));
  EXPECT_EQ(refusal(early, {i}), "");
}

TEST(RequireInBounds, ReadsBesideAReductionDoNotNameItsAxes) {
  const Axis i = spatial("i", 8), k = reduction("k", 4);
  const Tensor A = input("A", {8});
  const Expr body = add(make_reduce(ReduceOp::Sum, read(A, {var(k)}), {k}, line(1)),
                        read(A, {add(var(i), lit(4L))}));
  EXPECT_EQ(refusal(body, {i}), "A[i + 4] reads element 8 of 8 at i=4");
}

TEST(RequireInBounds, AnEmptyReductionReadsNothing) {
  const Axis i = spatial("i", 8), k = reduction("k", 0);
  const Expr x = read(input("A", {8}), {add(var(i), lit(100L))});
  EXPECT_EQ(refusal(make_reduce(ReduceOp::Sum, x, {k}, line(1)), {i}), "");
}

TEST(RequireInBounds, DataDependentIndicesAreUnsupported) {
  const Axis i = spatial("i", 8);
  const Tensor rows = input("rows", {8}, DType::Int32);
  const IslContext isl;
  try {
    require_in_bounds(isl.get(), read(input("A", {8}), {read(rows, {var(i)})}), {"S", {i}});
    FAIL() << "expected UnsupportedError";
  } catch (const UnsupportedError& e) {
    EXPECT_EQ(e.report().where.line, 5);
    EXPECT_THAT(e.report().why, HasSubstr("'rows[i]' depends on data"));
  }
}

TEST(RequireInBounds, APromiseHasAllButItsEnd) {
  const Axis i = spatial("i", 4);
  const Expr row = read(input("rows", {4}, DType::Int32), {var(i)});
  const auto promised = [&](std::int64_t begin, std::int64_t end) {
    const IslContext isl;
    const Expr index = make_bounded(row, begin, end, line(5));
    require_in_bounds(isl.get(), read(input("A", {8}), {index}), {"S", {i}});
  };
  EXPECT_NO_THROW(promised(0, 8));
  EXPECT_THROW(promised(0, 9), DslError);
  EXPECT_THROW(promised(-1, 8), DslError);
}

TEST(RequireInBounds, APromiseMayNameASize) {
  const Size n = make_size("n", 2, 8, line(1));
  const auto plus = [&](std::int64_t more) {
    const Expr value = make_binary(BinaryOp::Add, make_size_ref(n, line(2)),
                                   make_int(more, DType::Int64, false, line(2)), line(2));
    return make_extent(value, line(2));
  };
  const Axis i = spatial("i", 4);
  const Expr row = read(input("rows", {4}, DType::Int32), {var(i)});
  const Tensor a = make_placeholder({plus(0)}, DType::Float32, "A", line(3));
  const auto promised = [&](const Extent& begin, const Extent& end) {
    const IslContext isl;
    const Expr index = make_bounded(row, begin, end, line(5));
    require_in_bounds(isl.get(), read(a, {index}), {"S", {i}});
  };
  EXPECT_NO_THROW(promised(0, plus(0)));
  EXPECT_NO_THROW(promised(plus(-2), plus(0)));
  EXPECT_NO_THROW(promised(0, 2));
  EXPECT_THROW(promised(0, 3), DslError);         // n may be 2
  EXPECT_THROW(promised(0, plus(1)), DslError);   // past the end
  EXPECT_THROW(promised(0, plus(-2)), DslError);  // nothing when n is 2
}

}  // namespace
}  // namespace solway::dsl
