#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

constexpr int kRows = 9;
constexpr int kLanes = 8;

/// The best of the first `rows` of A in each lane, from the one of R on, by one expression.
std::string written_out(const std::string& op, int rows) {
  std::string value = "vload(R[0], 8)";
  for (int r = 0; r < rows; ++r) {
    value = op + "(" + value + ", vload(A[" + std::to_string(r) + ", 0], 8))";
  }
  return "kernel k(in A: float32[9, 8], in R: float32[8], out C: float32[8]) {\n  vstore(C[0], 8) "
         "= " +
         value + "\n}\n";
}

/// The same in a loop over 3 times `steps` rows.
std::string in_loop(const std::string& op, int steps) {
  std::string body;
  for (int k = 0; k < steps; ++k) {
    body += "      vstore(M[0], 8) = " + op + "(vload(M[0], 8), vload(A[((r * " +
            std::to_string(steps) + ") + " + std::to_string(k) + "), 0], 8))\n";
  }
  return R"(
kernel k(in A: float32[9, 8], in R: float32[8], out C: float32[8]) {
  allocate M: float32[8] in register {
    vstore(M[0], 8) = vload(R[0], 8)
    for r in [0, 3) {
)" + body +
         R"(    }
    vstore(C[0], 8) = vload(M[0], 8)
  }
}
)";
}

/// All that C has: max as the emitter defines it, of one number after the other.
float best(bool is_max, float x, float y) {
  if (std::isnan(x)) return x;
  return (is_max ? x > y : x < y) ? x : y;
}

/// Runs with a special value at each place in turn, also two of them, and compares each lane.
void expect_right(const JitKernel& kernel, bool is_max, int rows) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float specials[] = {std::nanf(""), -std::nanf(""), infinity, -infinity, -0.0F, 0.0F};
  for (const float special : specials) {
    for (int at = -1; at < rows; ++at) {
      std::vector<float> a(kRows * kLanes);
      std::vector<float> r(kLanes, 0.0F);
      for (int k = 0; k < kRows * kLanes; ++k) a[k] = static_cast<float>(k * 7 % 11 - 5);
      // Of half of the lanes; one more lane has infinity behind it.
      for (int lane = 0; lane < kLanes; lane += 2)
        (at < 0 ? r[lane] : a[at * kLanes + lane]) = special;
      a[2] = is_max ? infinity : -infinity;
      std::vector<float> c(kLanes, -77.0F);
      ASSERT_EQ(run(kernel, a, r, c), KernelStatus::Ok);
      for (int lane = 0; lane < kLanes; ++lane) {
        float expected = r[lane];
        for (int k = 0; k < rows; ++k) expected = best(is_max, expected, a[k * kLanes + lane]);
        if (std::isnan(expected)) {
          EXPECT_TRUE(std::isnan(c[lane])) << "lane " << lane << ", row " << at;
          continue;
        }
        EXPECT_EQ(std::memcmp(&c[lane], &expected, sizeof(float)), 0)
            << c[lane] << " is not " << expected << ", lane " << lane << ", row " << at;
      }
    }
  }
}

/// How often `part` stands in `text`.
int count_of(const std::string& text, const std::string& part) {
  int out = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++out;
  return out;
}

TEST(DeferNanChecks, OfWrittenOutTermsTwoAreCheckedAtOnce) {
  for (const int rows : {2, 3, 8, 9}) {
    for (const bool is_max : {true, false}) {
      const JitKernel kernel = compile_text(written_out(is_max ? "max" : "min", rows));
      // The first one and the terms.
      EXPECT_EQ(count_of(kernel.llvm_ir(), "fcmp uno"), (rows + 2) / 2) << kernel.llvm_ir();
      expect_right(kernel, is_max, rows);
    }
  }
}

TEST(DeferNanChecks, OneStepStaysAsItIs) {
  const JitKernel kernel = compile_text(written_out("max", 1));
  EXPECT_EQ(count_of(kernel.llvm_ir(), "0x7FF8"), 0) << kernel.llvm_ir();
  expect_right(kernel, true, 1);
}

TEST(DeferNanChecks, LoopsCarryWhereNanWas) {
  for (const int steps : {1, 2, 3}) {
    for (const bool is_max : {true, false}) {
      const JitKernel kernel = compile_text(in_loop(is_max ? "max" : "min", steps));
      expect_right(kernel, is_max, 3 * steps);
    }
  }
}

TEST(DeferNanChecks, WithoutRegistersForLanesALoopCarriesIntegers) {
  LlvmOptions options;
  options.features = "-avx512f";
  for (const int steps : {1, 2, 3}) {
    for (const bool is_max : {true, false}) {
      const JitKernel kernel = compile_text(in_loop(is_max ? "max" : "min", steps), options);
      EXPECT_EQ(count_of(kernel.llvm_ir(), "phi <8 x i32>"), 1) << kernel.llvm_ir();
      EXPECT_EQ(count_of(kernel.llvm_ir(), "phi <8 x i1>"), 0) << kernel.llvm_ir();
      expect_right(kernel, is_max, 3 * steps);
    }
  }
}

TEST(DeferNanChecks, WhatALoopFoundIsKnownToStepsBehindIt) {
  for (const std::string op : {"max", "min"}) {
    const JitKernel kernel = compile_text(R"(
kernel k(in A: float32[9, 8], in R: float32[8], out C: float32[8]) {
  allocate M: float32[16] in register {
    vstore(M[0], 8) = vload(R[0], 8)
    vstore(M[8], 8) = vload(R[0], 8)
    for r in [0, 3) {
      vstore(M[0], 8) = )" + op + R"((vload(M[0], 8), vload(A[(r * 2), 0], 8))
      vstore(M[8], 8) = )" + op + R"((vload(M[8], 8), vload(A[((r * 2) + 1), 0], 8))
    }
    vstore(M[0], 8) = )" + op + R"((vload(M[0], 8), vload(A[6, 0], 8))
    vstore(M[8], 8) = )" + op + R"((vload(M[8], 8), vload(A[7, 0], 8))
    vstore(M[0], 8) = )" + op + R"((vload(M[0], 8), vload(A[8, 0], 8))
    vstore(C[0], 8) = )" + op + R"((vload(M[0], 8), vload(M[8], 8))
  }
}
)");
    const bool is_max = op == "max";
    for (int at = 0; at < kRows; ++at) {
      std::vector<float> a(kRows * kLanes);
      for (int k = 0; k < kRows * kLanes; ++k) {
        a[k] = static_cast<float>(is_max ? k / kLanes : -(k / kLanes));
      }
      a[at * kLanes + 5] = std::nanf("");
      std::vector<float> r(kLanes, 0.0F);
      std::vector<float> c(kLanes, -77.0F);
      ASSERT_EQ(run(kernel, a, r, c), KernelStatus::Ok);
      for (int lane = 0; lane < kLanes; ++lane) {
        if (lane == 5) {
          EXPECT_TRUE(std::isnan(c[lane])) << "row " << at;
        } else {
          EXPECT_EQ(c[lane], is_max ? 8.0F : -8.0F) << "row " << at;
        }
      }
    }
  }
}

TEST(DeferNanChecks, AResultThatIsUsedOnTheWayIsChecked) {
  const JitKernel kernel = compile_text(R"(
kernel k(in A: float32[9, 8], in R: float32[8], out C: float32[8], out D: float32[3, 8]) {
  allocate M: float32[8] in register {
    vstore(M[0], 8) = vload(R[0], 8)
    for r in [0, 3) {
      vstore(M[0], 8) = max(vload(M[0], 8), vload(A[r, 0], 8))
      vstore(D[r, 0], 8) = vload(M[0], 8)
    }
    vstore(C[0], 8) = vload(M[0], 8)
  }
}
)");
  std::vector<float> a(72, 1.0F);
  a[8] = std::nanf("");
  std::vector<float> r(8, 0.0F);
  std::vector<float> c(8);
  std::vector<float> d(24);
  ASSERT_EQ(run(kernel, a, r, c, d), KernelStatus::Ok);
  EXPECT_EQ(d[0], 1.0F);
  EXPECT_TRUE(std::isnan(d[8]) && std::isnan(d[16]) && std::isnan(c[0]));
  EXPECT_EQ(d[9], 1.0F);
}

TEST(DeferNanChecks, OtherOperationsStartAnew) {
  const JitKernel kernel = compile_text(R"(
kernel k(in A: float32[9, 8], in R: float32[8], out C: float32[8]) {
  vstore(C[0], 8) = min(max(max(vload(R[0], 8), vload(A[0, 0], 8)), vload(A[1, 0], 8)), vload(A[2, 0], 8))
}
)");
  std::vector<float> a(72, 3.0F);
  for (int k = 0; k < 8; ++k) a[8 + k] = 9.0F;
  std::vector<float> r(8, 5.0F);
  r[3] = std::nanf("");
  a[4] = std::nanf("");
  a[16 + 5] = std::nanf("");
  std::vector<float> c(8);
  ASSERT_EQ(run(kernel, a, r, c), KernelStatus::Ok);
  for (int k = 0; k < 8; ++k) {
    if (k >= 3 && k <= 5) {
      EXPECT_TRUE(std::isnan(c[k])) << k;
    } else {
      EXPECT_EQ(c[k], 3.0F) << k;
    }
  }
}

}  // namespace
}  // namespace solway::codegen
