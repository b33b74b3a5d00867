#include "dsl/recurrence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

#include "tests/unit/dsl/programs.h"

namespace solway::dsl {
namespace {

using ::testing::ElementsAre;
using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

Expr is_positive(const Axis& axis) { return op(BinaryOp::Gt, var(axis), lit(std::int64_t{0})); }

/// S[i] = A[i] + (i > 0 ? S[i - 1] : 0)
struct PrefixSum {
  Tensor a = input("A", {8});
  Tensor self = make_self({8}, DType::Float32, "S", line(6));
  Axis i = spatial("i", 8);
  Expr earlier = make_select(is_positive(i), read(self, {sub(var(i), lit(std::int64_t{1}))}),
                             lit(0.0), line(6));
  Tensor s = make_recurrence(self, {i}, add(read(a, {var(i)}), earlier), nullptr, line(6));
};

TEST(MakeRecurrence, ReadsItselfAndIsNoInputOfItself) {
  const PrefixSum p;
  EXPECT_EQ(p.s->name, "S");
  EXPECT_EQ(p.s->self, p.self);
  EXPECT_THAT(inputs_of(p.s), ElementsAre(p.a));
}

TEST(MakeRecurrence, RefusesAReadOfItsOwnElement) {
  const Tensor self = make_self({8}, DType::Float32, "S", line(6));
  const Axis i = spatial("i", 8);
  try {
    make_recurrence(self, {i}, add(read(self, {var(i)}, 7), lit(1.0)), nullptr, line(6));
    FAIL() << "expected DslError";
  } catch (const DslError& e) {
    EXPECT_EQ(e.report().what, "S[i] reads what 'S' has not stored yet");
    EXPECT_EQ(e.report().why, "S[i] reads S[0] at i=0, which no earlier step stores");
    EXPECT_EQ(e.report().where.line, 7);
  }
}

TEST(MakeRecurrence, LexicographicOrderCountsAllAxes) {
  const Axis t = spatial("t", 4), i = spatial("i", 8);
  const Expr right = op(BinaryOp::Min, add(var(i), lit(std::int64_t{1})), lit(std::int64_t{7}));
  const auto with_step = [&](std::int64_t step) {
    const Tensor self = make_self({4, 8}, DType::Float32, "H", line(6));
    const Expr earlier = read(self, {sub(var(t), lit(step)), right});
    const Expr body =
        make_select(op(BinaryOp::Ge, var(t), lit(std::int64_t{1})), earlier, lit(1.0), line(6));
    return make_recurrence(self, {t, i}, body, nullptr, line(6));
  };
  EXPECT_NO_THROW(with_step(1));
  EXPECT_THROW(with_step(0), DslError);
}

TEST(MakeRecurrence, ReadsOfItselfLieInItsDomain) {
  const Tensor self = make_self({8}, DType::Float32, "S", line(6));
  const Axis i = spatial("i", 8);
  const Expr body = make_select(is_positive(i), read(self, {sub(var(i), lit(std::int64_t{1}))}),
                                lit(0.0), line(6));
  const Expr domain = op(BinaryOp::Ne, var(i), lit(std::int64_t{3}));
  EXPECT_THROW(make_recurrence(self, {i}, body, domain, line(6)), DslError);
}

TEST(MakeRecurrence, AnIntegerTensorHoldsNoFloat) {
  const Tensor self = make_self({8}, DType::Int32, "S", line(6));
  const Axis i = spatial("i", 8);
  EXPECT_THROW(make_recurrence(self, {i}, element(DType::Float32), nullptr, line(6)), DslError);
  EXPECT_EQ(make_recurrence(self, {i}, element(DType::Int64), nullptr, line(6))->type,
            DType::Int32);
}

}  // namespace
}  // namespace solway::dsl
