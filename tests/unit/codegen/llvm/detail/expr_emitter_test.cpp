#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "support/error.h"

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

TEST(ExprEmitter, ActiveLanesOnlyAreReadAndWritten) {
  const JitKernel kernel = compile_text(R"(
kernel k(in N: int64[1], in A: float32[8], out C: float32[8], out D: float32[8]) {
  vstore(C[0], 8, active N[0]) = vload(A[0], 8)
  vstore(D[0], 8) = vload(A[0], 8, active N[0])
}
)");
  std::vector<float> a = {1, 2, 3, 4, 5, 6, 7, 8};
  for (const std::int64_t active : {-3, 0, 1, 5, 8, 100}) {
    std::vector<std::int64_t> n = {active};
    std::vector<float> c(8, -1.0f);
    std::vector<float> d(8, -1.0f);
    ASSERT_EQ(run(kernel, n, a, c, d), KernelStatus::Ok);
    for (int lane = 0; lane < 8; ++lane) {
      EXPECT_EQ(c[lane], lane < active ? a[lane] : -1.0f) << active;
      EXPECT_EQ(d[lane], lane < active ? a[lane] : 0.0f) << active;
    }
  }
}

TEST(ExprEmitter, StridedVectors) {
  const JitKernel kernel = compile_text(R"(
kernel k(in N: int64[1], in A: int8[4, 8], out C: int8[4, 8]) {
  vstore(C[3, 0], 4, stride -8, active N[0]) = vload(A[0, 1], 4, stride 8, active N[0])
}
)");
  std::vector<std::int8_t> a(32);
  std::iota(a.begin(), a.end(), std::int8_t{1});
  for (const std::int64_t active : {0, 3, 4}) {
    std::vector<std::int64_t> n = {active};
    std::vector<std::int8_t> c(32, -1);
    ASSERT_EQ(run(kernel, n, a, c), KernelStatus::Ok);
    std::vector<std::int8_t> expected(32, -1);
    for (int lane = 0; lane < active; ++lane) expected[(3 - lane) * 8] = a[lane * 8 + 1];
    EXPECT_EQ(c, expected) << active;
  }
}

TEST(ExprEmitter, NeighboursInTheOtherOrder) {
  const JitKernel kernel = compile_text(R"(
kernel k(in N: int64[1], in A: int16[9], out C: int16[8], out D: int16[8]) {
  vstore(C[0], 8) = vload(A[8], 8, stride -1)
  vstore(D[0], 8) = vload(A[8], 8, stride -1, active N[0])
}
)");
  EXPECT_EQ(kernel.llvm_ir().find("gather"), std::string::npos);
  std::vector<std::int16_t> a(9);
  std::iota(a.begin(), a.end(), std::int16_t{1});
  for (const std::int64_t active : {0, 1, 7, 8, 9}) {
    std::vector<std::int64_t> n = {active};
    std::vector<std::int16_t> c(8, -1);
    std::vector<std::int16_t> d(8, -1);
    ASSERT_EQ(run(kernel, n, a, c, d), KernelStatus::Ok);
    for (int lane = 0; lane < 8; ++lane) {
      EXPECT_EQ(c[lane], 9 - lane);
      EXPECT_EQ(d[lane], lane < active ? 9 - lane : 0) << active;
    }
  }
}

TEST(ExprEmitter, EverySecondElement) {
  for (const int lanes : {2, 3, 4, 8, 16}) {
    const std::string n = std::to_string(lanes);
    const std::string size = std::to_string(2 * lanes);
    const JitKernel kernel =
        compile_text("kernel k(in A: float32[" + size + "], out C: float32[" + n + "]) {\n" +
                     "  vstore(C[0], " + n + ") = vload(A[1], " + n + ", stride 2)\n}\n");
    EXPECT_EQ(kernel.llvm_ir().find("gather"), std::string::npos);
    std::vector<float> a(static_cast<std::size_t>(2 * lanes));
    std::iota(a.begin(), a.end(), 0.0f);
    std::vector<float> c(static_cast<std::size_t>(lanes), -1.0f);
    ASSERT_EQ(run(kernel, a, c), KernelStatus::Ok);
    for (int lane = 0; lane < lanes; ++lane) EXPECT_EQ(c[lane], 2 * lane + 1) << lanes;
  }
}

TEST(ExprEmitter, LanesInFrontReadNothing) {
  for (const std::string access : {"8, first 3", "8, active N[0], first 3", "8, stride 2, first 3",
                                   "8, stride 2, active N[0], first 3", "8, stride 2, active N[0]",
                                   "8, stride -1, active N[0], first 3", "8, stride 3, first 3"}) {
    const JitKernel kernel = compile_text(
        "kernel k(in N: int64[1], in A: float32[40], out C: float32[8]) {\n"
        "  vstore(C[0], 8) = vload(A[12], " +
        access + ")\n}\n");
    std::vector<float> a(40);
    std::iota(a.begin(), a.end(), 0.0f);
    const bool has_count = access.find("active") != std::string::npos;
    const int first = access.find("first") != std::string::npos ? 3 : 0;
    const int stride = access.find("stride 2") != std::string::npos    ? 2
                       : access.find("stride 3") != std::string::npos  ? 3
                       : access.find("stride -1") != std::string::npos ? -1
                                                                       : 1;
    for (const std::int64_t active : {-2, 0, 2, 4, 7, 8, 9}) {
      std::vector<std::int64_t> n = {active};
      std::vector<float> c(8, -1.0f);
      ASSERT_EQ(run(kernel, n, a, c), KernelStatus::Ok);
      for (int lane = 0; lane < 8; ++lane) {
        const bool is_there = lane >= first && (!has_count || lane < active);
        EXPECT_EQ(c[lane], is_there ? static_cast<float>(12 + stride * lane) : 0.0f)
            << access << ", " << active << ", " << lane;
      }
    }
  }
}

TEST(ExprEmitter, LanesOfAnyNumberAreAllCombined) {
  for (const int lanes : {2, 3, 5, 7, 8, 12, 15, 16}) {
    const std::string n = std::to_string(lanes);
    std::string text = "kernel k(in A: float32[" + n + "], out S: float32[4]) {\n";
    for (int k = 0; k < 4; ++k) {
      const std::string op = std::vector<std::string>{"sum", "prod", "min", "max"}[k];
      text += "  S[" + std::to_string(k) + "] = reduce_" + op + "(vload(A[0], " + n + "))\n";
    }
    const JitKernel kernel = compile_text(text + "}\n");
    for (int special = 0; special < lanes; ++special) {
      std::vector<float> a(static_cast<std::size_t>(lanes), 2.0f);
      a[static_cast<std::size_t>(special)] = -3.0f;
      std::vector<float> s(4);
      ASSERT_EQ(run(kernel, a, s), KernelStatus::Ok);
      const float rest = static_cast<float>(lanes - 1);
      EXPECT_EQ(s, (std::vector<float>{2 * rest - 3, -3 * std::exp2(rest), -3.0f, 2.0f})) << lanes;
      a[static_cast<std::size_t>(special)] = std::numeric_limits<float>::quiet_NaN();
      ASSERT_EQ(run(kernel, a, s), KernelStatus::Ok);
      for (const float found : s) EXPECT_TRUE(std::isnan(found)) << lanes << ", " << special;
    }
  }
}

TEST(ExprEmitter, RampBroadcastAndLaneReductions) {
  const JitKernel kernel = compile_text(R"(
kernel k(in A: float32[4], out R: int32[8], out S: float32[4], out T: int32[4]) {
  vstore(R[0], 8) = (ramp(5i32, -2i32, 8) + broadcast(100i32, 8))
  S[0] = reduce_sum(vload(A[0], 4))
  S[1] = reduce_prod(vload(A[0], 4))
  S[2] = reduce_min(vload(A[0], 4))
  S[3] = reduce_max(vload(A[0], 4))
  T[0] = reduce_sum(ramp(5i32, -2i32, 4))
  T[1] = reduce_prod(ramp(5i32, -2i32, 4))
  T[2] = reduce_min(ramp(5i32, -2i32, 4))
  T[3] = reduce_max(ramp(5i32, -2i32, 4))
}
)");
  // In halves: in lane order 1e8 + 1 would round to 1e8 before 1e8 is taken away again.
  std::vector<float> a = {1e8f, 1.0f, -1e8f, 3.0f};
  std::vector<std::int32_t> r(8);
  std::vector<float> s(4);
  std::vector<std::int32_t> t(4);
  ASSERT_EQ(run(kernel, a, r, s, t), KernelStatus::Ok);
  EXPECT_EQ(r, (std::vector<std::int32_t>{105, 103, 101, 99, 97, 95, 93, 91}));
  EXPECT_EQ(s, (std::vector<float>{4.0f, 1e8f * -1e8f * 3.0f, -1e8f, 1e8f}));
  EXPECT_EQ(t, (std::vector<std::int32_t>{8, -15, -1, 5}));
  a[1] = std::numeric_limits<float>::quiet_NaN();
  ASSERT_EQ(run(kernel, a, r, s, t), KernelStatus::Ok);
  EXPECT_TRUE(std::isnan(s[2]) && std::isnan(s[3]));
}

TEST(ExprEmitter, SelectReadsOnlyTheChosenSide) {
  // Index 1 << 40 is far outside of A: reading it would fault.
  const JitKernel kernel = compile_text(R"(
kernel k(in N: int64[1], in A: float32[4], out C: float32[3]) {
  C[0] = select((N[0] < 4), A[N[0]], -1.0f32)
  C[1] = select(((N[0] < 4) and (A[N[0]] < 10.0f32)), 1.0f32, 2.0f32)
  C[2] = select(((N[0] >= 4) or (A[N[0]] < 10.0f32)), 1.0f32, 2.0f32)
}
)");
  std::vector<float> a = {5, 6, 7, 80};
  const auto result = [&](std::int64_t index) {
    std::vector<std::int64_t> n = {index};
    std::vector<float> c(3);
    EXPECT_EQ(run(kernel, n, a, c), KernelStatus::Ok);
    return c;
  };
  EXPECT_EQ(result(1), (std::vector<float>{6, 1, 1}));
  EXPECT_EQ(result(3), (std::vector<float>{80, 2, 2}));
  EXPECT_EQ(result(std::int64_t{1} << 40), (std::vector<float>{-1, 2, 1}));
}

TEST(ExprEmitter, SelectOfVectors) {
  const JitKernel kernel = compile_text(R"(
kernel k(in A: int64[4], out C: int64[4], out D: int64[4]) {
  vstore(C[0], 4) = select((vload(A[0], 4) < broadcast(0, 4)), broadcast(7, 4), vload(A[0], 4))
  vstore(D[0], 4) = select((A[0] < 0), vload(A[0], 4), broadcast(9, 4))
}
)");
  std::vector<std::int64_t> a = {-1, 2, -3, 4};
  std::vector<std::int64_t> c(4);
  std::vector<std::int64_t> d(4);
  ASSERT_EQ(run(kernel, a, c, d), KernelStatus::Ok);
  EXPECT_EQ(c, (std::vector<std::int64_t>{7, 2, 7, 4}));
  EXPECT_EQ(d, a);
}

TEST(ExprEmitter, BoolBuffers) {
  const JitKernel kernel = compile_text(R"(
kernel k(in A: bool[8], out C: bool[8], out D: bool[8]) {
  for i in [0, 8) {
    C[i] = not(A[i])
  }
  vstore(D[0], 8, active 5) = (vload(A[0], 8) or broadcast(false, 8))
}
)");
  std::vector<std::uint8_t> a = {1, 0, 0, 1, 1, 1, 0, 1};
  std::vector<std::uint8_t> c(8, 9);
  std::vector<std::uint8_t> d(8, 9);
  ASSERT_EQ(run(kernel, a, c, d), KernelStatus::Ok);
  EXPECT_EQ(c, (std::vector<std::uint8_t>{0, 1, 1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(d, (std::vector<std::uint8_t>{1, 0, 0, 1, 1, 9, 9, 9}));
}

}  // namespace
}  // namespace solway::codegen
