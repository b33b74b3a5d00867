#include "lowering/lane_divisions.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"

namespace solway::lowering {
namespace {

const ir::Scope kScope{{{"B", ir::make_buffer("B", DType::Float32, {8, 16})},
                        {"C", ir::make_buffer("C", DType::Float32, {128})}},
                       {{"i", ir::kInt64}, {"v", ir::kInt64}, {"w", ir::kInt64}}};

const std::string kBlocked = "C[i] = B[(i // 16), (i % 16)]";

ir::Expr index_of(const std::string& text) {
  return ir::parse_stmt("C[" + text + "] = 0.0f32", kScope).as<ir::Store>().indices[0];
}

std::string told(const std::string& body, const std::string& base, ir::Lanes lanes,
                 const ir::Ranges& ranges = {{"v", {0, 15}}}) {
  const VectorChunk chunk{"i", index_of(base), lanes, {}};
  return to_string(simplify_lane_divisions(ir::parse_stmt(body, kScope), chunk, ranges));
}

TEST(LaneDivisions, AsDocumented) {
  EXPECT_EQ(told(kBlocked, "(v * 8)", {8}),
            "C[i] = B[(v // 2), (((v % 2) * 8) + (i - (v * 8)))]\n");
}

TEST(LaneDivisions, KeepsWhatLanesDoNotShare) {
  const std::string same = kBlocked + "\n";
  EXPECT_EQ(told(kBlocked, "(v * 12)", {12}), same);      // some cross a block
  EXPECT_EQ(told(kBlocked, "((v * 8) + 4)", {8}), same);  // some half of one
  EXPECT_EQ(told(kBlocked, "(v * 8)", {8}, {}), same);    // v * 8 may wrap
  EXPECT_EQ(told(kBlocked, "(v * 8)", {8, true}), same);  // 8 lanes or more
  EXPECT_EQ(told("C[i] = B[(v // 2), v]", "0", {8}), "C[i] = B[(v // 2), v]\n");
}

/// What an index is where lane l of the vector that starts at `base` has it.
std::int64_t at(const ir::Expr& e, std::int64_t v, std::int64_t w, std::int64_t i) {
  return *ir::try_constant(
      ir::simplify(substitute(e, {{"v", ir::index(v)}, {"w", ir::index(w)}, {"i", ir::index(i)}})));
}

TEST(LaneDivisions, AreTheSameNumbers) {
  const ir::Ranges ranges{{"v", {0, 5}}, {"w", {-2, 2}}};
  int changed = 0;
  for (const std::string place : {"(i // 16)", "(i % 16)", "((i + (w * 4)) // 12)", "(i % 4)",
                                  "(((i // 4) * 3) % 6)", "((i + 3) % 8)", "((i * 2) // 32)"}) {
    for (const std::string base : {"(v * 8)", "((v * 24) + 8)", "(v * 4)", "((w * 8) + 16)"}) {
      for (const int lanes : {4, 8}) {
        const std::string body = "C[" + place + "] = 0.0f32";
        const VectorChunk chunk{"i", index_of(base), {lanes}, {}};
        const ir::Stmt before = ir::parse_stmt(body, kScope);
        const ir::Stmt after = simplify_lane_divisions(before, chunk, ranges);
        if (after.same_as(before)) continue;
        ++changed;
        for (std::int64_t v = 0; v <= 5; ++v) {
          for (std::int64_t w = -2; w <= 2; ++w) {
            const std::int64_t first = at(chunk.base, v, w, 0);
            for (std::int64_t i = first; i < first + lanes; ++i) {
              ASSERT_EQ(at(before.as<ir::Store>().indices[0], v, w, i),
                        at(after.as<ir::Store>().indices[0], v, w, i))
                  << place << " of " << base << ", " << lanes << " lanes: " << to_string(after);
            }
          }
        }
      }
    }
  }
  EXPECT_GE(changed, 20);
}

}  // namespace
}  // namespace solway::lowering
