#include "schedule/replied_buffers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/buffer_slots.h"
#include "schedule/buffer_write.h"
#include "schedule/flow.h"
#include "schedule/program_breach.h"
#include "support/isl_ext.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A in near memory for each tile of the reduction, C for each tile of columns.
State with_buffers() {
  const TiledMatmul m(2, 8, 12, 4, 3);
  const State state = buffer_read(m.state, request_for("A", {m.ki}, m.ko), samples::at(9)).state;
  return buffer_write(state, request_for("C", {m.yi}, m.yo), samples::at(9)).state;
}

TEST(RepliedBuffers, ThoseThatOneGetFills) {
  EXPECT_THAT(replied_buffers(*with_buffers().program), ElementsAre("AA"));  // sums go to C's
  Program program = *with_buffers().program;
  program.statements.erase("AA_get_issue");
  EXPECT_THAT(replied_buffers(program), IsEmpty());
}

TEST(RepliedBuffers, NotWhereAnotherStatementWritesThemToo) {
  Program program = *with_buffers().program;
  Statement& s = program.statements.at("C");
  const isl::map cell(program.ctx(), "{ C[x, y, k] -> AA[0] }");
  Write write = s.writes.at(0);
  write.relation = cell.intersect_domain(s.domain);
  s.writes.push_back(write);
  EXPECT_THAT(replied_buffers(program), IsEmpty());
}

TEST(RepliedBuffers, NotWhereIssueAndCompleteFillDifferentCells) {
  Program program = *with_buffers().program;
  Copy& copy = *program.statements.at("AA_get_issue").copy;
  const isl::set cells = program.array("AA").extent;
  const isl::map turned(program.ctx(), "{ AA[k] -> AA[2 - k] }");
  copy.storage = copy.storage.apply_range(turned);
  EXPECT_FALSE(copy.storage.range().is_empty());
  EXPECT_TRUE(copy.storage.range().is_subset(cells));
  EXPECT_THAT(replied_buffers(program), IsEmpty());
}

TEST(RepliedBuffers, WhoUsedTheReplyLastIsWhoWroteTheCell) {
  for (const int depth : {1, 2, 3}) {
    const State state = with_buffers();
    Program program = *state.program;
    Order order = state.order;
    rotate_slots(program, order, "AA", {depth, depth - 1, 1});
    program.reference = time_of(program.ctx(), order, program.domains());
    const ElementProgram elements = elementwise(program, program.reference);
    EXPECT_THAT(elements.replied, ElementsAre("AA"));
    const isl::union_set cells = program.array("AA").extent.to_union_set();
    const isl::union_map landings = elements.landings.intersect_range(cells);
    EXPECT_FALSE(landings.is_empty());
    EXPECT_TRUE(last_writers(elements, landings)
                    .is_equal(elements.partners.intersect_domain(landings.domain())));
    const ElementProgram before = elementwise(*state.original, state.original->reference);
    FoundFlow found;
    ASSERT_FALSE(find_breach(before, elements, extents_of(program), {"", {}}, &found));
    EXPECT_TRUE(found.landed.is_equal(last_writers(elements, elements.landings)));
  }
}

/// More regions asked for at once than there are slots: replies and cells are taken too early.
TEST(RepliedBuffers, ASlotThatIsAskedForTwiceIsNoPairing) {
  const State state = with_buffers();
  Program program = *state.program;
  Order order = state.order;
  rotate_slots(program, order, "AA", {2, 2, 1});
  program.reference = time_of(program.ctx(), order, program.domains());
  const ElementProgram elements = elementwise(program, program.reference);
  EXPECT_FALSE(last_writers(elements, elements.landings).is_equal(elements.partners));
  const ElementProgram before = elementwise(*state.original, state.original->reference);
  const auto breach = find_breach(before, elements, extents_of(program), {"", {}});
  ASSERT_TRUE(breach);
  EXPECT_EQ(breach->kind, BreachKind::Overwritten);
}

}  // namespace
}  // namespace solway::schedule
