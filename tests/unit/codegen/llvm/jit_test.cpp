#include "codegen/llvm/jit.h"

#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/error.h"

#include "tests/unit/codegen/llvm/run_kernel.h"
#include "tests/unit/lowering/ir/random_ir.h"

namespace solway::codegen {
namespace {

/// C += A * B with a 4 x 16 tile of C in registers.
constexpr const char* kMatmul = R"(
kernel matmul(in A: float32[12, 40], in B: float32[40, 48] align 64, out C: float32[12, 48] align 64) {
  for io in [0, 3) {
    for jo in [0, 3) {
      allocate T: float32[4, 16] in register align 64 {
        for i0 in [0, 4) unrolled {
          vstore(T[i0, 0], 16) = broadcast(0.0f32, 16)
        }
        for k in [0, 40) {
          for i in [0, 4) unrolled {
            vstore(T[i, 0], 16) = (vload(T[i, 0], 16) + (broadcast(A[((io * 4) + i), k], 16) * vload(B[k, (jo * 16)], 16)))
          }
        }
        for i1 in [0, 4) unrolled {
          vstore(C[((io * 4) + i1), (jo * 16)], 16) = vload(T[i1, 0], 16)
        }
      }
    }
  }
}
)";

TEST(JitKernel, MatmulOfIntegersIsExact) {
  const JitKernel kernel = compile_text(kMatmul);
  std::mt19937 random(7);
  std::vector<float> a(12 * 40);
  std::vector<float> b(40 * 48 + 16);
  std::vector<float> c(12 * 48 + 16);
  const auto aligned = [](std::vector<float>& v) {
    return reinterpret_cast<float*>((reinterpret_cast<std::uintptr_t>(v.data()) + 63) / 64 * 64);
  };
  for (float& x : a) x = static_cast<float>(static_cast<int>(random() % 17) - 8);
  for (float& x : b) x = static_cast<float>(static_cast<int>(random() % 17) - 8);
  void* args[] = {a.data(), aligned(b), aligned(c)};
  ASSERT_EQ(kernel.entry()(args), 0);
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 48; ++j) {
      float sum = 0;
      for (int k = 0; k < 40; ++k) sum += a[i * 40 + k] * aligned(b)[k * 48 + j];
      EXPECT_EQ(aligned(c)[i * 48 + j], sum);
    }
  }
}

TEST(JitKernel, AccumulatorsStayInRegisters) {
  const JitKernel kernel = compile_text(kMatmul);
  EXPECT_EQ(kernel.llvm_ir().find("alloca"), std::string::npos);
  // Four sums of vectors are carried by the innermost loop, and none goes to memory there.
  std::size_t phis = 0;
  for (std::size_t at = 0;
       (at = kernel.llvm_ir().find("phi <16 x float>", at)) != std::string::npos; ++at) {
    ++phis;
  }
  EXPECT_EQ(phis, 4U);
  const std::string text = kernel.assembly();
  EXPECT_EQ(text.find("Spill"), std::string::npos);
  EXPECT_EQ(text.find("(%rsp), %zmm"), std::string::npos);
  EXPECT_EQ(text.find("(%rsp), %ymm"), std::string::npos);
}

TEST(JitKernel, DoesNothingWhereARequirementFails) {
  const JitKernel kernel = compile_text(R"(
kernel twice(in n: int64[1], out C: int64[1]) requires ((n[0] % 16) == 0), (n[0] < 64) {
  C[0] = (n[0] * 2)
}
)");
  for (const auto& [n, status, result] : {std::tuple{32, 0, 64}, {33, 4, -1}, {64, 4, -1}}) {
    std::int64_t size = n;
    std::int64_t c = -1;
    void* args[] = {&size, &c};
    EXPECT_EQ(kernel.entry()(args), status);
    EXPECT_EQ(c, result);
  }
}

TEST(JitKernel, SameBytesTwice) {
  const JitKernel a = compile_text(kMatmul);
  const JitKernel b = compile_text(kMatmul);
  EXPECT_EQ(a.llvm_ir(), b.llvm_ir());
  EXPECT_EQ(a.assembly(), b.assembly());
}

TEST(JitKernel, OutlivesAMove) {
  JitKernel a = compile_text("kernel k(out C: int64[1]) {\n  C[0] = 42\n}\n");
  const JitKernel b = std::move(a);
  std::vector<std::int64_t> c(1);
  EXPECT_EQ(run(b, c), KernelStatus::Ok);
  EXPECT_EQ(c[0], 42);
  EXPECT_GT(b.compile_seconds(), 0);
}

TEST(JitKernel, RandomKernelsCompile) {
  int num_compiled = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const ir::Kernel kernel = ir::RandomIr(seed).kernel();
    try {
      JitKernel::compile(kernel);
      ++num_compiled;
    } catch (const UnsupportedError&) {
      // Scalable lanes.
    } catch (const InternalError& e) {
      // The generator also makes waits without an issue.
      EXPECT_EQ(e.report().why, "nothing issues it") << "seed " << seed << ": " << e.what();
    }
  }
  EXPECT_GT(num_compiled, 15);
}

}  // namespace
}  // namespace solway::codegen
