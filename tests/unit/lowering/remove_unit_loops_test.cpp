#include "lowering/remove_unit_loops.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

ir::Stmt stmt(const std::string& text) {
  static const ir::Scope kScope{{{"C", ir::make_buffer("C", DType::Float32, {64})}},
                                {{"n", ir::kInt64}}};
  return ir::parse_stmt(text, kScope);
}

std::string removed(const std::string& text) { return to_string(remove_unit_loops(stmt(text))); }

TEST(RemoveUnitLoops, AsDocumented) {
  EXPECT_EQ(removed("for io in [0, 1) { for ii in [0, 8) { C[(io + ii)] = 0.0f32 } }"),
            to_string(stmt("for ii in [0, 8) { C[(0 + ii)] = 0.0f32 }")));
}

TEST(RemoveUnitLoops, KeepsIdentity) {
  const ir::Stmt s = stmt("for i in [0, 2) { for p in [0, 1) parallel { C[(i + p)] = 0.0f32 } }");
  EXPECT_TRUE(remove_unit_loops(s).same_as(s));
}

TEST(RemoveUnitLoops, SymbolicBounds) {
  EXPECT_EQ(removed("for i in [n, (n + 1)) { C[i] = 0.0f32 }"), "C[n] = 0.0f32\n");
  EXPECT_EQ(removed("for i in [(n * 2), ((n * 2) + 1)) { C[i] = 0.0f32 }"),
            "let i = (n * 2) {\n  C[i] = 0.0f32\n}\n");
  const ir::Stmt s = stmt("for i in [0, n) { C[i] = 0.0f32 }");
  EXPECT_TRUE(remove_unit_loops(s).same_as(s));
}

TEST(RemoveUnitLoops, KeepsEmptyLoops) {
  const ir::Stmt s = stmt("for i in [1, 1) { C[i] = 0.0f32 }");
  EXPECT_TRUE(remove_unit_loops(s).same_as(s));
}

}  // namespace
}  // namespace solway::lowering
