#include "lowering/map_to_mesh.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"
#include "support/error.h"

namespace solway::lowering {
namespace {

std::string mapped(const std::string& body, const std::map<std::string, MeshLoop>& loops) {
  ir::Kernel kernel = ir::parse_kernel("kernel k(out C: float32[64, 32]) {\n" + body + "}\n");
  kernel.body = map_to_mesh(kernel.body, loops, {8, 8});
  const std::string all = ir::to_string(kernel);
  return all.substr(all.find('\n') + 1);
}

const std::string kNest =
    "  for i in [0, 64) parallel {\n    for j in [0, 30) parallel {\n      C[i, j] = 0.0f32\n"
    "    }\n  }\n";

TEST(MapToMesh, RowsAndColumnsOfOneParallelLoop) {
  EXPECT_EQ(mapped(kNest, {{"i", {"row", 0}}, {"j", {"column", 4}}}),
            R"(  for i_core in [0, 64) parallel {
    for i in [min(((i_core // 8) * 8), 64), min((min(((i_core // 8) * 8), 64) + 8), 64)) {
      for j in [min(((i_core % 8) * 8), 30), min((min(((i_core % 8) * 8), 30) + 8), 30)) {
        C[i, j] = 0.0f32
      }
    }
  }
}
)");
}

TEST(MapToMesh, TheFirstCoreOfEachRow) {
  const std::string text = mapped(
      "  for i in [0, 64) parallel {\n    for j in [0, 30) {\n      C[i, j] = 0.0f32\n    }\n  }\n",
      {{"i", {"row", 0}}});
  EXPECT_NE(text.find("if ((i_core % 8) == 0) {"), std::string::npos) << text;
}

// 14 rows on 7 of 8: the cores of the eighth take what the others pass on, twice.
TEST(MapToMesh, IdleCoresTakePartInExchanges) {
  const std::string body =
      "  for i in [0, 14) parallel {\n    for j in [0, 8) parallel {\n"
      "      allocate BB: float32[56] in ldm {\n        BB[i] = 1.0f32\n"
      "        exchange BB[0] column part (i // 2) of 7 (8, 56)\n        C[i, j] = BB[j]\n"
      "      }\n    }\n  }\n";
  EXPECT_EQ(mapped(body, {{"i", {"row", 7}}, {"j", {"column", 0}}}),
            R"(  for i_core in [0, 64) parallel {
    if ((i_core // 8) < 7) {
      for i in [min(((i_core // 8) * 2), 14), min((min(((i_core // 8) * 2), 14) + 2), 14)) {
        for j in [min((i_core % 8), 8), min((min((i_core % 8), 8) + 1), 8)) {
          allocate BB: float32[56] in ldm {
            BB[i] = 1.0f32
            exchange BB[0] column part (i // 2) of 8 (8, 56)
            C[i, j] = BB[j]
          }
        }
      }
    } else {
      for i in [0, 2) {
        for j in [min((i_core % 8), 8), min((min((i_core % 8), 8) + 1), 8)) {
          allocate BB: float32[56] in ldm {
            exchange BB[0] column part 7 of 8 (8, 56)
          }
        }
      }
    }
  }
}
)");
}

TEST(MapToMesh, NothingOnTheMeshChangesNothing) {
  const ir::Kernel kernel =
      ir::parse_kernel("kernel k(out C: float32[64, 32]) {\n" + kNest + "}\n");
  EXPECT_TRUE(map_to_mesh(kernel.body, {}, {8, 8}).same_as(kernel.body));
  EXPECT_TRUE(map_to_mesh(kernel.body, {{"z", {"row", 0}}}, {8, 8}).same_as(kernel.body));
}

TEST(AreMeshPairs, OneDirectlyInsideTheOther) {
  const auto are_pairs = [](const std::string& body, const std::map<std::string, MeshLoop>& loops) {
    return are_mesh_pairs(
        ir::parse_kernel("kernel k(out C: float32[64, 32]) {\n" + body + "}\n").body, loops);
  };
  const std::map<std::string, MeshLoop> both{{"i", {"row", 0}}, {"j", {"column", 0}}};
  EXPECT_TRUE(are_pairs(kNest, both));
  EXPECT_TRUE(are_pairs(kNest, {{"i", {"row", 0}}}));
  EXPECT_FALSE(are_pairs(kNest, {{"i", {"row", 0}}, {"j", {"row", 0}}}));
  EXPECT_FALSE(
      are_pairs("  for i in [0, 64) parallel {\n    C[i, 0] = 1.0f32\n"
                "    for j in [0, 30) parallel {\n      C[i, j] = 0.0f32\n    }\n  }\n",
                both));
}

TEST(MapToMesh, RefusesLoopsThatAreNoPair) {
  try {
    mapped(
        "  for i in [0, 64) parallel {\n    for k in [0, 2) {\n"
        "      for j in [0, 30) parallel {\n        C[i, j] = 0.0f32\n      }\n    }\n  }\n",
        {{"i", {"row", 0}}, {"j", {"column", 0}}});
    FAIL() << "expected UnsupportedError";
  } catch (const UnsupportedError& e) {
    EXPECT_EQ(e.report().what, "'j' and 'i' are no pair of mesh loops");
  }
  EXPECT_THROW(mapped(kNest, {{"i", {"row", 0}}, {"j", {"row", 0}}}), UnsupportedError);
}

}  // namespace
}  // namespace solway::lowering
