#include "lowering/prefetch_lines.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

constexpr std::int64_t kLine = 64;  // 16 elements

ir::Stmt stmt(const std::string& text) {
  static const ir::Scope kScope{{{"W", ir::make_buffer("W", DType::Float32, {64, 32})},
                                 {"N", ir::make_buffer("N", DType::Int64, {64})},
                                 {"C", ir::make_buffer("C", DType::Float32, {64})}},
                                {{"n", ir::kInt64}}};
  return ir::parse_stmt(text, kScope);
}

std::string prefetched(const std::string& text, const std::vector<LinesRequest>& requests) {
  Remarks remarks;
  std::string out = to_string(prefetch_lines(stmt(text), requests, kLine, remarks));
  EXPECT_TRUE(remarks.empty()) << remarks[0].why;
  return out;
}

std::string why_nothing(const std::string& text, const LinesRequest& request) {
  Remarks remarks;
  const ir::Stmt s = stmt(text);
  EXPECT_TRUE(prefetch_lines(s, {request}, kLine, remarks).same_as(s));
  return remarks.size() == 1 ? remarks[0].verdict + ": " + remarks[0].why : "";
}

TEST(PrefetchLines, AsDocumented) {
  EXPECT_EQ(prefetched("for k in [0, n) { C[0] = (C[0] + W[k, 0]) }", {{"W", "k", 8, {}}}),
            "for k in [0, n) {\n  C[0] = (C[0] + W[k, 0])\n  prefetch W[(k + 8), 0]\n}\n");
}

TEST(PrefetchLines, OneForEachLineThatVectorsTouch) {
  EXPECT_EQ(prefetched("for k in [0, n) { vstore(C[0], 16) = vload(W[k, 0], 16) "
                       "vstore(C[16], 16) = vload(W[k, 16], 16) }",
                       {{"W", "k", 2, {}}}),
            "for k in [0, n) {\n  vstore(C[0], 16) = vload(W[k, 0], 16)\n"
            "  vstore(C[16], 16) = vload(W[k, 16], 16)\n"
            "  prefetch W[(k + 2), 0]\n  prefetch W[(k + 2), 16]\n}\n");
  EXPECT_EQ(prefetched("for k in [0, n) { vstore(C[0], 8) = vload(W[k, 0], 8) "
                       "vstore(C[8], 8) = vload(W[k, 8], 8) }",
                       {{"W", "k", 2, {}}}),
            "for k in [0, n) {\n  vstore(C[0], 8) = vload(W[k, 0], 8)\n"
            "  vstore(C[8], 8) = vload(W[k, 8], 8)\n  prefetch W[(k + 2), 0]\n}\n");
  EXPECT_EQ(prefetched("for k in [0, n) { vstore(C[0], 4) = vload(W[k, 0], 4, stride 8) }",
                       {{"W", "k", 2, {}}}),
            "for k in [0, n) {\n  vstore(C[0], 4) = vload(W[k, 0], 4, stride 8)\n"
            "  prefetch W[(k + 2), 0]\n  prefetch W[(k + 2), 16]\n}\n");
}

TEST(PrefetchLines, BesideReadsOfInnerLoops) {
  EXPECT_EQ(prefetched("for i in [0, n) { C[0] = 0.0f32 for k in [0, 4) { C[k] = W[i, k] } }",
                       {{"W", "i", 1, {}}}),
            "for i in [0, n) {\n  C[0] = 0.0f32\n  for k in [0, 4) {\n    C[k] = W[i, k]\n"
            "    prefetch W[(i + 1), k]\n  }\n}\n");
  EXPECT_EQ(prefetched("for i in [0, n) { for k in [0, 4) { C[k] = W[i, k] } }",
                       {{"W", "i", 1, {}}, {"W", "k", 3, {}}}),
            "for i in [0, n) {\n  for k in [0, 4) {\n    C[k] = W[i, k]\n"
            "    prefetch W[(i + 1), k]\n    prefetch W[i, (k + 3)]\n  }\n}\n");
}

TEST(PrefetchLines, LeavesOutWhatIsNotKnownEarly) {
  // The second index is a value that the statement loads; the first read does not move.
  EXPECT_EQ(why_nothing("for k in [0, n) { C[k] = W[0, 1] }", {"W", "k", 1, {}}),
            "has no effect: nothing that 'k' moves is read of it there");
  EXPECT_EQ(why_nothing("for k in [0, n) { C[k] = W[k, N[k]] }", {"W", "k", 1, {}}),
            "has no effect: nothing that 'k' moves is read of it there");
  EXPECT_EQ(
      why_nothing("for k in [0, n) { let m = (k + N[k]) { C[k] = W[m, k] } }", {"W", "k", 1, {}}),
      "has no effect: nothing that 'k' moves is read of it there");
  EXPECT_EQ(why_nothing("for k in [0, n) { C[k] = 0.0f32 }", {"W", "k", 1, {}}),
            "has no effect: nothing that 'k' moves is read of it there");
  EXPECT_EQ(why_nothing("C[0] = W[0, 0]", {"W", "k", 1, {}}),
            "has no effect: no such loop is left in the code");
}

TEST(PrefetchLines, BehindConditionsAndNames) {
  EXPECT_EQ(prefetched("for k in [0, n) { if (k < 3) { C[k] = W[k, 0] } }", {{"W", "k", 1, {}}}),
            "for k in [0, n) {\n  if (k < 3) {\n    C[k] = W[k, 0]\n  }\n"
            "  prefetch W[(k + 1), 0]\n}\n");
}

}  // namespace
}  // namespace solway::lowering
