#include "support/isl_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

namespace solway {
namespace {

/// Work that needs far more than a few isl operations.
bool work(const isl::set& set) { return set.subtract(set.lexmin()).is_empty(); }

isl::set triangle(const IslContext& context) {
  return isl::set(context.get(), "{ S[i, j, k] : 0 <= i < 100 and i <= j < 100 and j <= k < 90 }");
}

TEST(IslContext, TheLibrarySaysWhatItsIntegersAre) {
  EXPECT_THAT(isl_version(), testing::MatchesRegex("0\\.[0-9]+-(IMath-32|GMP)"));
}

TEST(IslContext, ErrorsAreExceptionsAndPrintNothing) {
  const IslContext context;
  testing::internal::CaptureStderr();
  EXPECT_THROW(isl::set(context.get(), "{ nonsense"), isl::exception_invalid);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(IslContext, IsFreedWhenNoObjectIsLeft) {
  testing::internal::CaptureStderr();
  {
    const IslContext context;
    EXPECT_FALSE(work(triangle(context)));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(IslBudget, EndsInQuota) {
  const IslContext context;
  const isl::set set = triangle(context);
  const IslBudget budget(context.get(), 10);
  EXPECT_THROW(work(set), isl::exception_quota);
}

TEST(IslBudget, BoundsOnlyItsScope) {
  const IslContext context;
  const isl::set set = triangle(context);
  {
    const IslBudget budget(context.get(), 10);
    EXPECT_THROW(work(set), isl::exception_quota);
  }
  EXPECT_FALSE(work(set));
  const IslBudget again(context.get(), 1'000'000);
  EXPECT_FALSE(work(set));
}

TEST(IslBudget, ZeroIsNoBound) {
  const IslContext context;
  const IslBudget budget(context.get(), 0);
  EXPECT_FALSE(work(triangle(context)));
}

TEST(IslBudget, RefusesToNest) {
  const IslContext context;
  const IslBudget outer(context.get(), 1000);
  try {
    const IslBudget inner(context.get(), 10);
    FAIL() << "expected InternalError";
  } catch (const InternalError& error) {
    EXPECT_THAT(error.report().why, testing::HasSubstr("1000 operations"));
  }
}

}  // namespace
}  // namespace solway
