#include "schedule/cross_cores.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

/// C[x, y] += A[x, k] * B[k, y]: the pieces are its initialisation and its updates.
struct Pieces : testing::ScheduledMatmul {
  CorePiece init, update;

  Pieces() : ScheduledMatmul(8, 8, 4) {
    for (const std::string& name : statements_of(state, "C")) {
      const Statement& s = state.program->statement(name);
      (s.kind == StatementKind::Init ? init : update).instances.emplace(name, s.domain);
    }
  }
};

TEST(CrossesCores, WhereTwoPiecesAreSharedOutDifferently) {
  Pieces p;
  EXPECT_EQ(crosses_cores(p.state, p.init, p.update, {}, 0), false) << "both on core 0";
  p.init.shares = {{p.lx, 0, 2, 1}};
  EXPECT_EQ(crosses_cores(p.state, p.init, p.update, {}, 0), true);
  p.update.shares = {{p.lx, 0, 2, 1}};
  EXPECT_EQ(crosses_cores(p.state, p.init, p.update, {}, 0), false);
  p.update.shares = {{p.lx, 0, 4, 1}};
  EXPECT_EQ(crosses_cores(p.state, p.init, p.update, {}, 0), true);
  p.update.shares = {{p.ly, 0, 2, 1}};
  EXPECT_EQ(crosses_cores(p.state, p.init, p.update, {}, 0), true);
}

TEST(CrossesCores, NothingWherePiecesOnlyRead) {
  Pieces p;
  const auto copy = p.update;
  p.update.shares = {{p.ly, 0, 1, 1}};
  CorePiece none;
  EXPECT_EQ(crosses_cores(p.state, none, copy, {}, 0), false);
}

TEST(CrossesCores, BetweenIterationsOfALoopAround) {
  Pieces p;
  p.update.shares = {{p.ly, 0, 1, 1}};
  // C[x, y] of one k is that of the next one, on the same core.
  EXPECT_EQ(crosses_cores(p.state, p.update, p.update, {p.lk}, 0), false);
  p.update.shares = {{p.lk, 0, 1, 1}};
  EXPECT_EQ(crosses_cores(p.state, p.update, p.update, {p.lx}, 0), false) << "another element";
  EXPECT_EQ(crosses_cores(p.state, p.update, p.update, {p.lx}, 1), true) << "of the same x";
}

TEST(CrossesCores, OnAMeshOfRowsAndColumns) {
  Pieces p;
  p.init.shares = {{p.lx, 0, 1, 8}, {p.ly, 0, 1, 1}};
  p.update.shares = {{p.lx, 0, 1, 8}, {p.ly, 0, 1, 1}};
  EXPECT_EQ(crosses_cores(p.state, p.init, p.update, {}, 0), false);
  p.update.shares = {{p.ly, 0, 1, 8}, {p.lx, 0, 1, 1}};
  EXPECT_EQ(crosses_cores(p.state, p.init, p.update, {}, 0), true);
}

TEST(CrossesCores, WhereTheLoopsThatDecideDiffer) {
  Pieces p;
  p.init.deciding = {p.lx, p.ly};
  p.update.deciding = {p.lx, p.ly};
  EXPECT_EQ(crosses_cores(p.state, p.init, p.update, {}, 0), false);
  p.update.deciding = {p.ly, p.lx};
  EXPECT_EQ(crosses_cores(p.state, p.init, p.update, {}, 0), true);
}

TEST(CrossesCores, EveryDependenceWhereTheCoresAreNotKnown) {
  Pieces p;
  p.init.shares = {{p.lx, 0, 1, 1}};
  p.update.shares = {{p.lx, 0, 1, 1}};
  EXPECT_EQ(crosses_cores(p.state, p.init, p.update, {}, 0, SharedOut::Unknown), true);
  EXPECT_EQ(crosses_cores(p.state, p.init, p.init, {p.lx}, 0, SharedOut::Unknown), false);
}

}  // namespace
}  // namespace solway::schedule
