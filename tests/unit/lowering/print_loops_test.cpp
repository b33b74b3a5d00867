#include "lowering/print_loops.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::lowering {
namespace {

std::string printed(const std::string& text, std::map<std::string, std::string> names = {}) {
  return print_loops({ir::parse_kernel(text), std::move(names)});
}

TEST(PrintLoops, ShowsLoopsUnderTheirScheduleNames) {
  EXPECT_EQ(printed("kernel k(in A: float32[8], out C: float32[8]) {\n"
                    "  for i_o in [0, 2) {\n"
                    "    for i_i in [1, 4) parallel {\n"
                    "      C[((i_o * 4) + i_i)] = (A[i_i] * (A[0] + 1.5f32))\n"
                    "    }\n  }\n}\n",
                    {{"i_o", "i.o"}, {"i_i", "i.i"}}),
            "For i.o in range(2)\n"
            "  For i.i in range(1, 4)  # parallel\n"
            "    C[i.o*4 + i.i] = A[i.i]*(A[0] + 1.5)\n");
}

TEST(PrintLoops, ShowsAccumulationAndGuards) {
  EXPECT_EQ(printed("kernel k(in A: float32[8], out C: float32[1]) {\n"
                    "  for i in [0, 8) {\n"
                    "    if (i < 5) {\n"
                    "      C[0] = (C[0] + A[i])\n"
                    "    }\n  }\n}\n"),
            "For i in range(8)\n"
            "  If i < 5\n"
            "    C[0] += A[i]\n");
}

TEST(PrintLoops, KeepsTheGroupingOfUnlikeOperators) {
  EXPECT_EQ(printed("kernel k(in A: int64[8], out C: int64[8]) {\n"
                    "  for i in [0, 8) {\n"
                    "    C[i] = (A[i] - (A[i] - min(A[0], 3)))\n"
                    "  }\n}\n"),
            "For i in range(8)\n"
            "  C[i] = A[i] - (A[i] - min(A[0], 3))\n");
}

}  // namespace
}  // namespace solway::lowering
