#include "schedule/statement.h"

#include <gtest/gtest.h>

#include "support/isl_context.h"

namespace solway::schedule {
namespace {

Statement storing(const isl::ctx& ctx, const std::vector<std::string>& relations) {
  Statement s;
  s.domain = isl::set(ctx, "{ S[i] : 0 <= i < 4 }");
  for (const std::string& text : relations) {
    const isl::map relation(ctx, text);
    s.writes.push_back({relation, relation.as_pw_multi_aff().to_multi_pw_aff(), nullptr});
  }
  return s;
}

TEST(Statement, WrittenIsTheUnionOfItsWrites) {
  const IslContext isl;
  const Statement s =
      storing(isl.get(), {"{ S[i] -> A[i] : 0 <= i < 4 }", "{ S[i] -> B[3 - i] : 0 <= i < 4 }"});
  EXPECT_TRUE(s.written().is_equal(
      isl::union_map(isl.get(), "{ S[i] -> A[i] : 0 <= i < 4; S[i] -> B[3 - i] : 0 <= i < 4 }")));
  EXPECT_TRUE(s.writes_to("A"));
  EXPECT_TRUE(s.writes_to("B"));
  EXPECT_FALSE(s.writes_to("C"));
}

TEST(Statement, WithoutWritesNothingIsWritten) {
  const IslContext isl;
  const Statement s = storing(isl.get(), {});
  EXPECT_TRUE(s.written().is_empty());
  EXPECT_FALSE(s.writes_to("A"));
}

}  // namespace
}  // namespace solway::schedule
