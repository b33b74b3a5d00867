#include "support/analysis_limit.h"

#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

#include "support/isl_context.h"

namespace solway {
namespace {

/// Sets SOLWAY_ANALYSIS_SECONDS for its scope.
class Seconds {
 public:
  explicit Seconds(const char* text) { setenv("SOLWAY_ANALYSIS_SECONDS", text, 1); }
  ~Seconds() { unsetenv("SOLWAY_ANALYSIS_SECONDS"); }
  Seconds(const Seconds&) = delete;
  Seconds& operator=(const Seconds&) = delete;
};

isl::set triangle(const IslContext& context) {
  return isl::set(context.get(), "{ S[i, j, k] : 0 <= i < 100 and i <= j < 100 and j <= k < 90 }");
}

bool work(const isl::set& set) { return set.subtract(set.lexmin()).is_empty(); }

/// Works for ever, if nothing ends it.
void work_on(const isl::set& set) {
  while (!work(set)) {
  }
}

TEST(AnalysisLimit, TheClockEndsABudgetWithoutBound) {
  const Seconds seconds("0.05");
  const IslContext context;
  const isl::set set = triangle(context);
  {
    const IslBudget budget(context.get(), 0);
    EXPECT_THROW(work_on(set), isl::exception_quota);
  }
  EXPECT_EQ(exhausted_bound(1000), "0.05 s of processor time (SOLWAY_ANALYSIS_SECONDS)");
  EXPECT_FALSE(work(set)) << "the context is as good as before";
}

TEST(AnalysisLimit, OperationsEndABudgetFirstAsBefore) {
  const IslContext context;
  const isl::set set = triangle(context);
  {
    const IslBudget budget(context.get(), 50);
    EXPECT_THROW(work_on(set), isl::exception_quota);
  }
  EXPECT_EQ(exhausted_bound(50), "50 operations");
}

TEST(AnalysisLimit, EachContextHasItsOwnTime) {
  const Seconds seconds("0.1");
  const auto run = [] {
    const IslContext context;
    const isl::set set = triangle(context);
    const IslBudget budget(context.get(), 0);
    EXPECT_THROW(work_on(set), isl::exception_quota);
  };
  std::thread other(run);
  run();
  other.join();
}

TEST(AnalysisLimit, LessIsAllowedInItsScope) {
  const IslContext context;
  const isl::set set = triangle(context);
  {
    const AnalysisLimit limit(10, 100);
    EXPECT_FALSE(limit.is_over());
    const IslBudget budget(context.get(), 1'000'000);
    EXPECT_THROW(work(set), isl::exception_quota);
  }
  const IslBudget budget(context.get(), 1'000'000);
  EXPECT_FALSE(work(set));
}

TEST(AnalysisLimit, AllBudgetsInItsScopeShareItsTime) {
  const IslContext context;
  const isl::set set = triangle(context);
  const AnalysisLimit limit(1'000'000'000, 0.05);
  for (int k = 0; k < 2; ++k) {
    const IslBudget budget(context.get(), 0);
    EXPECT_THROW(work_on(set), isl::exception_quota);
  }
  EXPECT_TRUE(limit.is_over());
}

TEST(AnalysisLimit, SecondsComeFromTheEnvironment) {
  EXPECT_EQ(analysis_seconds(), 20);
  const Seconds seconds("1.5");
  EXPECT_EQ(analysis_seconds(), 1.5);
  for (const char* text : {"", "-1", "0", "soon", "3 s", "nan"}) {
    const Seconds other(text);
    EXPECT_EQ(analysis_seconds(), 20) << text;
  }
}

TEST(AnalysisLimit, AThreadHasSecondsOfItsOwn) {
  const Seconds environment("1.5");
  EXPECT_EQ(exchange_analysis_seconds(3.0), std::nullopt);
  EXPECT_EQ(analysis_seconds(), 3.0);
  double elsewhere = 0;
  std::thread([&] { elsewhere = analysis_seconds(); }).join();
  EXPECT_EQ(elsewhere, 1.5);
  EXPECT_EQ(exchange_analysis_seconds(std::nullopt), 3.0);
  EXPECT_EQ(analysis_seconds(), 1.5);
}

}  // namespace
}  // namespace solway
