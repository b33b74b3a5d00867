#include "schedule/footprint.h"

#include <sstream>

#include <gtest/gtest.h>

#include "support/isl_ext.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

bool equal(const isl::map& map, const std::string& text) {
  return map.is_equal(isl::map(map.ctx(), text));
}

Position position_in(const TiledMatmul& m, const std::vector<LoopId>& loops) {
  return {m.state, loops, {"C"}};
}

TEST(Footprint, OfATileIsTheTile) {
  const TiledMatmul m(1, 1024, 1024, 128, 64);
  const auto accesses = accesses_of(m.state, "C", "B", AccessKind::Reads);
  const Footprint f =
      make_footprint("r", accesses, position_in(m, {m.lx, m.yo, m.ko}), {true, true}, {});
  EXPECT_EQ(f.sizes, (std::vector<std::int64_t>{64, 128}));
  EXPECT_EQ(f.dims, (std::vector<BufferDim>{{0}, {1}}));
  EXPECT_TRUE(equal(f.box,
                    "{ [0, yo, ko] -> B[k, y] : 0 <= yo < 8 and 0 <= ko < 16 and "
                    "64ko <= k < 64ko + 64 and 128yo <= y < 128yo + 128 }"));
}

TEST(Footprint, IsClippedWhereTheTensorEnds) {
  const TiledMatmul m(1, 10, 6, 4, 6);
  const auto accesses = accesses_of(m.state, "C", "B", AccessKind::Reads);
  const Footprint f = make_footprint("r", accesses, position_in(m, {m.lx, m.yo}), {true, true}, {});
  EXPECT_EQ(f.sizes, (std::vector<std::int64_t>{6, 4}));
  EXPECT_TRUE(equal(f.box,
                    "{ [0, yo] -> B[k, y] : 0 <= yo < 3 and 0 <= k < 6 and "
                    "4yo <= y < 4yo + 4 and y < 10 }"));
}

TEST(Footprint, LeavesOutDimensionsOfOneElementThatNobodyAskedFor) {
  const TiledMatmul m(1, 8, 6, 4, 3);
  const auto accesses = accesses_of(m.state, "C", "A", AccessKind::Reads);
  const auto dims = [&](const std::vector<bool>& kept) {
    return make_footprint("r", accesses, position_in(m, {m.lx, m.yo, m.ko}), kept, {}).dims;
  };
  EXPECT_EQ(dims({false, true}), (std::vector<BufferDim>{{1}}));
  EXPECT_EQ(dims({true, true}), (std::vector<BufferDim>{{0}, {1}}));
}

/// What only exists where there are positions is in the box once, not again in each of its bounds:
/// boxes around it would have it five times as often, and isl takes seconds for them.
TEST(Footprint, BoxesHaveNoMoreUnknownsThanPositions) {
  const ScheduledMatmul m(2, 3, 4);
  const isl::map touched(m.state.program->ctx(),
                         "{ [a, b, c] -> T[t, u] : (c + t) mod 2 = 0 and 0 <= c <= 1 and "
                         "0 <= u < 4 and t >= 8a and 0 <= t <= 32 and t <= 7 + 8a and "
                         "-1 - 2b + t <= 8*floor(t/8) <= -2b + t }");
  isl::map box = touched;
  for (int k = 0; k < 3; ++k) box = box_around(box);
  EXPECT_TRUE(box.is_equal(box_around(touched)));
  std::ostringstream text;
  text << box;
  EXPECT_LT(text.str().size(), 400U) << text.str();
}

TEST(Footprint, BoxAroundAStridedSetFillsTheGaps) {
  const ScheduledMatmul m(2, 3, 4);
  const isl::map strided(m.state.program->ctx(),
                         "{ [p] -> T[t] : 0 <= p < 4 and 2p <= t <= 2p + 4 and t mod 2 = 0 }");
  EXPECT_TRUE(equal(box_around(strided), "{ [p] -> T[t] : 0 <= p < 4 and 2p <= t <= 2p + 4 }"));
}

TEST(Footprint, ABoxOfManyPiecesIsExact) {
  const ScheduledMatmul m(2, 3, 4);
  const isl::map touched(m.state.program->ctx(),
                         "{ [p] -> T[t] : exists i, j : -6 <= p < 4 and 0 <= i < 4 and 0 <= j < 2 "
                         "and t = p + 3j + 2i and 0 <= t < 4 and 3j <= t < 3j + 3 }");
  for (int p = -6; p < 4; ++p) {
    const isl::set at = isl_ext::fix(touched.domain(), 0, p);
    const isl::set box = at.apply(box_around(touched)), exact = at.apply(touched);
    EXPECT_EQ(isl_ext::try_dim_min(box, 0), isl_ext::try_dim_min(exact, 0)) << p;
    EXPECT_EQ(isl_ext::try_dim_max(box, 0), isl_ext::try_dim_max(exact, 0)) << p;
  }
}

TEST(Footprint, WhatIsTouchedInManyPiecesIsSaidInOneWhereThatIsTheSame) {
  const ScheduledMatmul m(2, 3, 4);
  // All of a 4 x 4 tensor, by one of two ways for each element.
  const isl::map touched(m.state.program->ctx(),
                         "{ [] -> A[i, j] : 0 <= i < 4 and 0 <= j < 4 and exists g : 0 <= g < 16 "
                         "and (4i + j = g // 2 or 4i + j = (3g + 1) mod 16) }");
  ASSERT_GT(touched.n_basic_map(), 1U);
  const Footprint f = footprint_of(touched, "r", {true, true}, {});
  EXPECT_EQ(f.box.n_basic_map(), 1U);
  EXPECT_TRUE(equal(f.box, "{ [] -> A[i, j] : 0 <= i < 4 and 0 <= j < 4 }"));
}

/// A product of which the accesses to A are replaced by `relation` { C[x, y, k] -> A[element] }.
std::vector<Access> strided(const TiledMatmul& m, const std::string& relation) {
  auto accesses = accesses_of(m.state, "C", "A", AccessKind::Reads);
  accesses[0].relation = isl::map(m.state.program->ctx(), relation)
                             .intersect_domain(m.state.program->statement("C").domain);
  return accesses;
}

TEST(Footprint, LeavesOutTheHolesBetweenRows) {
  const TiledMatmul m(1, 8, 6, 4, 3);
  const auto accesses = strided(m, "{ C[x, y, k] -> A[3y + 1, 2k] }");
  const auto made = [&](Holes holes) {
    return make_footprint("r", accesses, position_in(m, {m.lx, m.yo}), {true, true}, {}, holes);
  };
  const Footprint kept = made(Holes::Kept);
  EXPECT_EQ(kept.sizes, (std::vector<std::int64_t>{10, 11}));
  EXPECT_EQ(kept.strides, (std::vector<std::int64_t>{1, 1}));
  const Footprint rows = made(Holes::LeftOutButInRows);
  EXPECT_EQ(rows.dims, (std::vector<BufferDim>{{0, 3}, {1}}));
  EXPECT_TRUE(equal(rows.box,
                    "{ [0, yo] -> A[a, j] : exists i : a = 3i + 1 and 0 <= yo < 2 and "
                    "4yo <= i < 4yo + 4 and "
                    "0 <= j < 11 }"));
  const Footprint none = made(Holes::LeftOut);
  EXPECT_EQ(none.dims, (std::vector<BufferDim>{{0, 3}, {1, 2}}));
  EXPECT_EQ(none.sizes, (std::vector<std::int64_t>{10, 11}));
  EXPECT_TRUE(equal(none.box,
                    "{ [0, yo] -> A[a, b] : exists i, j : a = 3i + 1 and b = 2j and 0 <= yo < 2 "
                    "and 4yo <= i < 4yo + 4 and "
                    "0 <= j < 6 }"));
  EXPECT_TRUE(equal(none.offset.as_map(), "{ [x, yo] -> A[12yo + 1, 0] }"));
}

TEST(Footprint, ReferencesOfDifferentDistanceShareWhatDividesBoth) {
  const TiledMatmul m(1, 8, 6, 4, 3);
  auto accesses = strided(m, "{ C[x, y, k] -> A[4y, k] }");
  accesses.push_back(strided(m, "{ C[x, y, k] -> A[6y + 2, k] }")[0]);
  const Position position = position_in(m, {m.lx});
  const auto strides = [&] {
    return make_footprint("r", accesses, position, {true, true}, {}, Holes::LeftOut).strides;
  };
  EXPECT_EQ(strides(), (std::vector<std::int64_t>{2, 1}));
  accesses.push_back(strided(m, "{ C[x, y, k] -> A[y + 1, k] }")[0]);
  EXPECT_EQ(strides(), (std::vector<std::int64_t>{1, 1}));
}

TEST(Footprint, ATransferMovesNoHoles) {
  const TiledMatmul m(1, 10, 6, 4, 6);
  const auto accesses = strided(m, "{ C[x, y, k] -> A[2y + 5, k] }");
  const Footprint f =
      make_footprint("r", accesses, position_in(m, {m.lx, m.yo}), {true, true}, {}, Holes::LeftOut);
  Buffer buffer;
  buffer.name = "AA";
  buffer.tensor = "A";
  buffer.stage = "C";
  buffer.dims = f.dims;
  const Statement s = transfer_statement(buffer, f, {f.box}, "AA_get_issue", CopyDirection::Get);
  EXPECT_TRUE(equal(s.writes[0].relation,
                    "{ AA_get_issue[0, yo] -> AA[y, k] : 0 <= yo < 3 and 0 <= k < 6 and "
                    "0 <= y < 4 and y < 10 - 4yo }"));
  EXPECT_TRUE(equal(s.copy->first.as_map().intersect_domain(s.domain),
                    "{ AA_get_issue[0, yo] -> A[8yo + 5, 0] : 0 <= yo < 3 }"));
  EXPECT_TRUE(equal(s.copy->count.as_map().intersect_domain(s.domain),
                    "{ AA_get_issue[0, yo] -> [n, 6] : 0 <= yo < 3 and "
                    "((yo < 2 and n = 4) or (yo = 2 and n = 2)) }"));
}

TEST(Footprint, ATransferCarriesAllAccessesOfTheCopy) {
  const TiledMatmul m(1, 10, 6, 4, 6);
  const auto accesses = accesses_of(m.state, "C", "B", AccessKind::Reads);
  const Footprint f = make_footprint("r", accesses, position_in(m, {m.lx, m.yo}), {true, true}, {});
  Buffer buffer;
  buffer.name = "BB";
  buffer.tensor = "B";
  buffer.stage = "C";
  const Statement s = transfer_statement(buffer, f, {f.box}, "BB_get_issue", CopyDirection::Get);
  EXPECT_TRUE(equal(s.writes[0].relation,
                    "{ BB_get_issue[0, yo] -> BB[k, y] : 0 <= yo < 3 and 0 <= k < 6 and "
                    "0 <= y < 4 and y < 10 - 4yo }"));
  EXPECT_TRUE(equal(s.reads[0].relation,
                    "{ BB_get_issue[0, yo] -> B[k, y] : 0 <= yo < 3 and 0 <= k < 6 and "
                    "4yo <= y < 4yo + 4 and y < 10 }"));
  EXPECT_TRUE(equal(s.copy->count.as_map().intersect_domain(s.domain),
                    "{ BB_get_issue[0, yo] -> [6, n] : 0 <= yo < 3 and "
                    "((yo < 2 and n = 4) or (yo = 2 and n = 2)) }"));
  EXPECT_TRUE(equal(s.copy->near_first.as_map().intersect_domain(s.domain),
                    "{ BB_get_issue[0, yo] -> BB[0, 0] : 0 <= yo < 3 }"));
}

}  // namespace
}  // namespace solway::schedule
