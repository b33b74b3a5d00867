#include "codegen/athread/assembly/dependences.h"

#include <algorithm>
#include <optional>

#include <gtest/gtest.h>

namespace solway::codegen::assembly {
namespace {

const Latencies kLatencies{4, 7};

std::optional<int> cycles(const std::vector<Dependence>& all, std::size_t from, std::size_t to,
                          int distance = 0) {
  for (const Dependence& one : all) {
    if (one.from == from && one.to == to && one.distance == distance) return one.cycles;
  }
  return std::nullopt;
}

TEST(AssemblyDependences, AreThoseOfRegisters) {
  const auto all = dependences({{Opcode::Vlds, 1, {16}, 0, {}, "B"},
                                {Opcode::Vmas, 2, {1, 3, 2}, 0, {}, {}},
                                {Opcode::Vlds, 1, {16}, 16, {}, "B"},
                                {Opcode::Ldi, 16, {16}, 32, {}, {}},
                                {Opcode::Vlds, 2, {17}, 0, {}, "A"}},
                               kLatencies);
  EXPECT_EQ(cycles(all, 0, 1), 4);             // read after it was loaded
  EXPECT_EQ(cycles(all, 1, 2), 0);             // written after it was read
  EXPECT_EQ(cycles(all, 0, 2), 1);             // written twice
  EXPECT_EQ(cycles(all, 2, 3), 0);             // the address
  EXPECT_EQ(cycles(all, 1, 4), 3);             // a load that arrives after the sum
  EXPECT_EQ(cycles(all, 0, 4), std::nullopt);  // nothing in common
}

TEST(AssemblyDependences, AreThoseOfMemory) {
  const auto all = dependences({{Opcode::Stl, {}, {1, 30}, 0, {}, "frame0"},
                                {Opcode::Ldl, 2, {30}, 8, {}, "frame8"},
                                {Opcode::Ldl, 3, {30}, 0, {}, "frame0"},
                                {Opcode::Ldl, 4, {30}, 0, {}, "frame0"},
                                {Opcode::Ret, {}, {}, 0, {}, {}}},
                               kLatencies);
  EXPECT_EQ(cycles(all, 0, 1), std::nullopt);
  EXPECT_EQ(cycles(all, 0, 2), 1);
  EXPECT_EQ(cycles(all, 2, 3), std::nullopt);
  EXPECT_EQ(cycles(all, 0, 4), 0);  // the end
}

TEST(AssemblyDependences, OfALoopGoOnToTheNextIteration) {
  const auto all = loop_dependences({{Opcode::Vlds, 1, {16}, 0, {}, "B"},
                                     {Opcode::Vmas, 2, {1, 3, 2}, 0, {}, {}},
                                     {Opcode::Ldi, 16, {16}, 32, {}, {}}},
                                    kLatencies);
  EXPECT_EQ(cycles(all, 1, 1, 1), 7);  // the sum
  EXPECT_EQ(cycles(all, 1, 0, 1), 0);  // its register is loaded anew
  EXPECT_EQ(cycles(all, 2, 0, 1), 1);
  EXPECT_EQ(cycles(all, 0, 1, 0), 4);
}

TEST(AssemblyDependences, ZeroIsNoRegister) {
  const auto all = dependences(
      {{Opcode::Ldi, kZero, {16}, 0, {}, {}}, {Opcode::Ldi, 5, {kZero}, 1, {}, {}}}, kLatencies);
  EXPECT_TRUE(all.empty());
}

}  // namespace
}  // namespace solway::codegen::assembly
