#include "schedule/final_writers.h"

#include <string>

#include <gtest/gtest.h>

#include "support/isl_context.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// Puts of blocks of eight elements of C, of 32, each issued and awaited; C is read when they are
/// over.
class FinalWriters : public ::testing::Test {
 protected:
  FinalWriters() {
    program_.issues = uset("{ [I[o] -> C[i]] : 0 <= o < 4 and 8o <= i < 8o + 8 }");
    program_.completes = uset("{ [E[o] -> C[i]] : 0 <= o < 4 and 8o <= i < 8o + 8 }");
    program_.partners =
        umap("{ [E[o] -> C[i]] -> [I[o] -> C[i]] : 0 <= o < 4 and 8o <= i < 8o + 8 }");
    program_.writes = umap(
                          "{ [I[o] -> C[i]] -> C[i] : 0 <= o < 4 and 8o <= i < 8o + 8;"
                          "  [E[o] -> C[i]] -> C[i] : 0 <= o < 4 and 8o <= i < 8o + 8 }")
                          .unite(virtual_access("before C", "{ B[i] -> C[i] : 0 <= i < 40 }"));
    set_time(
        "{ [I[o] -> C[i]] -> [1, o, 0] : 0 <= o < 4 and 8o <= i < 8o + 8;"
        "  [E[o] -> C[i]] -> [1, o + 1, -1] : 0 <= o < 4 and 8o <= i < 8o + 8 }");
    reads_ = virtual_access("after C", "{ A[i] -> C[i] : 0 <= i < 40 }");
  }

  isl::union_map umap(const std::string& text) const { return isl::union_map(isl_.get(), text); }
  isl::union_set uset(const std::string& text) const { return isl::union_set(isl_.get(), text); }

  isl::union_map virtual_access(const std::string& name, const std::string& text) const {
    return isl_ext::with_tuple_name(isl::map(isl_.get(), text), isl_ext::Dim::Domain, name)
        .to_union_map();
  }

  void set_time(const std::string& of_transfers) {
    program_.time = umap(of_transfers)
                        .unite(virtual_access("before C", "{ B[i] -> [0, 0, 0] : 0 <= i < 40 }"))
                        .unite(virtual_access("after C", "{ A[i] -> [2, 0, 0] : 0 <= i < 40 }"));
  }

  std::optional<isl::union_map> found() const {
    return final_writers(program_, reads_, program_.writes);
  }

  /// As isl's search for the last says.
  void expect_last() const {
    const auto quick = found();
    ASSERT_TRUE(quick);
    const isl::union_map last =
        isl_ext::last_writers(reads_, program_.writes, program_.time).must.reverse();
    EXPECT_TRUE(quick->is_equal(last)) << isl_ext::to_string(*quick);
  }

  IslContext isl_;
  ElementProgram program_;
  isl::union_map reads_;
};

TEST_F(FinalWriters, AreCompletesAndWhatWasThereBefore) {
  expect_last();
  const isl::union_map of_five =
      found()->intersect_range(uset("{ [E[o] -> C[5]] }")).range().identity();
  EXPECT_TRUE(of_five.is_equal(umap("{ [E[0] -> C[5]] -> [E[0] -> C[5]] }")));
}

TEST_F(FinalWriters, OfStatementsThatStoreEachElementOnce) {
  program_.writes = program_.writes.unite(umap("{ S[i] -> C[32 + i] : 0 <= i < 5 }"));
  program_.time = program_.time.unite(umap("{ S[i] -> [1, 9, i] : 0 <= i < 5 }"));
  expect_last();
}

TEST_F(FinalWriters, AnElementThatIsWrittenTwiceNeedsASearch) {
  program_.writes =
      program_.writes.unite(umap("{ S[i] -> C[32 + i] : 0 <= i < 5;"
                                 "  T[i] -> C[2i] : 0 <= i < 5 }"));
  EXPECT_FALSE(found());
}

TEST_F(FinalWriters, AnIssueAfterItsCompleteNeedsASearch) {
  set_time(
      "{ [I[o] -> C[i]] -> [1, o, 0] : 0 <= o < 4 and 8o <= i < 8o + 8;"
      "  [E[o] -> C[i]] -> [1, o, 1] : 0 <= o < 3 and 8o <= i < 8o + 8;"
      "  [E[o] -> C[i]] -> [1, o, -1] : o = 3 and 8o <= i < 8o + 8 }");
  EXPECT_FALSE(found());
}

TEST_F(FinalWriters, AnIssueThatNothingAwaitsNeedsASearch) {
  program_.partners = program_.partners.subtract_range(uset("{ [I[2] -> C[17]] }"));
  EXPECT_FALSE(found());
}

TEST_F(FinalWriters, AReaderInTheProgramNeedsASearch) {
  reads_ = reads_.unite(umap("{ S[i] -> C[i] : 0 <= i < 5 }"));
  EXPECT_FALSE(found());
}

TEST_F(FinalWriters, TwoElementsInOnePlaceBeforeTheProgram) {
  program_.writes = program_.writes.unite(virtual_access("before C", "{ B[i] -> C[39] : i = 38 }"));
  EXPECT_FALSE(found());
  reads_ = virtual_access("after C", "{ A[i] -> C[i] : 0 <= i < 32 }");
  expect_last();
}

}  // namespace
}  // namespace solway::schedule
