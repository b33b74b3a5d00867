#include "memory_planner/iteration_samples.h"

#include <gtest/gtest.h>

#include "dsl/expr.h"
#include "support/isl_context.h"

namespace solway::memory_planner {
namespace {

using schedule::StatementKind;

/// S[i, k], of which the second loop is one of a reduction.
struct Nest {
  Nest(std::int64_t n, const std::string& condition) {
    i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, n, {});
    k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, n, {});
    statement.name = "S";
    statement.axes = {i, k};
    statement.kind = StatementKind::Update;
    const std::string size = std::to_string(n);
    statement.domain = isl::set(isl.get(), "{ S[i, k] : 0 <= i < " + size + " and 0 <= k < " +
                                               size + " and " + condition + " }");
  }

  IslContext isl;
  dsl::Axis i, k;
  schedule::Statement statement;
};

TEST(IterationSamples, ASmallTriangleIsCounted) {
  const Nest nest(4, "k < i");
  const IterationSamples found = sample_iterations(nest.statement);
  EXPECT_DOUBLE_EQ(found.filled, 6.0 / 16);
  EXPECT_DOUBLE_EQ(found.entered, 3.0 / 4);  // the first row has no terms
  EXPECT_EQ(found.inside.size(), 6U);
}

TEST(IterationSamples, ALargeOneNearly) {
  const Nest nest(1000, "k < i");
  EXPECT_NEAR(sample_iterations(nest.statement).filled, 0.5, 0.01);
  const Nest band(1000, "i - 100 <= k <= i");
  EXPECT_NEAR(sample_iterations(band.statement).filled, 0.096, 0.01);
}

TEST(IterationSamples, AllOfABox) {
  const Nest nest(5, "true");
  const IterationSamples found = sample_iterations(nest.statement);
  EXPECT_EQ(found.filled, 1);
  EXPECT_EQ(found.entered, 1);
}

TEST(IterationSamples, WhereAConditionHolds) {
  const Nest nest(4, "true");
  const auto all = sample_iterations(nest.statement).inside;
  const auto condition = dsl::make_binary(BinaryOp::Lt, dsl::make_axis_ref(nest.k, {}),
                                          dsl::make_axis_ref(nest.i, {}), {});
  const auto below = iterations_where(nest.statement, condition, all);
  ASSERT_TRUE(below);
  EXPECT_EQ(below->size(), 6U);
}

}  // namespace
}  // namespace solway::memory_planner
