#include "schedule/violation.h"

#include <gtest/gtest.h>

#include "schedule/dependences.h"

#include "tests/support/sample_programs.h"

namespace solway::schedule {
namespace {

TEST(Violation, QuotesTheSmallestPair) {
  const samples::Pipeline p(4);
  const auto made = make_program({p.c}, samples::at(5));
  const Request request{"reorder(i, j)", samples::at(9)};
  const isl::union_map pairs = dependences_of(*made.program);
  const IllegalScheduleError order = order_violation(*made.program, pairs, made.order, request);
  EXPECT_EQ(order.report().what, "reorder(i, j) would run C[i=0] before P[i=0], which it reads");
  EXPECT_EQ(order.report().why,
            "C[0] reads P[0] (user.py:3), which P[0] writes (user.py:2); in this order 'C' stands "
            "before 'P'");
  EXPECT_EQ(order.report().where.line, 9);
  EXPECT_EQ(order.violation().element, (std::vector<std::int64_t>{0}));
  Loop loop;
  loop.name = "i";
  const IllegalScheduleError race = race_violation(*made.program, pairs, loop, 4, request);
  EXPECT_EQ(race.report().fix, "split('i', factor=4) first, and mark the inner loop");
  EXPECT_EQ(race.report().what,
            "reorder(i, j) would run P[i=0] and C[i=0] at the same time, but both access P[0]");
  EXPECT_EQ(race.report().where.line, 9);
}

}  // namespace
}  // namespace solway::schedule
