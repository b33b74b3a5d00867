#include "schedule/unwritten_reads.h"

#include <string>

#include <gtest/gtest.h>

#include "support/isl_context.h"

namespace solway::schedule {
namespace {

bool is_unwritten(const std::string& reads, const std::string& writes, const std::string& time) {
  const IslContext isl;
  const auto umap = [&](const std::string& text) { return isl::union_map(isl.get(), text); };
  return has_unwritten_reads(umap(reads), umap(writes), umap(time));
}

constexpr const char* kInit = "{ I[i] -> [i, 0]; S[i, k] -> [i, 1 + k] }";

TEST(UnwrittenReads, NoneWhereEachIsWrittenBefore) {
  EXPECT_FALSE(is_unwritten("{ S[i, k] -> A[i] : 0 <= i, k < 4 }",
                            "{ I[i] -> A[i] : 0 <= i < 4; S[i, k] -> A[i] : 0 <= i, k < 4 }",
                            kInit));
  EXPECT_FALSE(is_unwritten("{ }", "{ I[i] -> A[i] : 0 <= i < 4 }", kInit));
}

TEST(UnwrittenReads, OfTheFirstReader) {
  EXPECT_TRUE(is_unwritten("{ S[i, k] -> A[i] : 0 <= i, k < 4 }", "{ }", kInit));
  EXPECT_TRUE(is_unwritten("{ S[i, k] -> A[i] : 0 <= i, k < 4 }",
                           "{ I[i] -> A[i] : 1 <= i < 4; S[i, k] -> A[i] : 0 <= i, k < 4 }",
                           kInit));
}

TEST(UnwrittenReads, WhatAnInstanceWritesIsLaterThanWhatItReads) {
  EXPECT_TRUE(is_unwritten("{ S[t] -> A[] : 0 <= t < 4 }", "{ S[t] -> A[] : 0 <= t < 4 }",
                           "{ S[t] -> [t] }"));
  EXPECT_FALSE(is_unwritten("{ S[t] -> A[t - 1] : 1 <= t < 4 }", "{ S[t] -> A[t] : 0 <= t < 4 }",
                            "{ S[t] -> [t] }"));
}

TEST(UnwrittenReads, OfALaterReaderAlone) {
  EXPECT_TRUE(is_unwritten("{ S[i, k] -> A[i] : 0 <= i, k < 4 }",
                           "{ I[i] -> A[i] : 0 <= i < 3; S[i, k] -> A[i] : 0 <= i, k < 4 }",
                           kInit));
  EXPECT_TRUE(is_unwritten("{ S[t] -> A[5 - t] : 1 <= t < 6 }", "{ S[t] -> A[t] : 0 <= t < 6 }",
                           "{ S[t] -> [-t] }"));
}

TEST(UnwrittenReads, WrittenAfterwardsIsNotWritten) {
  EXPECT_TRUE(is_unwritten("{ S[i, k] -> A[i] : 0 <= i, k < 4 }", "{ I[i] -> A[i] : 0 <= i < 4 }",
                           "{ I[i] -> [i, 9]; S[i, k] -> [i, 1 + k] }"));
}

TEST(UnwrittenReads, ForSomeSizesAlone) {
  EXPECT_TRUE(is_unwritten("[n] -> { S[i] -> A[i] : 0 <= i < n }",
                           "[n] -> { I[i] -> A[i] : 0 <= i < 8 }",
                           "{ I[i] -> [0, i]; S[i] -> [1, i] }"));
  EXPECT_FALSE(is_unwritten("[n] -> { S[i] -> A[i] : 0 <= i < n and n <= 8 }",
                            "[n] -> { I[i] -> A[i] : 0 <= i < 8 }",
                            "{ I[i] -> [0, i]; S[i] -> [1, i] }"));
}

}  // namespace
}  // namespace solway::schedule
