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

/// { S[t, i] : 0 <= t, i < 3 } that writes A[i] and reads its neighbours, in the order of t, i.
Program stencil(const IslContext& context) {
  Program out;
  const isl::ctx ctx = context.get();
  Statement s;
  s.name = s.stage = "S";
  s.domain = isl::set(ctx, "{ S[t, i] : 0 <= t < 3 and 0 <= i < 3 }");
  const isl::map write(ctx, "{ S[t, i] -> A[i] : 0 <= t < 3 and 0 <= i < 3 }");
  s.writes.push_back({write, write.as_pw_multi_aff().to_multi_pw_aff(), nullptr});
  const isl::map read(ctx, "{ S[t, i] -> A[i + 1] : 0 <= t < 3 and 0 <= i < 2 }");
  s.reads.push_back({read, read.as_pw_multi_aff().to_multi_pw_aff(), nullptr});
  out.statements.emplace("S", s);
  out.reference = isl::union_map(ctx, "{ S[t, i] -> [t, i] }").intersect_domain(s.domain);
  return out;
}

TEST(Dependences, DirectOnesHaveNoWriteBetween) {
  auto context = std::make_shared<IslContext>();
  Program p = stencil(*context);
  p.isl = context;
  const isl::union_map direct = direct_dependences_of(p);
  expect_equal(p, direct,
               "{ S[t, i] -> S[t + 1, i] : 0 <= t < 2 and 0 <= i < 3;"      // waw
               "  S[t, i] -> S[t + 1, i - 1] : 0 <= t < 2 and 1 <= i < 3;"  // raw
               "  S[t, i] -> S[t, i + 1] : 0 <= t < 3 and 0 <= i < 2 }");   // war
  EXPECT_TRUE(direct.is_strict_subset(dependences_of(p)));
}

}  // namespace
}  // namespace solway::schedule
