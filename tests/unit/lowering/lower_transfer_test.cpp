#include "lowering/lower_transfer.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"
#include "lowering/lower.h"

#include "tests/unit/lowering/buffered.h"

namespace solway::lowering {
namespace {

std::string lowered(const testing::Figure2& f, const std::string& scope) {
  return ir::to_string(lower(f.state, {f.a, f.b, f.c}, "k", {}, scope).kernel);
}

TEST(IssueOf, MovesTheBoxesOfFigure2) {
  testing::Figure2 f;
  f.buffer_all();
  EXPECT_EQ(
      lowered(f, "ldm"),
      R"(kernel k(in A: float32[1, 1024], in B: float32[1024, 1024], out C: float32[1, 1024]) {
  allocate CC: float32[128] in ldm {
    allocate BB: float32[64, 128] in ldm {
      allocate AA: float32[64] in ldm {
        for x in [0, 1) {
          for y_o in [0, 8) {
            for y_i in [0, 128) {
              CC[y_i] = 0.0f32
            }
            for k_o in [0, 16) {
              issue BB_get get B[(k_o * 64), (y_o * 128)] -> BB[0, 0] (64, 1024, 128) (128, 1, 1)
              issue AA_get get A[x, (k_o * 64)] -> AA[0] (64, 1, 1)
              wait BB_get
              wait AA_get
              for y_i in [0, 128) {
                for k_i in [0, 64) {
                  CC[y_i] = (CC[y_i] + (AA[k_i] * BB[k_i, y_i]))
                }
              }
            }
            issue CC_put put CC[0] -> C[x, (y_o * 128)] (128, 1, 1)
            wait CC_put
          }
        }
      }
    }
  }
}
)");
}

TEST(IssueOf, ClipsAtTheEndOfTheTensor) {
  testing::Figure2 f(1, 1000, 1024);
  f.buffer_all();
  const std::string text = lowered(f, "panel");
  EXPECT_NE(text.find("-> BB[0, 0] (64, 1000, 128) (select((y_o == 7), 104, 128), 1, 1)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("CC[0] -> C[x, (y_o * 128)] (select((y_o == 7), 104, 128), 1, 1)"),
            std::string::npos)
      << text;
}

TEST(IssueOf, KeepsTheScopeThatTheUserNamed) {
  testing::Figure2 f;
  f.write(f.yo, {f.yi}, "register");
  EXPECT_NE(lowered(f, "panel").find("allocate CC: float32[128] in register"), std::string::npos);
}

TEST(IssueOf, MovesRowsOfPaddedRegisters) {
  testing::Figure2 f(1, 200, 64);
  f.read("B", f.ko, {f.ki, f.yi}, "register");
  f.write(f.yo, {f.yi}, "register");
  const std::string text = lowered(f, "panel");
  EXPECT_NE(text.find("allocate BB: float32[64, 128] in register"), std::string::npos) << text;
  testing::Figure2 odd(1, 100, 64);
  odd.read("B", odd.ko, {odd.ki, odd.yi}, "register");
  const std::string padded = lowered(odd, "panel");
  EXPECT_NE(padded.find("allocate BB: float32[64, 112] in register"), std::string::npos) << padded;
  EXPECT_NE(padded.find("BB[0, 0] (64, 100, 112) (100, 1, 1)"), std::string::npos) << padded;
}

TEST(IssueOf, MovesWholePanelsAndTheRestApart) {
  testing::Figure2 f(1, 200, 64);
  f.read("B", f.x, {f.yo, f.ko, f.ki, f.yi});
  const std::string text = lowered(f, "panel");
  EXPECT_NE(text.find(R"(
      issue BB_get get B[0, 0] -> BB[0, 0, 0] (64, 200, 128) (128, 1, 1)
      issue BB_get_rest get B[0, 128] -> BB[1, 0, 0] (64, 200, 128) (72, 1, 1)
      wait BB_get
      wait BB_get_rest
)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("BB[y_o, k_i, y_i]"), std::string::npos) << text;
}

TEST(IssueOf, MovesPanelsThatAreAllWholeAtOnce) {
  testing::Figure2 f(1, 256, 64);
  f.read("B", f.x, {f.yo, f.ko, f.ki, f.yi});
  const std::string text = lowered(f, "panel");
  EXPECT_NE(text.find("(64, 256, 128) (2, 128, 8192) (128, 1, 1)"), std::string::npos) << text;
  EXPECT_EQ(text.find("BB_get_rest"), std::string::npos) << text;
}

}  // namespace
}  // namespace solway::lowering
