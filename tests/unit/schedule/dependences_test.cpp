#include "schedule/dependences.h"

#include <gtest/gtest.h>

#include "support/isl_ext.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

testing::ScheduledMatmul matmul() { return {1, 1, 2}; }

void expect_equal(const Program& program, const isl::union_map& actual, const std::string& text) {
  EXPECT_TRUE(actual.is_equal(isl::union_map(program.ctx(), text))) << isl_ext::to_string(actual);
}

TEST(Dependences, AccessesOfAMatmul) {
  const auto m = matmul();
  const Program& p = *m.state.program;
  expect_equal(p, writes_of(p), "{ C_init[0, 0] -> C[0, 0]; C[0, 0, k] -> C[0, 0] : 0 <= k < 2 }");
  expect_equal(p, reads_of(p),
               "{ C[0, 0, k] -> C[0, 0] : 0 <= k < 2; C[0, 0, k] -> A[0, k] : 0 <= k < 2;"
               "  C[0, 0, k] -> B[k, 0] : 0 <= k < 2 }");
}

TEST(Dependences, UpdatesOfOneReductionKeepNoOrder) {
  const auto m = matmul();
  const Program& p = *m.state.program;
  expect_equal(p, reorderable_pairs_of(p),
               "{ C[0, 0, k] -> C[0, 0, l] : 0 <= k < 2 and 0 <= l < 2 }");
  expect_equal(p, dependences_of(p), "{ C_init[0, 0] -> C[0, 0, k] : 0 <= k < 2 }");
}

}  // namespace
}  // namespace solway::schedule
