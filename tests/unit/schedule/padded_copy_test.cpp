#include "schedule/padded_copy.h"

#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/compute_root.h"
#include "schedule/program_legality.h"
#include "schedule/split.h"
#include "support/error.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

const Request kRequest{"buffer_read(P)", samples::at(9)};

/// C in blocks of 4, each of which has a buffer of P with its border filled.
struct FilledBorder : samples::Padded {
  State before, state;

  FilledBorder() : samples::Padded(8) {
    SplitResult cut =
        split(make_state({c}, samples::at(4)), "C",
              make_state({c}, samples::at(4)).stage_loops.at("C")[0], 4, samples::at(5));
    before = cut.state;
    BufferRequest request;
    request.stage = "C";
    request.tensor = "P";
    request.at = cut.outer;
    request.text = "buffer_read(P)";
    request.padding = Padding::Filled;
    state = buffer_read(before, request, samples::at(6)).state;
  }

  /// What is wrong with the program after a change of one of its statements.
  template <typename Change>
  bool is_legal_with(const std::string& name, const Change& change) const {
    auto program = std::make_shared<Program>(*state.program);
    change(program->statements.at(name));
    return is_program_legal(*state.original, *program, kRequest);
  }
};

TEST(PaddedCopyOf, FindsWhatIsCopiedFromWhere) {
  const FilledBorder f;
  const PaddedCopy copy = padded_copy_of(f.before, "P", {"C"}, kRequest);
  EXPECT_EQ(copy.memory, "A");
  EXPECT_EQ(copy.shift, std::vector<std::int64_t>{-1});
  EXPECT_TRUE(copy.inside.is_equal(
      isl::map(f.before.program->ctx(), "{ P[i] -> A[i - 1] : 1 <= i <= 8 }")));
  EXPECT_TRUE(is_padded_copy(f.before, "P"));
  EXPECT_FALSE(is_padded_copy(f.before, "C"));
}

TEST(PaddedCopyOf, RefusesOtherReaders) {
  const FilledBorder f;
  EXPECT_THROW(padded_copy_of(f.before, "P", {}, kRequest), ScheduleArgumentError);
}

TEST(FillBorder, MovesTheInsideAndComputesTheRest) {
  const FilledBorder f;
  const Program& program = *f.state.program;
  const isl::ctx ctx = program.ctx();
  EXPECT_EQ(program.buffers.at("PP").tensor, "P");
  EXPECT_EQ(program.buffers.at("PP").moved_from(), "A");
  EXPECT_TRUE(program.statement("PP_get_issue")
                  .copy->elements.is_equal(isl::map(
                      ctx,
                      "{ PP_get_issue[t] -> A[a] : 0 <= t <= 1 and 4t - 1 <= a <= 4t + 4 and "
                      "0 <= a <= 7 }")));
  const Statement& fill = program.statement("P");
  EXPECT_TRUE(fill.domain.is_equal(isl::set(ctx, "{ P[0, 0]; P[1, 9] }")));
  EXPECT_TRUE(
      fill.writes[0].relation.is_equal(isl::map(ctx, "{ P[0, 0] -> PP[0]; P[1, 9] -> PP[5] }")));
  EXPECT_EQ(filled_buffer(f.state, "P"), "PP");
  EXPECT_EQ(filled_buffer(f.state, "C"), std::nullopt);
  EXPECT_THROW(compute_root(f.state, "P", samples::at(7)), ScheduleArgumentError);
}

TEST(FillBorder, AWrongBorderIsAnIllegalSchedule) {
  const FilledBorder f;
  EXPECT_TRUE(f.is_legal_with("P", [](Statement&) {}));
  // Nobody fills the last cell.
  EXPECT_FALSE(f.is_legal_with("P", [](Statement& s) {
    const isl::set first(s.domain.ctx(), "{ P[0, i] }");
    s.domain = s.domain.intersect(first);
    s.origin = s.origin->intersect_domain(first);
    s.writes[0].relation = s.writes[0].relation.intersect_domain(first);
  }));
  // A border in the place of an element of the image.
  EXPECT_FALSE(f.is_legal_with("P", [](Statement& s) {
    const isl::map next(s.domain.ctx(), "{ PP[c] -> PP[(c + 1) mod 6] }");
    s.writes[0].relation = s.writes[0].relation.apply_range(next);
    s.writes[0].index = s.writes[0].relation.as_pw_multi_aff().to_multi_pw_aff();
  }));
}

}  // namespace
}  // namespace solway::schedule
