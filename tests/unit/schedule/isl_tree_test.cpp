#include "schedule/isl_tree.h"

#include <gtest/gtest.h>

#include "support/isl_ext.h"

#include "tests/unit/schedule/random_orders.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(IslTree, RunsInstancesInTheOrderOfTheTimeMap) {
  Generator generator(11);
  for (int k = 0; k < 100 && !::testing::Test::HasFailure(); ++k) {
    SCOPED_TRACE(k);
    const PlainProgram plain = generator.program();
    const Program program = testing::make_program(plain);
    const Order order = make_order(program.ctx(), plain, generator.order(plain));
    const isl::union_map time = time_of(program.ctx(), order, program.domains());
    const isl::schedule tree = isl_tree_of(program.ctx(), order, program.domains());
    const isl::union_map map = tree.map().intersect_domain(tree.domain());
    EXPECT_TRUE(isl_ext::lex_lt(map, map).is_equal(isl_ext::lex_lt(time, time)));
  }
}

}  // namespace
}  // namespace solway::schedule
