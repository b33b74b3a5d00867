#include "memory_planner/access_dims.h"

#include <gtest/gtest.h>

#include "schedule/fuse.h"
#include "schedule/split.h"

#include "tests/support/sample_programs.h"

namespace solway::memory_planner {
namespace {

using schedule::AccessKind;
using schedule::State;

std::vector<DimModel> dims(const State& state, const std::string& stage, const std::string& tensor,
                           AccessKind kind = AccessKind::Reads) {
  return access_dims(state, schedule::accesses_of(state, stage, tensor, kind),
                     state.stage_loops.at(stage));
}

void expect_terms(const DimModel& dim, const std::vector<std::pair<int, std::int64_t>>& terms) {
  ASSERT_EQ(dim.terms.size(), terms.size());
  for (std::size_t k = 0; k < terms.size(); ++k) {
    EXPECT_EQ(dim.terms[k].loop, terms[k].first);
    EXPECT_EQ(dim.terms[k].growth, terms[k].second);
  }
}

TEST(AccessDims, AnIndexOfOneLoopGrowsByOne) {
  const samples::Matmul matmul(4, 8, 16);
  const State state = schedule::make_state({matmul.c}, {});
  const auto b = dims(state, "C", "B");
  ASSERT_EQ(b.size(), 2U);
  expect_terms(b[0], {{2, 1}});
  expect_terms(b[1], {{1, 1}});
  EXPECT_EQ(b[0].base, 1);
  EXPECT_EQ(b[0].extent, 16);
  expect_terms(dims(state, "C", "C", AccessKind::Writes)[1], {{1, 1}});
}

TEST(AccessDims, SeveralReadsOfOneTensorMakeABox) {
  const samples::Pipeline pipeline(10);
  const State state = schedule::make_state({pipeline.c}, {});
  const auto a = dims(state, "P", "A");
  expect_terms(a[0], {{0, 1}});
  EXPECT_EQ(a[0].base, 2);  // A[i], A[i + 1]
  EXPECT_EQ(a[0].extent, 12);
}

TEST(AccessDims, AfterASplitBothLoopsMoveTheIndex) {
  const samples::Matmul matmul(1, 100, 16);
  State state = schedule::make_state({matmul.c}, {});
  state = schedule::split(state, "C", state.stage_loops.at("C")[1], 32, {}).state;
  expect_terms(dims(state, "C", "B")[1], {{1, 32}, {2, 1}});
}

TEST(AccessDims, ALoopOfOneIterationMovesNothing) {
  const samples::Matmul matmul(1, 8, 16);
  const State state = schedule::make_state({matmul.c}, {});
  EXPECT_TRUE(dims(state, "C", "A")[0].terms.empty());
}

TEST(AccessDims, AFusedLoopMovesARemainderByAllOfIt) {
  const samples::Matmul matmul(3, 8, 16);
  State state = schedule::make_state({matmul.c}, {});
  const auto loops = state.stage_loops.at("C");
  state = schedule::fuse(state, "C", {loops[0], loops[1]}, {}).state;
  const auto c = dims(state, "C", "C", AccessKind::Writes);
  expect_terms(c[0], {{0, 1}});  // floor(f / 8)
  expect_terms(c[1], {{0, 7}});  // f mod 8 falls from 7 to 0
}

TEST(AccessDims, NoAccessHasNoDimensions) {
  const samples::Matmul matmul(3, 8, 16);
  const State state = schedule::make_state({matmul.c}, {});
  EXPECT_TRUE(dims(state, "C", "nothing").empty());
}

}  // namespace
}  // namespace solway::memory_planner
