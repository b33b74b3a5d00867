#include "driver/frontend/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/frontend/functions.h"
#include "support/error.h"

namespace solway {
namespace {

using testing::HasSubstr;

class FrontendSchedule : public testing::Test {
 protected:
  Tensor A = placeholder({8, 16}, DType::Float32, "A");
  Tensor B = placeholder({16, 32}, DType::Float32, "B");
  Axis k = reduce_axis(0, 16, "k");
  Tensor C = compute(
      {8, 32}, {"i", "j"},
      [&](Axis i, Axis j) {
        return sum(A[{i, k}] * B[{k, j}], {k});
      },
      "C");
  Schedule s{{C}};
};

TEST_F(FrontendSchedule, PrimitivesTakeLoopsAxesAndNames) {
  const auto [jo, ji] = s[C].split("j", 8);
  const auto [ko, ki] = s[C].split(k, 4);
  s[C].reorder({jo, ko, C.axis()[0], ji, ki});
  s[C].vectorize(ji);
  s[C].unroll("k.i");
  s[C].parallel(jo);
  std::string order;
  for (const Loop& loop : s[C].axis()) order += loop.name() + " ";
  EXPECT_EQ(order, "j.o i j.i ");
  EXPECT_EQ(s.state().log.size(), 6U);
  EXPECT_EQ(s.state().log[0].where.line, __LINE__ - 10);
}

TEST_F(FrontendSchedule, TilesAndFuses) {
  const auto [io, jo, ii, ji] = s[C].tile("i", "j", 4, 8);
  EXPECT_EQ(s[C].fuse({io, jo}).extent(), 8);
  EXPECT_EQ(ii.extent(), 4);
  EXPECT_EQ(ji.extent(), 8);
}

TEST_F(FrontendSchedule, OrderPrimitives) {
  s[C].skew("j", "i", 1);
  s[C].shift("j", 3);
  s[C].reverse("j");
  const auto [jo, ji] = s[C].split("j", 4, schedule::TailStrategy::Cut);
  EXPECT_EQ(s[C].affine("{ [j.i] -> [-j.i] }", {"back"}).at(0).name(), "back");
  const std::vector<Loop> parts = s[C].fission("i");
  EXPECT_EQ(parts.at(1).name(), "i.1");
  s[C].bind(parts.at(0), "row");
  EXPECT_EQ(s.state().log.back().primitive, "bind");
}

TEST_F(FrontendSchedule, ParallelOnAGrid) {
  s[C].parallel("i", "j", {8, 8});
  EXPECT_EQ(s.state().log.back().primitive, "parallel");
}

TEST_F(FrontendSchedule, StagesInOneLoop) {
  Tensor D = compute(
      {8, 32}, {"x", "y"},
      [&](Axis x, Axis y) {
        return C[{x, y}] * 2.0;
      },
      "D");
  Schedule both({D});
  both[C].fuse_with(both[D], "x");
  EXPECT_EQ(both[C].axis()[0].name(), "x");
}

TEST_F(FrontendSchedule, AFailingTileChangesNothing) {
  const std::string before = s.to_string();
  EXPECT_THROW(s[C].tile("i", "j", 4, 0), ScheduleArgumentError);
  EXPECT_EQ(s.to_string(), before);
}

TEST_F(FrontendSchedule, Buffers) {
  const auto [jo, ji] = s[C].split("j", 8);
  s[C].reorder({jo, "i", ji, k});
  EXPECT_EQ(s.buffer_read(B, {.region = RegionLike{k, ji}}).name, "BB");
  EXPECT_EQ(s.buffer_read(A, {.at = jo}).name, "AA");
  EXPECT_EQ(s.buffer_write(C, {.region = RegionLike{Expr(ji) + 0}, .at = "i"}).name, "CC");
  EXPECT_THAT(s.ldm_report("sw26010"), HasSubstr("BB"));
}

TEST_F(FrontendSchedule, PlacesStages) {
  const auto [ko, ki] = s[C].split(k, 4);
  const Tensor P = s.rfactor(C, ko);
  EXPECT_EQ(P.name(), "C_rf");
  EXPECT_EQ(s[P].legal_levels(C).size(), 3U);
  s[P].compute_at(C, "i");
  EXPECT_EQ(s[P].axis().size(), 3U);
  EXPECT_THROW(s[P].compute_root(), ScheduleArgumentError);
  EXPECT_THROW(s[P].compute_inline(), ScheduleArgumentError);
}

TEST_F(FrontendSchedule, PadComputesMoreElements) {
  const Tensor P = s.pad(C, {9, 32});
  EXPECT_EQ(P.name(), "C_pad");
  EXPECT_EQ(s[P].axis().size(), 2U);
  EXPECT_THROW(s.pad(C, {1}), ScheduleArgumentError);
}

TEST_F(FrontendSchedule, AutoBufferLeavesPrimitives) {
  s.auto_buffer("sw26010", "greedy");
  EXPECT_FALSE(s.state().log.empty());
}

TEST_F(FrontendSchedule, AutoScheduleLeavesPrimitives) {
  s.auto_schedule("x86-64-v4");
  EXPECT_FALSE(s.state().log.empty());
  EXPECT_THROW(Schedule({C}).auto_schedule("c"), UnsupportedError);
}

TEST_F(FrontendSchedule, RefusesOtherLoops) {
  Schedule other({C});
  const auto [jo, ji] = other[C].split("j", 8);
  EXPECT_THROW(s[C].unroll(jo), ScheduleArgumentError);
  EXPECT_THROW(s[C].unroll("z"), ScheduleArgumentError);
  EXPECT_THROW(s[A], ScheduleArgumentError);
}

TEST_F(FrontendSchedule, AnIllegalPrimitiveNamesTheLine) {
  const std::string before = s.to_string();
  s[C].reorder({k, "i", "j"});
  try {
    s[C].parallel(k);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.report().where.line, __LINE__ - 3);
  }
}

TEST_F(FrontendSchedule, AsksWhatIsLegal) {
  const std::string before = s.to_string();
  EXPECT_TRUE(s.legal([&] {
    const auto [io, ii] = s[C].split("i", 4);
    s[C].vectorize(ii);
  }));
  const Verdict no = s.legal([&] { s[C].split("i", 0); });
  EXPECT_FALSE(no);
  EXPECT_THAT(no.error(), HasSubstr("the factor is not positive"));
  EXPECT_EQ(s.to_string(), before);
  // Loops that are made afterwards are what they say, whatever was tried.
  EXPECT_EQ(s[C].split("j", 8).second.name(), "j.i");
}

TEST_F(FrontendSchedule, CoresReadABufferTogether) {
  s[C].parallel("i");
  const Buffer near = s.buffer_read(B, {.at = "i"});
  s.broadcast(near, schedule::SharedBy::All);
  EXPECT_EQ(s.state().program->buffers.at(near.name).shared_by, schedule::SharedBy::All);
  EXPECT_EQ(s.log().back().primitive, "broadcast");
}

TEST_F(FrontendSchedule, BuffersHoldSeveralRegions) {
  const auto [jo, ji] = s[C].split("j", 8);
  s[C].reorder({jo, "i", ji, k});
  const Buffer near = s.buffer_read(B, {.at = jo, .depth = 2});
  EXPECT_EQ(s.state().program->buffers.at(near.name).depth, 2);
  const Buffer rows = s.buffer_read(A, {.at = "i"});
  s.prefetch(rows, 2);
  EXPECT_EQ(s.state().program->buffers.at(rows.name).distance, 2);
  s.double_buffer(s.buffer_write(C, {.at = "i"}));
  EXPECT_EQ(s.log().back().primitive, "double_buffer");
}

TEST_F(FrontendSchedule, OneRegionMovesWhileNothingUsesIt) {
  s.single_buffer(s.buffer_read(A, {.at = "i"}));
  EXPECT_EQ(s.log().back().primitive, "single_buffer");
}

TEST_F(FrontendSchedule, HoldsBuffersAgainstATarget) {
  const Tensor W = placeholder({128, 256}, DType::Float64, "W");
  const Tensor D = compute(
      {128, 256}, {"x", "y"},
      [&](Axis x, Axis y) {
        return W[{x, y}] + 1;
      },
      "D");
  Schedule known = create_schedule({D}, {.target = "sw26010"});
  EXPECT_THROW(known.buffer_read(W, {.region = RegionLike{"x", "y"}}), CapacityError);
  EXPECT_TRUE(known.log().empty());
  known[D].parallel("x");
  EXPECT_THAT(known.to_string(), HasSubstr("min(Id*2, 128)"));  // 128 over 64 cores
  EXPECT_THROW(create_schedule({D}, {.target = "abacus"}), UnsupportedError);
}

TEST_F(FrontendSchedule, StoresInAnotherLayout) {
  s.transform_layout(B, {"r", "c"}, [](Axis r, Axis c) {
    return std::vector<Expr>{floor_divide(c, 8), r, c % 8};
  });
  EXPECT_THAT(s.to_string(), HasSubstr("B_layout["));
  EXPECT_THROW(s.transform_layout(A, {"r"}, [](Axis r) { return r; }), DslError);
}

TEST_F(FrontendSchedule, ABufferServesTheStageWhoseLoopsAreNamed) {
  const Tensor D = compute(
      {8, 16}, {"x", "y"},
      [&](Axis x, Axis y) {
        return A[{x, y}] * 2;
      },
      "D");
  Schedule both({C, D});
  EXPECT_THROW(both.buffer_read(A, {.at = "x"}), ScheduleArgumentError);
  const Buffer near = both.buffer_read(A, {.at = D.axis()[0]});
  EXPECT_EQ(both.state().program->buffers.at(near.name).stage, "D");
  EXPECT_EQ(both.buffer_read(A, {.at = "i", .reader = C}).name, "AA_1");
  EXPECT_THROW(both.buffer_write(A, {.at = "i"}), ScheduleArgumentError);
}

TEST_F(FrontendSchedule, HasATree) { EXPECT_THAT(s.tree(), HasSubstr("domain:")); }

TEST_F(FrontendSchedule, CoresLoadTheirsFromABufferOfAllOfThem) {
  s[C].parallel("i");
  const Buffer all = s.buffer_read(B, {.region = RegionLike{k, "j"}, .scope = "shared"});
  EXPECT_EQ(s.buffer_read(all, {.region = RegionLike{k}}).name, "BB_buf");
  Schedule other({C});
  EXPECT_THROW(other.buffer_read(all, {.region = RegionLike{k}}), ScheduleArgumentError);
}

TEST(FrontendFixes, NameTheChangedCall) {
  const Tensor A = placeholder({12}, DType::Float32, "A");
  const Tensor S = recurrence(
      {12}, {"i"}, DType::Float32,
      [&](const Tensor& S, Axis i) { return A[i] + select(i >= 4, S[maximum(i - 4, 0)], 0); }, "S");
  const auto in_blocks = [&](Schedule& s) { return s[S].split("i", 2).first; };
  Schedule early({S});
  const Buffer SS = early.buffer_read(S, {.at = in_blocks(early)});
  EXPECT_THROW(early.prefetch(SS, 3), IllegalScheduleError);
  EXPECT_EQ(early.fix().value_or(""), "s.prefetch(SS, 1) instead");
  early.apply_fix();
  EXPECT_EQ(early.log().back().primitive, "prefetch");
  Schedule deep({S});
  EXPECT_THROW(deep.buffer_read(S, {.at = in_blocks(deep), .depth = 4}), IllegalScheduleError);
  EXPECT_EQ(deep.fix().value_or(""), "s.buffer_read(S, at='i.o', depth=2) instead");
  deep.apply_fix();
  EXPECT_EQ(deep.log().back().primitive, "buffer_read");
  Schedule stale({S});
  EXPECT_THROW(stale.buffer_read(S, {.region = RegionLike{"i"}}), IllegalScheduleError);
  EXPECT_EQ(stale.fix().value_or(""), "s.buffer_write(S, ['i']) instead");
}

}  // namespace
}  // namespace solway
