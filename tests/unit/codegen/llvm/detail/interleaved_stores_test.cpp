#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;

/// C[i, k] = A[k, i] of `count` rows, `lanes` columns at a time; of the last so many are there.
std::string columns_of_rows(const std::string& type, int count, int lanes, int active) {
  const std::string c = std::to_string(count);
  const std::string l = std::to_string(lanes);
  std::string stores;
  for (int k = 0; k < count; ++k) {
    const std::string part = active < lanes ? ", active " + std::to_string(active) : "";
    stores += "  vstore(C[0, " + std::to_string(k) + "], " + l + ", stride " + c + part +
              ") = vload(A[" + std::to_string(k) + ", 0], " + l + part + ")\n";
  }
  return "kernel k(in A: " + type + "[" + c + ", " + l + "], out C: " + type + "[" + l + ", " + c +
         "]) {\n" + stores + "}\n";
}

template <class T>
void expect_interleaved(const std::string& type, int count, int lanes, int active) {
  const JitKernel kernel = compile_text(columns_of_rows(type, count, lanes, active));
  EXPECT_THAT(kernel.llvm_ir(), Not(HasSubstr("scatter")));
  EXPECT_THAT(kernel.llvm_ir(), HasSubstr("shufflevector"));
  std::vector<T> a(static_cast<std::size_t>(count * lanes));
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = static_cast<T>(k + 1);
  std::vector<T> c(a.size(), 0);
  ASSERT_EQ(run(kernel, a, c), KernelStatus::Ok);
  for (int lane = 0; lane < lanes; ++lane) {
    for (int k = 0; k < count; ++k) {
      const T expected = lane < active ? static_cast<T>(k * lanes + lane + 1) : T{0};
      EXPECT_EQ(c[static_cast<std::size_t>(lane * count + k)], expected)
          << type << " of " << count << ", lane " << lane << ", row " << k;
    }
  }
}

TEST(InterleavedStores, FillNeighbouringPlacesTogether) {
  for (const int count : {2, 3, 4}) {
    expect_interleaved<float>("float32", count, 16, 16);
    expect_interleaved<double>("float64", count, 4, 4);
    expect_interleaved<std::int16_t>("int16", count, 32, 32);
    expect_interleaved<std::uint8_t>("uint8", count, 64, 64);
  }
}

TEST(InterleavedStores, StoreNothingBehindTheLanesThatAreThere) {
  for (const int count : {2, 3, 4}) {
    for (const int active : {1, 5, 7}) expect_interleaved<float>("float32", count, 8, active);
  }
}

/// The second value may be what the first one stores.
TEST(InterleavedStores, NotOfValuesThatReadWhatIsStored) {
  const JitKernel kernel = compile_text(R"(
kernel k(in A: float32[4], out C: float32[8]) {
  allocate T: float32[8] in panel {
    vstore(T[0], 4, stride 2) = vload(A[0], 4)
    vstore(T[1], 4, stride 2) = (vload(T[0], 4, stride 2) + broadcast(1.0f32, 4))
    vstore(C[0], 8) = vload(T[0], 8)
  }
}
)");
  std::vector<float> a{1, 2, 3, 4};
  std::vector<float> c(8, -1.0f);
  ASSERT_EQ(run(kernel, a, c), KernelStatus::Ok);
  EXPECT_EQ(c, (std::vector<float>{1, 2, 2, 3, 3, 4, 4, 5}));
}

TEST(InterleavedStores, OnlyOfNeighboursInTurn) {
  for (const char* second : {"C[3], 4, stride 2", "C[1], 4, stride 3", "C[1], 2, stride 2"}) {
    const std::string lanes = std::string(second).find(", 2,") == std::string::npos ? "4" : "2";
    const JitKernel kernel = compile_text(
        "kernel k(in A: float32[4], out C: float32[12]) {\n"
        "  vstore(C[0], 4, stride 2) = vload(A[0], 4)\n"
        "  vstore(" +
        std::string(second) + ") = vload(A[0], " + lanes + ")\n}\n");
    EXPECT_THAT(kernel.llvm_ir(), HasSubstr("scatter")) << second;
  }
}

}  // namespace
}  // namespace solway::codegen
