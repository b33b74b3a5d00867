#include "lowering/ir/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/printer.h"
#include "support/error.h"

#include "tests/unit/lowering/ir/random_ir.h"

namespace solway::ir {
namespace {

constexpr const char* kMatmul =
    R"(kernel matmul(in A: float32[1, 1024], in B: float32[1024, 1024], out C: float32[1, 1024]) {
  for yo in [0, 8) parallel {
    allocate CC: float32[1, 128] in ldm align 64 {
      for yi in [0, 128) {
        CC[0, yi] = 0.0f32
      }
      for ko in [0, 16) {
        allocate AA: float32[1, 64] in ldm align 64 {
          issue AA get A[0, (ko * 64)] -> AA[0, 0] (1, 1024, 64) (64, 1, 1) in units of 4
          wait AA
          for ki in [0, 64) unrolled {
            for yi2 in [0, 128) vectorized {
              CC[0, yi2] = (CC[0, yi2] + (AA[0, ki] * B[((ko * 64) + ki), ((yo * 128) + yi2)]))
            }
          }
        }
      }
      issue CC put CC[0, 0] -> C[0, (yo * 128)] (128, 1, 1) slot (yo % 2) of 2
      wait CC slot (yo % 2)
    }
  }
  barrier
}
)";

TEST(Parser, ReadsWhatThePrinterWrites) {
  const Kernel k = parse_kernel(kMatmul);
  EXPECT_EQ(k.name, "matmul");
  EXPECT_EQ(k.params.size(), 3U);
  EXPECT_EQ(to_string(k), kMatmul);
}

TEST(Parser, RoundTripOfADotIsIdentity) {
  const std::string text =
      "kernel k(in A: uint8[4], in B: int8[64], out C: int32[16]) {\n"
      "  vstore(C[0], 16) = dot(broadcast(0i32, 16), broadcast(vload(A[0], 4), 64), "
      "vload(B[0], 64))\n"
      "  C[0] = dot(C[0], vload(A[0], 4), vload(B[0], 4))\n}\n";
  EXPECT_EQ(to_string(parse_kernel(text)), text);
}

TEST(Parser, RoundTripOfRandomKernelsIsIdentity) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const Kernel k = RandomIr(seed, DrawnFor::SeveralCores).kernel();
    const std::string text = to_string(k);
    ASSERT_EQ(to_string(parse_kernel(text)), text) << "seed " << seed;
  }
}

TEST(Parser, ReadsRequirements) {
  const std::string text =
      "kernel k(out C: int64[1], in n: int64[1]) requires ((n[0] % 16) == 0), (n[0] < 64) {\n"
      "  C[0] = n[0]\n"
      "}\n";
  EXPECT_EQ(parse_kernel(text).requirements.size(), 2U);
  EXPECT_EQ(to_string(parse_kernel(text)), text);
}

TEST(Parser, NamesMayBeWordsOfTheLanguage) {
  const std::string text =
      "kernel for(out slot: int64[2]) {\n  for min in [0, 2) {\n    wait let\n    slot[min] = min\n"
      "  }\n}\n";
  EXPECT_EQ(to_string(parse_kernel(text)), text);
}

TEST(Parser, SkipsComments) { EXPECT_EQ(to_string(parse_expr("(1 + # one\n 2)", {})), "(1 + 2)"); }

TEST(Parser, SaysWhatItExpected) {
  const auto why = [](const std::string& body) {
    try {
      parse_kernel("kernel k(out C: float32[8]) {\n" + body + "\n}");
    } catch (const InternalError& e) {
      EXPECT_THAT(e.report().what, ::testing::HasSubstr("line 2: '" + body + "'"));
      return e.report().why;
    }
    return std::string("nothing");
  };
  EXPECT_EQ(why("C[0] 1.0f32"), "expected '=', got '1.0f32'");
  EXPECT_EQ(why("C[i] = 1.0f32"), "expected a variable before this, 'i' is none, got ']'");
  EXPECT_EQ(why("D[0] = 1.0f32"), "expected a buffer before this, 'D' is none, got '['");
  EXPECT_EQ(why("C[0] = foo(1, 2, 3)"), "expected a function before this, 'foo' is none, got '3'");
}

}  // namespace
}  // namespace solway::ir
