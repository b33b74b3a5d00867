#include "schedule/loop_instances.h"

#include <string>

#include <gtest/gtest.h>

#include "support/isl_context.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

class LoopInstancesTest : public ::testing::Test {
 protected:
  isl::union_map umap(const std::string& text) const { return isl::union_map(isl_.get(), text); }

  void expect_equal(const isl::union_map& actual, const std::string& text) const {
    EXPECT_TRUE(actual.is_equal(umap(text))) << isl_ext::to_string(actual);
  }

  /// Time and accesses stay as they are.
  void expect_as_written(const std::string& time, const std::string& accesses) const {
    const LoopInstances instances(umap(time));
    expect_equal(instances.time(), time);
    expect_equal(instances.accesses(umap(accesses)), accesses);
    expect_equal(instances.pairs_as_written(umap(accesses)), accesses);
  }

  IslContext isl_;
};

TEST_F(LoopInstancesTest, TimeAndAccessesAreAffine) {
  const LoopInstances instances(
      umap("{ S[x] -> [0, floor(x / 4), x mod 4] : 0 <= x < 32; T[o] -> [1, o, 0] : 0 <= o < 8 }"));
  expect_equal(instances.time(), "{ S[o, i] -> [0, o, i]; T[o] -> [1, o, 0] : 0 <= o < 8 }");
  const isl::union_map accesses =
      instances.accesses(umap("{ S[x] -> A[x mod 4] : 0 <= x < 32; T[o] -> A[o] : 0 <= o < 4 }"));
  expect_equal(accesses,
               "{ S[o, i] -> A[i] : 0 <= o < 8 and 0 <= i < 4; T[o] -> A[o] : 0 <= o < 4 }");
  accesses.foreach_map([](const isl::map& one) { EXPECT_FALSE(one.wrap().involves_locals()); });
  expect_equal(instances.pairs_as_written(
                   umap("{ S[o, i] -> T[o] : 0 <= o < 8 and 0 <= i < 4; T[o] -> T[o - 1] }")),
               "{ S[x] -> T[floor(x / 4)] : 0 <= x < 32; T[o] -> T[o - 1] }");
}

TEST_F(LoopInstancesTest, LoopsHaveTheirRangesAndNothingElse) {
  const LoopInstances instances(
      umap("{ S[x] -> [floor(x / 32), floor((x mod 32) / 8), x mod 8] : 0 <= x < 128 }"));
  EXPECT_EQ(isl_ext::to_string(instances.accesses(umap("{ S[x] -> A[x mod 8] }"))),
            "{ S[i0, i1, i2] -> A[i2] : 0 <= i0 <= 3 and 0 <= i1 <= 3 and 0 <= i2 <= 7 }");
}

TEST_F(LoopInstancesTest, BlocksThatAreCutAndSplitTwice) {
  const LoopInstances instances(
      umap("{ S[x] -> [floor(x / 8), floor((x mod 8) / 2), 5, x mod 2] : 3 <= x < 30 }"));
  expect_equal(instances.time(), "{ S[a, b, c] -> [a, b, 5, c] }");
  expect_equal(instances.accesses(umap("{ S[x] -> A[x] }")),
               "{ S[a, b, c] -> A[8a + 2b + c] : 0 <= b < 4 and 0 <= c < 2 and "
               "3 <= 8a + 2b + c < 30 }");
  expect_equal(instances.pairs_as_written(umap("{ S[a, b, c] -> S[a, b, 0] : c = 1 }")),
               "{ S[x] -> S[x - 1] : 3 < x < 30 and x mod 2 = 1 }");
}

TEST_F(LoopInstancesTest, ElementsOfTransfersKeepTheirIndices) {
  expect_as_written("{ [C[p] -> T[e]] -> [floor(p / 2), p mod 2] : 0 <= p < 4 and 0 <= e < 3 }",
                    "{ [C[p] -> T[e]] -> B[e] : 0 <= p < 4 and 0 <= e < 3 }");
}

TEST_F(LoopInstancesTest, InstancesThatRunAtOneTimeKeepTheirIndices) {
  expect_as_written("{ S[x, y] -> [floor(x / 4), x mod 4] : 0 <= x < 8 and 0 <= y < 2 }",
                    "{ S[x, y] -> A[x] : 0 <= x < 8 and 0 <= y < 2 }");
}

TEST_F(LoopInstancesTest, TimeInPiecesIsLeft) {
  expect_as_written(
      "{ S[x] -> [floor(x / 4), x mod 4] : 0 <= x < 8; S[x] -> [x, 0] : 100 <= x < 103 }",
      "{ S[x] -> A[x] : 0 <= x < 8 }");
}

TEST_F(LoopInstancesTest, WithoutQuotientsNothingChanges) {
  expect_as_written("{ S[x, y] -> [y, 0, x] : 0 <= x, y < 8 }",
                    "{ S[x, y] -> A[x, y] : 0 <= x, y < 8 }");
}

}  // namespace
}  // namespace solway::schedule
