#include "schedule/sliding_window.h"

#include <random>

#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/program_legality.h"
#include "schedule/reverse.h"
#include "schedule/split.h"

#include "tests/unit/schedule/execution.h"
#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

const Request kRequest{"buffer_read(P)", samples::at(9)};

enum class Direction : std::uint8_t { Up, Down };

/// C[i] = P[i] * P[i + 2] in blocks, each of which keeps of P what the one before holds, too.
struct Sliding : samples::Padded {
  State before, state;
  LoopId outer = -1;

  explicit Sliding(std::int64_t block, int depth = 1, Direction direction = Direction::Up)
      : samples::Padded(12) {
    const State plain = make_state({c}, samples::at(4));
    const SplitResult cut = split(plain, "C", plain.stage_loops.at("C")[0], block, samples::at(5));
    before = cut.state;
    outer = cut.outer;
    if (direction == Direction::Down) {
      before = reverse(before, "C", outer, samples::at(5));
      outer = before.stage_loops.at("C")[0];
    }
    BufferRequest request;
    request.stage = "C";
    request.tensor = "P";
    request.at = request.slide = outer;
    request.depth = depth;
    request.text = "buffer_read(P)";
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

TEST(SlidingWindow, OnlyWhatIsNewIsMovedFromMainMemory) {
  const Sliding f(4);
  const isl::ctx ctx = f.state.program->ctx();
  const Statement& issue = f.state.program->statement("PP_get_issue");
  EXPECT_TRUE(issue.copy->elements.is_equal(
      isl::map(ctx,
               "{ PP_get_issue[0] -> P[p] : 0 <= p <= 5; "
               "PP_get_issue[t] -> P[p] : 1 <= t <= 2 and 4t + 2 <= p <= 4t + 5 }")));
  const Statement& slide = f.state.program->statement("PP_slide");
  EXPECT_TRUE(slide.is_slide());
  EXPECT_TRUE(slide.serves_buffer());
  EXPECT_EQ(slide.served_buffer(), "PP");
  EXPECT_FALSE(issue.is_slide());
  EXPECT_TRUE(slide.domain.is_equal(
      isl::set(ctx, "{ PP_slide[t, p] : 1 <= t <= 2 and 4t <= p <= 4t + 1 }")));
  EXPECT_TRUE(slide.reads[0].relation.is_equal(
      isl::map(ctx, "{ PP_slide[t, p] -> PP[p - 4t + 4] : 1 <= t <= 2 and 4t <= p <= 4t + 1 }")));
  EXPECT_TRUE(slide.writes[0].relation.is_equal(
      isl::map(ctx, "{ PP_slide[t, p] -> PP[p - 4t] : 1 <= t <= 2 and 4t <= p <= 4t + 1 }")));
}

TEST(SlidingWindow, WithSlotsItReadsThatOfTheIterationBefore) {
  const Sliding f(4, 2);
  const isl::ctx ctx = f.state.program->ctx();
  const Statement& slide = f.state.program->statement("PP_slide");
  EXPECT_TRUE(
      slide.reads[0].relation.is_equal(isl::map(ctx,
                                                "{ PP_slide[1, p] -> PP[0, p] : 4 <= p <= 5; "
                                                "PP_slide[2, p] -> PP[1, p - 4] : 8 <= p <= 9 }")));
  EXPECT_TRUE(slide.writes[0].relation.is_equal(
      isl::map(ctx,
               "{ PP_slide[1, p] -> PP[1, p - 4] : 4 <= p <= 5; "
               "PP_slide[2, p] -> PP[0, p - 8] : 8 <= p <= 9 }")));
}

TEST(SlidingWindow, EveryRunIsRightWhateverTheTransfersDo) {
  std::mt19937 random(1);
  for (const Direction direction : {Direction::Up, Direction::Down}) {
    for (const int depth : {1, 2, 3}) {
      for (const std::int64_t block : {1, 2, 4, 5}) {
        SCOPED_TRACE("block " + std::to_string(block) + ", depth " + std::to_string(depth));
        const Sliding f(block, depth, direction);
        Execution plain(*f.before.program, f.before.order);
        const auto expected = plain.run({}, Interleaving::InOrder, random);
        ASSERT_TRUE(expected);
        EXPECT_TRUE(runs_right(*f.state.program, f.state.order, *expected, random));
      }
    }
  }
}

TEST(SlidingWindow, AWrongMoveIsAnIllegalSchedule) {
  const Sliding f(4);
  EXPECT_TRUE(f.is_legal_with("PP_slide", [](Statement&) {}));
  // One element is not moved.
  EXPECT_FALSE(f.is_legal_with("PP_slide", [](Statement& s) {
    s.domain = s.domain.subtract(isl::set(s.domain.ctx(), "{ PP_slide[2, 9] }"));
    s.writes[0].relation = s.writes[0].relation.intersect_domain(s.domain);
    s.reads[0].relation = s.reads[0].relation.intersect_domain(s.domain);
  }));
  // Elements come from their neighbours.
  EXPECT_FALSE(f.is_legal_with("PP_slide", [](Statement& s) {
    const isl::map next(s.domain.ctx(), "{ PP[c] -> PP[c - 1] }");
    s.reads[0].relation = s.reads[0].relation.apply_range(next);
    s.reads[0].index = s.reads[0].relation.as_pw_multi_aff().to_multi_pw_aff();
  }));
}

}  // namespace
}  // namespace solway::schedule
