#include "schedule/compact_time.h"

#include <gtest/gtest.h>

#include "support/isl_context.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

void expect_compact(const std::string& time, const std::string& compact) {
  const IslContext isl;
  const isl::union_map actual = compact_time(isl::union_map(isl.get(), time));
  EXPECT_TRUE(actual.is_equal(isl::union_map(isl.get(), compact))) << isl_ext::to_string(actual);
}

TEST(CompactTime, DropsWhatIsOneConstantForAll) {
  expect_compact("{ S[i, j] -> [0, i, 0, j]; T[i] -> [0, i, 1, 0] }",
                 "{ S[i, j] -> [i, 0, j]; T[i] -> [i, 1, 0] }");
  expect_compact("{ S[i] -> [2, i, 5, 0] }", "{ S[i] -> [i] }");
}

TEST(CompactTime, KeepsOneColumn) {
  expect_compact("{ S[] -> [0, 0] }", "{ S[] -> [0] }");
  expect_compact("{ }", "{ }");
}

TEST(CompactTime, KeepsConstantsThatDiffer) {
  expect_compact("{ S[i] -> [0, i]; T[i] -> [1, i] }", "{ S[i] -> [0, i]; T[i] -> [1, i] }");
}

}  // namespace
}  // namespace solway::schedule
