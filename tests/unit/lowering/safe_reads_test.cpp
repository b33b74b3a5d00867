#include "lowering/safe_reads.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::lowering {
namespace {

/// Whether all reads of the value of a store are safe. A and C have 8 elements, L 20, S 4, and M at
/// most 20.
bool all_safe(const std::string& text, const ir::Ranges& ranges = {}) {
  ir::Scope scope;
  scope.vars["i"] = ir::kInt64;
  scope.buffers["A"] = ir::make_buffer("A", DType::Float32, {8});
  scope.buffers["C"] = ir::make_buffer("C", DType::Float32, {8});
  scope.buffers["L"] = ir::make_buffer("L", DType::Float32, {20});
  scope.buffers["S"] = ir::make_buffer("S", DType::Float32, {4});
  scope.buffers["M"] = ir::as_upper_bound(ir::make_buffer("M", DType::Float32, {20}));
  const ir::Stmt s = ir::parse_stmt(text, scope);
  const auto& store = s.as<ir::Store>();
  return SafeReads(store, ranges).cover(store.value);
}

TEST(SafeReads, AtThePlaceThatIsWritten) {
  EXPECT_TRUE(all_safe("C[i] = select((i > 2), A[i], L[i])"));
  EXPECT_FALSE(all_safe("C[i] = select((i > 2), A[(i - 1)], 0.0f32)"));
  EXPECT_FALSE(all_safe("C[i] = select((i < 4), S[i], 0.0f32)"));
}

TEST(SafeReads, OfArraysWhoseSizesAreNotKnownOnlyThoseMadeInAnyCase) {
  EXPECT_FALSE(all_safe("C[i] = select((i > 2), M[i], 0.0f32)"));
  EXPECT_FALSE(all_safe("M[i] = select((i > 2), L[i], 0.0f32)"));
  EXPECT_TRUE(all_safe("M[i] = select((M[i] > 0.0f32), M[i], 0.0f32)"));
}

TEST(SafeReads, MadeInAnyCase) {
  EXPECT_TRUE(all_safe("C[i] = select((L[(i + 1)] > 0.0f32), L[(i + 1)], 0.0f32)"));
  EXPECT_TRUE(all_safe("C[i] = (select((i > 2), L[(i - 1)], 0.0f32) + L[(i - 1)])"));
  // Those of the other side, and behind 'and', are made in some.
  EXPECT_FALSE(all_safe("C[i] = select((i > 2), L[(i - 1)], (L[(i - 1)] + 1.0f32))"));
  EXPECT_FALSE(all_safe("C[i] = select(((i > 2) and (L[(i - 1)] > 0.0f32)), L[(i - 1)], 0.0f32)"));
}

TEST(SafeReads, WhoseIndicesLieInside) {
  const std::string text = "C[i] = select((i > 2), L[((i * 2) + 3)], 0.0f32)";
  EXPECT_TRUE(all_safe(text, {{"i", {-1, 8}}}));
  EXPECT_FALSE(all_safe(text, {{"i", {-2, 8}}}));
  EXPECT_FALSE(all_safe(text, {{"i", {0, 9}}}));
  EXPECT_TRUE(all_safe("C[i] = select((i > 2), L[(i + 12)], 0.0f32)", {{"i", {0, 7}}}));
  EXPECT_FALSE(all_safe("C[i] = select((i > 2), L[(i + 12)], 0.0f32)", {{"i", {0, 8}}}));
  EXPECT_FALSE(all_safe("C[i] = select((i > 2), M[(i + 1)], 0.0f32)", {{"i", {0, 7}}}));
}

TEST(SafeReads, OfAReductionThoseOfItsTerm) {
  EXPECT_TRUE(all_safe("C[0] = (C[0] + L[(i + 2)])"));
  EXPECT_FALSE(all_safe("C[0] = (C[0] + select((i > 0), L[(i - 1)], 0.0f32))"));
}

TEST(SafeReads, OfAValueWithoutAPlaceThoseMadeAndBounded) {
  ir::Scope scope;
  scope.vars["i"] = ir::kInt64;
  scope.buffers["A"] = ir::make_buffer("A", DType::Float32, {8});
  scope.buffers["C"] = ir::make_buffer("C", DType::Float32, {8});
  const auto all_safe = [&](const std::string& value, const ir::Ranges& ranges) {
    const ir::Stmt s = ir::parse_stmt("C[0] = " + value, scope);
    const ir::Expr& e = s.as<ir::Store>().value;
    return SafeReads(e, ranges).cover(e);
  };
  EXPECT_TRUE(all_safe("select((A[i] > 0.0f32), A[i], 0.0f32)", {}));
  EXPECT_FALSE(all_safe("select((i > 0), C[0], A[i])", {}));
  EXPECT_TRUE(all_safe("select((i > 0), C[0], A[i])", {{"i", {0, 7}}}));
  EXPECT_FALSE(all_safe("select((i > 0), C[0], A[i])", {{"i", {0, 8}}}));
}

TEST(SafeReads, OfNoStatementNone) {
  ir::Scope scope;
  scope.vars["i"] = ir::kInt64;
  scope.buffers["C"] = ir::make_buffer("C", DType::Float32, {8});
  const ir::Stmt s = ir::parse_stmt("C[i] = C[i]", scope);
  EXPECT_FALSE(SafeReads().cover(s.as<ir::Store>().value));
}

}  // namespace
}  // namespace solway::lowering
