#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

LlvmOptions poisoned() {
  LlvmOptions options;
  options.poison_transfers = true;
  return options;
}

std::vector<float> iota(std::size_t size) {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

TEST(TransferEmitter, MovesARectangleBothWays) {
  const JitKernel kernel = compile_text(R"(
kernel k(in A: float32[8, 16], out C: float32[8, 16]) {
  allocate AA: float32[2, 4] in ldm {
    issue AA get A[3, 5] -> AA[0, 0] (2, 16, 4) (4, 1, 1)
    wait AA
    issue AA2 put AA[0, 0] -> C[1, 2] (2, 16, 4) (4, 1, 1)
    wait AA2
  }
}
)",
                                        poisoned());
  std::vector<float> a = iota(128);
  std::vector<float> c(128, -1.0f);
  ASSERT_EQ(run(kernel, a, c), KernelStatus::Ok);
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 16; ++j) {
      const bool is_inside = i >= 1 && i < 3 && j >= 2 && j < 6;
      EXPECT_EQ(c[i * 16 + j], is_inside ? a[(i + 2) * 16 + j + 3] : -1.0f) << i << ", " << j;
    }
  }
}

TEST(TransferEmitter, StridedElementsAndCountsOfVariables) {
  const JitKernel kernel = compile_text(R"(
kernel k(in N: int64[2], in A: int8[40], out C: int8[40]) {
  allocate T: int8[40] in ldm {
    for i in [0, 40) {
      T[i] = 7i8
    }
    let n = N[0] {
      issue T get A[1] -> T[0] (n, 10, 1) (N[1], 3, 12)
    }
    wait T
    for i2 in [0, 40) {
      C[i2] = T[i2]
    }
  }
}
)");
  std::vector<std::int8_t> a(40);
  std::iota(a.begin(), a.end(), std::int8_t{1});
  for (const auto& [rows, columns] : {std::pair{3, 2}, std::pair{0, 2}, std::pair{3, -1}}) {
    std::vector<std::int64_t> n = {rows, columns};
    std::vector<std::int8_t> c(40);
    ASSERT_EQ(run(kernel, n, a, c), KernelStatus::Ok);
    std::vector<std::int8_t> expected(40, 7);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) expected[i + 12 * j] = a[1 + 10 * i + 3 * j];
    }
    EXPECT_EQ(c, expected);
  }
}

// Reads between issue and wait; the issue alone must not change the destination's old values
// unless these are poisoned.
constexpr const char* kReadsTooEarly = R"(
kernel k(in A: TYPE[4], out C: TYPE[4]) {
  allocate T: TYPE[4] in ldm {
    for i in [0, 4) {
      T[i] = 5LITERAL
    }
    issue T get A[0] -> T[0] (4, 1, 1)
    for i2 in [0, 4) {
      C[i2] = T[i2]
    }
    wait T
  }
}
)";

std::string with_type(std::string text, const std::string& type, const std::string& literal) {
  for (std::size_t at; (at = text.find("TYPE")) != std::string::npos;) text.replace(at, 4, type);
  return text.replace(text.find("5LITERAL"), 8, literal);
}

TEST(TransferEmitter, DataArriveAtTheWait) {
  std::vector<float> a = {1, 2, 3, 4};
  std::vector<float> c(4);
  const std::string text = with_type(kReadsTooEarly, "float32", "5.0f32");
  ASSERT_EQ(run(compile_text(text), a, c), KernelStatus::Ok);
  EXPECT_EQ(c, std::vector<float>(4, 5.0f));
}

TEST(TransferEmitter, PoisonsTheDestinationAtTheIssue) {
  std::vector<float> a = {1, 2, 3, 4};
  std::vector<float> c(4);
  const std::string floats = with_type(kReadsTooEarly, "float32", "5.0f32");
  ASSERT_EQ(run(compile_text(floats, poisoned()), a, c), KernelStatus::Ok);
  for (const float value : c) EXPECT_TRUE(std::isnan(value));

  std::vector<std::int32_t> b = {1, 2, 3, 4};
  std::vector<std::int32_t> d(4);
  const std::string integers = with_type(kReadsTooEarly, "int32", "5i32");
  ASSERT_EQ(run(compile_text(integers, poisoned()), b, d), KernelStatus::Ok);
  EXPECT_EQ(d, std::vector<std::int32_t>(4, 0x5A5A5A5A));
}

TEST(TransferEmitter, AChangedSourceIsSeen) {
  const JitKernel kernel = compile_text(R"(
kernel k(out C: float32[1]) {
  allocate T: float32[1] in ldm {
    T[0] = 1.0f32
    issue T put T[0] -> C[0] (1, 1, 1)
    T[0] = 2.0f32
    wait T
  }
}
)");
  std::vector<float> c(1);
  ASSERT_EQ(run(kernel, c), KernelStatus::Ok);
  EXPECT_EQ(c[0], 2.0f);
}

TEST(TransferEmitter, DoubleBufferWithTwoIssuesOfOneId) {
  const JitKernel kernel = compile_text(R"(
kernel k(in A: float32[32], out C: float32[8]) {
  allocate T: float32[2, 4] in ldm {
    issue T get A[0] -> T[0, 0] (4, 1, 1) slot 0 of 2
    for i in [0, 8) {
      if ((i + 1) < 8) {
        issue T get A[((i + 1) * 4)] -> T[((i + 1) % 2), 0] (4, 1, 1) slot ((i + 1) % 2) of 2
      }
      wait T slot (i % 2)
      C[i] = (((T[(i % 2), 0] + T[(i % 2), 1]) + T[(i % 2), 2]) + T[(i % 2), 3])
    }
  }
}
)",
                                        poisoned());
  std::vector<float> a = iota(32);
  std::vector<float> c(8);
  ASSERT_EQ(run(kernel, a, c), KernelStatus::Ok);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(c[i], 16.0f * i + 10.0f);
}

TEST(TransferEmitter, SaysWhenWaitsAndIssuesDoNotMatch) {
  const std::string begin = "kernel k(in A: float32[4]) {\nallocate T: float32[4] in ldm {\n";
  const std::string issue = "issue T get A[0] -> T[0] (4, 1, 1)\n";
  std::vector<float> a(4);
  EXPECT_EQ(run(compile_text(begin + issue + "wait T\nwait T\n}\n}\n"), a),
            KernelStatus::WaitWithoutIssue);
  EXPECT_EQ(run(compile_text(begin + issue + issue + "wait T\n}\n}\n"), a),
            KernelStatus::IssueWhilePending);
}

}  // namespace
}  // namespace solway::codegen
