#include "schedule/verify_program.h"

#include <gtest/gtest.h>

#include "support/error.h"

#include "tests/unit/schedule/random_schedules.h"
#include "tests/unit/schedule/tiled_triangle.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

State with_buffer() {
  return *HandMade(testing::make_state(pipeline_sample(5)), {"P", {"C"}, 1}).make();
}

/// Verifies the program of with_buffer() with statement `name` changed.
template <typename Change>
void expect_refused(const std::string& name, const Change& change) {
  const State state = with_buffer();
  Program program = *state.program;
  change(program.statements.at(name));
  EXPECT_THROW(verify_program(*state.original, program), InternalError);
}

TEST(VerifyProgram, AcceptsWhatIsConsistent) {
  const State state = with_buffer();
  EXPECT_NO_THROW(verify_program(*state.original, *state.program));
  EXPECT_NO_THROW(verify_program(*state.original, *state.original));
}

TEST(VerifyProgram, ATransferMovesTheBoxThatItSays) {
  expect_refused("PP_get_issue", [](Statement& s) {
    s.copy->count = s.copy->count.set_at(0, s.copy->count.at(0).add_constant(1));
  });
  expect_refused("PP_get_issue", [](Statement& s) {
    s.copy->near_first = s.copy->near_first.set_at(0, s.copy->near_first.at(0).add_constant(1));
  });
  expect_refused("PP_get_complete", [](Statement& s) {
    s.writes[0].relation = s.writes[0].relation.subtract(s.writes[0].relation.lexmin());
  });
  expect_refused("PP_get_complete", [](Statement& s) { s.copy->transfer = "QQ_get"; });
  expect_refused("PP_get_complete", [](Statement& s) { s.copy->buffer = "P"; });
}

TEST(VerifyProgram, ATransferOfNoBoxMovesRowsThatAreBoxes) {
  const TiledSquares squares(16, 4, 8, below_the_diagonal);
  const State state = squares.write(squares.jo).state;
  EXPECT_NO_THROW(verify_program(*state.original, *state.program));
  Program program = *state.program;
  const auto with_rows = [&](const std::vector<int>& rows) {
    for (const char* name : {"CC_put_issue", "CC_put_complete"}) {
      program.statements.at(name).copy->rows = rows;
    }
  };
  with_rows({});
  EXPECT_THROW(verify_program(*state.original, program), InternalError);
  with_rows({1});  // columns are boxes as well
  EXPECT_NO_THROW(verify_program(*state.original, program));
}

TEST(VerifyProgram, StatementsKeepDomainsBodiesAndIndices) {
  expect_refused("C", [](Statement& s) { s.domain = s.domain.subtract(s.domain.lexmax()); });
  expect_refused("C", [](Statement& s) { s.kind = StatementKind::Init; });
  expect_refused("C", [](Statement& s) { s.reads.pop_back(); });
  expect_refused("C", [](Statement& s) { std::swap(s.reads[0].relation, s.reads[1].relation); });
  expect_refused("C", [](Statement& s) {
    s.writes[0].relation = s.writes[0].relation.subtract(s.writes[0].relation.lexmin());
  });
}

TEST(VerifyProgram, AnAccessStaysWithItsTensor) {
  expect_refused("C", [](Statement& s) {
    s.writes[0].index = s.writes[0].index.set_range_tuple("P");
    s.writes[0].relation = s.writes[0].relation.set_range_tuple("P");
  });
  expect_refused("C", [](Statement& s) {
    s.reads[0].index = s.reads[0].index.set_range_tuple("C");
    s.reads[0].relation = s.reads[0].relation.set_range_tuple("C");
  });
}

TEST(VerifyProgram, NoStatementIsLostOrInvented) {
  const State state = with_buffer();
  Program program = *state.program;
  program.statements.erase("P");
  EXPECT_THROW(verify_program(*state.original, program), InternalError);
  program = *state.program;
  Statement extra = program.statement("C");
  extra.name = "D";
  program.statements.emplace("D", extra);
  EXPECT_THROW(verify_program(*state.original, program), InternalError);
}

}  // namespace
}  // namespace solway::schedule
