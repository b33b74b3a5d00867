#include "lowering/print_loops.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "schedule/buffer_read.h"
#include "schedule/parallel.h"

#include "tests/unit/lowering/buffered.h"

namespace solway::lowering {
namespace {

std::string printed(const std::string& text, std::map<std::string, std::string> names = {}) {
  return print_loops({ir::parse_kernel(text), std::move(names), {}, {}});
}

TEST(PrintLoops, ShowsLoopsUnderTheirScheduleNames) {
  EXPECT_EQ(printed("kernel k(in A: float32[8], out C: float32[8]) {\n"
                    "  for i_o in [0, 2) {\n"
                    "    for i_i in [1, 4) unrolled {\n"
                    "      C[((i_o * 4) + i_i)] = (A[i_i] * (A[0] + 1.5f32))\n"
                    "    }\n  }\n}\n",
                    {{"i_o", "i.o"}, {"i_i", "i.i"}}),
            "For i.o in range(2)\n"
            "  For i.i in range(1, 4)  # unrolled\n"
            "    C[i.o*4 + i.i] = A[i.i]*(A[0] + 1.5)\n");
}

std::string parallel(const std::string& begin, const std::string& end, std::int64_t cores) {
  return print_loops({ir::parse_kernel("kernel k(out C: float32[1024]) {\n  for i in [" + begin +
                                       ", " + end + ") parallel {\n    C[i] = 0.0f32\n  }\n}\n"),
                      {},
                      {},
                      {}},
                     cores);
}

TEST(PrintLoops, ShowsWhatOneCoreRunsOfAParallelLoop) {
  EXPECT_EQ(parallel("0", "1024", 64),
            "Id = get_id()\n"
            "Let i.begin = min(Id*16, 1024)\n"
            "Let i.end = min(i.begin + 16, 1024)\n"
            "For i in range(i.begin, i.end)  # parallel\n"
            "  C[i] = 0.0\n");
  EXPECT_EQ(parallel("0", "1024", 0),
            "Id = get_id()\n"
            "Let i.begin = min(Id*ceil(1024/cores), 1024)\n"
            "Let i.end = min(i.begin + ceil(1024/cores), 1024)\n"
            "For i in range(i.begin, i.end)  # parallel\n"
            "  C[i] = 0.0\n");
}

TEST(PrintLoops, PartsOfAParallelLoopCoverAnExtentThatDoesNotDivide) {
  EXPECT_EQ(parallel("3", "70", 64),
            "Id = get_id()\n"
            "Let i.begin = min(3 + Id*2, 70)\n"
            "Let i.end = min(i.begin + 2, 70)\n"
            "For i in range(i.begin, i.end)  # parallel\n"
            "  C[i] = 0.0\n");
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

TEST(PrintLoops, SubtractsNegativeTerms) {
  EXPECT_EQ(printed("kernel k(in A: float32[8], out C: float32[8]) {\n"
                    "  for i in [0, 3) {\n"
                    "    C[((i * -3) + 7)] = (A[(i + -1)] + -1.5f32)\n"
                    "    C[(0 - i)] = (A[((i * -1) + -1)] - (A[0] - A[1]))\n"
                    "    C[(7 - (i + 1))] = (A[0] - -2.0f32)\n"
                    "  }\n}\n"),
            "For i in range(3)\n"
            "  C[7 - i*3] = A[i - 1] - 1.5\n"
            "  C[-i] = A[-i - 1] - (A[0] - A[1])\n"
            "  C[7 - (i + 1)] = A[0] + 2.0\n");
}

std::string printed(const schedule::State& state, const std::vector<dsl::Tensor>& args) {
  return print_loops(lower(state, args, "k", {}, "near", TransferDims::PerDimension));
}

TEST(PrintLoops, ShowsFigure2b) {
  const testing::Figure2 f;
  EXPECT_EQ(printed(f.state, {f.a, f.b, f.c}),
            "For x in range(1)\n"
            "  For y.o in range(8)\n"
            "    For y.i in range(128)\n"
            "      C[x, y.o*128 + y.i] = 0.0\n"
            "    For k.o in range(16)\n"
            "      For y.i in range(128)\n"
            "        For k.i in range(64)\n"
            "          C[x, y.o*128 + y.i] += A[x, k.o*64 + k.i]*B[k.o*64 + k.i, y.o*128 + y.i]\n");
}

// The figure zeroes C there; CC is what the loops below add to.
TEST(PrintLoops, ShowsFigure2d) {
  testing::Figure2 f;
  f.buffer_all();
  EXPECT_EQ(printed(f.state, {f.a, f.b, f.c}),
            "For x in range(1)\n"
            "  For y.o in range(8)\n"
            "    For y.i in range(128)\n"
            "      CC[y.i] = 0.0\n"
            "    For k.o in range(16)\n"
            "      For y.i in range(128)\n"
            "        For k.i in range(64)\n"
            "          BB[k.i, y.i] = B[k.o*64 + k.i, y.o*128 + y.i]\n"
            "      For k.i in range(64)\n"
            "        AA[k.i] = A[x, k.o*64 + k.i]\n"
            "      For y.i in range(128)\n"
            "        For k.i in range(64)\n"
            "          CC[y.i] += AA[k.i]*BB[k.i, y.i]\n"
            "    For y.i in range(128)\n"
            "      C[x, y.o*128 + y.i] = CC[y.i]\n");
}

TEST(PrintLoops, ClipsCopiesAtTheEndOfTheTensor) {
  testing::Figure2 f(1, 1000, 128);
  f.read("B", f.ko, {f.ki, f.yi});
  EXPECT_NE(printed(f.state, {f.a, f.b, f.c})
                .find("      For y.i in range(select(y.o == 7, 104, 128))\n"
                      "        For k.i in range(64)\n"
                      "          BB[k.i, y.i] = B[k.o*64 + k.i, y.o*128 + y.i]\n"),
            std::string::npos)
      << printed(f.state, {f.a, f.b, f.c});
}

TEST(PrintLoops, NamesCopyLoopsThatAreNoLoopOfTheSchedule) {
  const samples::Pipeline p(8);
  schedule::State state = schedule::make_state({p.c}, samples::at(5));
  schedule::BufferRequest request;
  request.stage = "P";
  request.tensor = "A";
  request.text = "buffer_read(A)";
  state = schedule::buffer_read(state, request, samples::at(6)).state;
  const std::string text = printed(state, {p.a, p.c});
  EXPECT_EQ(text.substr(0, text.find("\n  P")),
            "For AA.0 in range(10)\n"
            "  AA[AA.0] = A[AA.0]\n"
            "For i in range(9)");
}

TEST(PrintLoops, ShowsTransfersInFlightAsLines) {
  EXPECT_EQ(printed("kernel k(in A: float32[64], out C: float32[1]) {\n"
                    "  allocate AA: float32[8] in near {\n"
                    "    issue AA_get get A[8] -> AA[0] (8, 1, 1)\n"
                    "    C[0] = 0.0f32\n"
                    "    wait AA_get\n"
                    "    C[0] = AA[0]\n"
                    "  }\n}\n"),
            "Issue AA_get: AA[0] <- A[8]  # 8\n"
            "C[0] = 0.0\n"
            "Wait AA_get\n"
            "C[0] = AA[0]\n");
}

}  // namespace
}  // namespace solway::lowering
