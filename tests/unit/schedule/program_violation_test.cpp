#include "schedule/program_violation.h"

#include <gtest/gtest.h>

#include "schedule/program_legality.h"

#include "tests/unit/schedule/random_schedules.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

const Request kRequest{"buffer_read(T)", {"user.py", 9, ""}};

/// The refusal of a buffer that was made by hand.
IllegalScheduleError refused(const State& state) {
  try {
    require_program_legal(*state.original, *state.program, kRequest);
  } catch (const IllegalScheduleError& e) {
    return e;
  }
  ADD_FAILURE() << "accepted";
  return {{}, {}};
}

IllegalScheduleError refused(const PlainSample& sample, const BufferPlan& plan) {
  return refused(*HandMade(testing::make_state(sample), plan).make());
}

void expect_report(const IllegalScheduleError& e, const std::string& what, const std::string& why) {
  EXPECT_EQ(e.report().what, "buffer_read(T) would " + what);
  EXPECT_EQ(e.report().why, why);
  EXPECT_EQ(e.report().where.line, 9);
  EXPECT_EQ(e.violation().primitive, "buffer_read(T)");
}

TEST(ProgramViolation, FilledTooEarly) {
  const auto e = refused(gauss_seidel_sample(2, 5), {"T", {"S"}, 0});
  expect_report(e, "copy T[1] to 'TT' before S[d0=0, d1=1] writes it",
                "S[d0=0, d1=2] (user.py:7) reads T[1], which S[d0=0, d1=1] (user.py:7) writes, in "
                "TT[1], which then holds T[1] from before the program");
  EXPECT_EQ(e.report().fix,
            "pass at= with a loop inside those that write 'T', or leave the buffer out");
  EXPECT_EQ(e.violation().source.to_string(), "S[d0=0, d1=1]");
  EXPECT_EQ(e.violation().sink.to_string(), "S[d0=0, d1=2]");
  EXPECT_EQ(e.violation().tensor, "T");
  EXPECT_EQ(e.violation().element, (std::vector<std::int64_t>{1}));
}

TEST(ProgramViolation, PartialSumsAreNotLoadedBack) {
  const auto e = refused(matmul_sample(2, 3, 4, false, 1), {"C", {"U"}, 3, false, true});
  expect_report(e, "lose terms of the reduction in C[0, 0]",
                "U[d0=0, d1=0, d2=0] (user.py:7) adds to CC[0, 0], which holds no value then");
  EXPECT_EQ(e.report().fix,
            "pass at= with a loop outside those of the reduction, or leave the buffer out");
}

TEST(ProgramViolation, ElementsInTheWrongPlace) {
  expect_report(refused(pipeline_sample(5), {"P", {"C"}, 0, true, false, Fault::Short}),
                "give C[d0=4] a wrong value of P[6]",
                "C[d0=4] (user.py:7) reads P[6], which P[d0=6] (user.py:7) writes, in PP[6], which "
                "then holds no value");
  expect_report(refused(pipeline_sample(5), {"P", {"C"}, 1, true, false, Fault::Swapped}),
                "give C[d0=0] a wrong value of P[0]",
                "C[d0=0] (user.py:7) reads P[0], which P[d0=0] (user.py:7) writes, in PP[1], which "
                "then holds what P[d0=1] (user.py:7) wrote");
}

TEST(ProgramViolation, WhatTheCallerSees) {
  const auto e = refused(pipeline_sample(5), {"C", {"C"}, 0, false, true, Fault::Short});
  expect_report(e, "leave a wrong value in C[4]",
                "at the end it should hold what C[d0=4] (user.py:7) writes, but it holds C[4] from "
                "before the program");
  EXPECT_EQ(e.violation().source.to_string(), "C[d0=4]");
}

TEST(ProgramViolation, OutOfBounds) {
  const auto e = refused(pipeline_sample(5), {"C", {"C"}, 0, false, true, Fault::Overrun});
  expect_report(e, "use CC[5], which 'CC' does not have",
                "the transfer of CC (user.py:8) accesses it");
  EXPECT_EQ(e.violation().tensor, "CC");
}

TEST(ProgramViolation, IssueWithoutWaitAndWaitWithoutIssue) {
  expect_report(refused(pipeline_sample(5), {"P", {"C"}, 1, true, false, Fault::DroppedWait}),
                "never wait for the transfer of PP[d0=4]", "nothing completes it");
  expect_report(refused(pipeline_sample(5), {"P", {"C"}, 1, true, false, Fault::DroppedIssue}),
                "wait for the transfer of PP[d0=4]", "nothing issues it");
}

/// The schedule after `name` moved by `places`, later when positive.
State moved(const State& state, const std::string& name, int places) {
  State out = state;
  auto& all = out.order.placements;
  auto at =
      std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.statement == name; });
  for (; places > 0; --places, ++at) std::iter_swap(at, at + 1);
  for (; places < 0; ++places, --at) std::iter_swap(at, at - 1);
  auto program = std::make_shared<Program>(*out.program);
  program->reference = time_of(program->ctx(), out.order, program->domains());
  out.program = program;
  return out;
}

TEST(ProgramViolation, DataInFlight) {
  const State get = *HandMade(testing::make_state(pipeline_sample(5)), {"P", {"C"}, 1}).make();
  expect_report(refused(moved(get, "PP_get_issue", 1)), "wait for the transfer of PP[d0=0]",
                "its issue comes later");
  expect_report(refused(moved(get, "PP_get_complete", 1)),
                "use PP[0] before its transfer is complete",
                "C[d0=0] (user.py:7) uses it after the issue and before the wait of PP[d0=0]");
  const BufferPlan both{"T", {"S"}, 1, true, true};
  const State put = *HandMade(testing::make_state(gauss_seidel_sample(2, 5)), both).make();
  expect_report(refused(moved(put, "TT_get_complete", 1)), "change TT[1] while a transfer uses it",
                "between the issue and the wait of TT[d0=0], S[d0=0, d1=1] (user.py:7) writes it");
  expect_report(refused(moved(put, "TT_put_issue", -1)), "change TT[1] while a transfer uses it",
                "between the issue and the wait of TT[d0=0], S[d0=0, d1=1] (user.py:7) writes it");
}

TEST(ProgramViolation, TermsThatAreNotAddedUp) {
  const auto e = refused(matmul_sample(1, 1, 3, false, 0), {"C", {"U"}, 2});
  expect_report(e, "lose terms of the reduction in C[0, 0]",
                "U[d0=0, d1=0, d2=0] (user.py:7) adds to CC[0, 0], and so does U[d0=0, d1=0, d2=1] "
                "(user.py:7), from the same partial result");
  const State late =
      *HandMade(testing::make_state(matmul_sample(1, 1, 3, true, 2)), {"C", {"E"}, 1}).make();
  const auto early = refused(moved(moved(late, "CC_get_issue", -1), "CC_get_complete", -1));
  expect_report(early, "use C[0, 0] before its last term is added",
                "E[d0=0, d1=0] (user.py:7) reads it after I[d0=0, d1=0] (user.py:7), and more "
                "terms follow");
}

}  // namespace
}  // namespace solway::schedule
