#include "codegen/c/emit_c.h"

#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "support/error.h"

#include "tests/support/golden.h"
#include "tests/unit/codegen/c/compile_c.h"

namespace solway::codegen {
namespace {

using ::testing::HasSubstr;

constexpr const char* kMatmul =
    R"(kernel matmul(in A: float32[4, 32], in B: float32[32, 16], out C: float32[4, 16]) {
  for i in [0, 4) parallel {
    allocate CC: float32[16] in ldm align 64 {
      for j in [0, 16) { CC[j] = 0.0f32 }
      for ko in [0, 4) {
        allocate BB: float32[8, 16] in ldm align 64 {
          issue BB get B[(ko * 8), 0] -> BB[0, 0] (8, 16, 16) (16, 1, 1)
          wait BB
          for ki in [0, 8) unrolled {
            for j in [0, 16) vectorized {
              CC[j] = (CC[j] + (A[i, ((ko * 8) + ki)] * BB[ki, j]))
            }
          }
        }
      }
      issue CC put CC[0] -> C[i, 0] (16, 1, 1)
      wait CC
    }
  }
})";

using Binary = std::int32_t(const float*, const float*, float*);

void expect_product(const std::string& source) {
  std::vector<float> a(4 * 32);
  std::vector<float> b(32 * 16);
  std::vector<float> c(4 * 16, -1);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7) - 3;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5) - 2;
  const CompiledC compiled(source);
  EXPECT_EQ(compiled.function<Binary>("matmul")(a.data(), b.data(), c.data()), 0);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 16; ++j) {
      float sum = 0;
      for (std::size_t k = 0; k < 32; ++k) sum += a[i * 32 + k] * b[k * 16 + j];
      EXPECT_EQ(c[i * 16 + j], sum) << i << ", " << j;
    }
  }
}

TEST(EmitC, IsReadable) {
  expect_golden("scale.c", emit_c(ir::parse_kernel(
                               R"(kernel scale(in A: float32[4, 8], out C: float32[4, 8]) {
    for i in [0, 4) parallel {
      allocate T: float32[8] in panel {
        for j in [0, 8) vectorized { T[j] = max((A[i, j] * 0.1f32), 0.0f32) }
        for j in [0, 8) { C[i, j] = exp(T[(7 - j)]) }
      }
    }
  })")));
}

TEST(EmitC, DirectivesStandDirectlyBeforeTheirLoops) {
  CEmitOptions options;
  options.nec = NecPragmas{256, {"j", "jj"}};
  expect_golden(
      "scale_nec.c",
      emit_c(ir::parse_kernel(
                 R"(kernel scale(in A: float32[64, 512], in m: int64[1], out C: float32[64, 512]) {
    for i in [0, m[0]) parallel {
      for j in [0, 512) vectorized { C[i, j] = 0.0f32 }
      for k in [0, 3) unrolled {
        for jj in [0, 256) vectorized { C[i, jj] = (C[i, jj] + A[k, jj]) }
      }
      for s in [0, m[0]) vectorized { C[i, 0] = (C[i, 0] + A[i, s]) }
    }
  })"),
             options));
}

TEST(EmitC, MatmulIsRight) {
  expect_product(emit_c(ir::parse_kernel(kMatmul)));
  expect_product(emit_c(ir::parse_kernel(kMatmul), {true}));
}

TEST(EmitC, TwoCompilationsGiveTheSameText) {
  EXPECT_EQ(emit_c(ir::parse_kernel(kMatmul)), emit_c(ir::parse_kernel(kMatmul)));
}

constexpr const char* kEarlyRead = R"(kernel early(in A: float32[4], out C: float32[2, 4]) {
  allocate B: float32[4] in ldm {
    for i in [0, 4) { B[i] = 7.0f32 }
    issue B get A[0] -> B[0] (2, 1, 1)
    for i in [0, 4) { C[0, i] = B[i] }
    wait B
    for i in [0, 4) { C[1, i] = B[i] }
  }
})";

TEST(EmitC, DataMoveAtTheWait) {
  using F = std::int32_t(const float*, float*);
  const std::vector<float> a = {1, 2, 3, 4};
  std::vector<float> c(8);
  const CompiledC plain(emit_c(ir::parse_kernel(kEarlyRead)));
  EXPECT_EQ(plain.function<F>("early")(a.data(), c.data()), 0);
  EXPECT_EQ(c, (std::vector<float>{7, 7, 7, 7, 1, 2, 7, 7}));
  const CompiledC poisoned(emit_c(ir::parse_kernel(kEarlyRead), {true}));
  EXPECT_EQ(poisoned.function<F>("early")(a.data(), c.data()), 0);
  EXPECT_TRUE(std::isnan(c[0]) && std::isnan(c[1]));
  EXPECT_EQ(c[2], 7);
  EXPECT_EQ(c[4], 1);
}

TEST(EmitC, IntegerTransfersArePoisonedToo) {
  using F = std::int32_t(const std::int8_t*, std::int8_t*);
  const ir::Kernel k = ir::parse_kernel(R"(kernel early(in A: int8[4], out C: int8[4]) {
    allocate B: int8[4] in ldm {
      issue B get A[3] -> B[0] (4, -1, 1)
      C[0] = B[0]
      wait B
      for i in [1, 4) { C[i] = B[i] }
    }
  })");
  const std::vector<std::int8_t> a = {1, 2, 3, 4};
  std::vector<std::int8_t> c(4);
  const CompiledC poisoned(emit_c(k, {true}));
  EXPECT_EQ(poisoned.function<F>("early")(a.data(), c.data()), 0);
  EXPECT_EQ(c, (std::vector<std::int8_t>{0x5A, 3, 2, 1}));
}

TEST(EmitC, ReportsWaitsWithoutAnIssue) {
  using F = std::int32_t(float*);
  const auto status = [](const std::string& body) {
    const ir::Kernel k = ir::parse_kernel(
        "kernel k(inout C: float32[4]) { allocate B: float32[4] in ldm { " + body + " } }");
    std::vector<float> c(4);
    const CompiledC compiled(emit_c(k));
    return compiled.function<F>("k")(c.data());
  };
  const std::string issue = "issue B get C[0] -> B[0] (4, 1, 1) slot 1 of 2 ";
  EXPECT_EQ(status(issue + "wait B slot 1"), 0);
  EXPECT_EQ(status(issue + "wait B slot 0"), 2);
  EXPECT_EQ(status(issue + issue + "wait B slot 1"), 3);
}

TEST(EmitC, DoesNothingWhereARequirementFails) {
  const CompiledC compiled(emit_c(ir::parse_kernel(
      R"(kernel twice(in n: int64[1], out C: int64[1]) requires ((n[0] % 16) == 0), (n[0] < 64) {
  C[0] = (n[0] * 2)
})")));
  const auto twice = compiled.function<std::int32_t(const std::int64_t*, std::int64_t*)>("twice");
  for (const auto& [n, status, result] : {std::tuple{32, 0, 64}, {33, 4, -1}, {64, 4, -1}}) {
    const std::int64_t size = n;
    std::int64_t c = -1;
    EXPECT_EQ(twice(&size, &c), status);
    EXPECT_EQ(c, result);
  }
}

TEST(EmitC, LargeBuffersComeFromMalloc) {
  using F = std::int32_t(const double*, double*);
  const ir::Kernel k = ir::parse_kernel(R"(kernel big(in A: float64[10000], out C: float64[10000]) {
    allocate B: float64[10000] in panel align 64 {
      for i in [0, 10000) { B[i] = (A[i] + 1.0f64) }
      allocate D: float64[1] in panel { D[0] = 2.0f64
        for j in [0, 10000) { C[j] = (B[(9999 - j)] * D[0]) }
      }
    }
  })");
  const std::string source = emit_c(k);
  EXPECT_THAT(source, HasSubstr("malloc"));
  std::vector<double> a(10000);
  std::vector<double> c(10000);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i);
  const CompiledC compiled(source);
  EXPECT_EQ(compiled.function<F>("big")(a.data(), c.data()), 0);
  EXPECT_EQ(c[0], 20000);
  EXPECT_EQ(c[9999], 2);
}

TEST(EmitC, EveryStatementKindAndHardNames) {
  using F = std::int32_t(const std::int32_t*, std::int64_t*);
  const ir::Kernel k = ir::parse_kernel(R"(kernel odd(in int: int32[8], inout C: int64[8]) {
    for expf in [C[0], C[1]) {
      let unused = 1.5f64 {
        let wide = (int64(int[expf]) * 3000000000) {
          if ((expf % 2) == 0) { C[expf] = wide } else { C[expf] = neg(wide) }
        }
      }
    }
    for j in [5, 2) { C[7] = 99 }
    if (C[2] > 0) { }
  })");
  const std::vector<std::int32_t> in = {1, -2, 3, -4, 5, -6, 7, -8};
  std::vector<std::int64_t> c = {0, 4, 0, 0, 0, 0, 0, 42};
  const CompiledC compiled(emit_c(k));
  EXPECT_EQ(compiled.function<F>("odd")(in.data(), c.data()), 0);
  EXPECT_EQ(
      c, (std::vector<std::int64_t>{3000000000, 6000000000, 9000000000, 12000000000, 0, 0, 0, 42}));
}

TEST(EmitC, CastsSaturateAndWrap) {
  using F = std::int32_t(const double*, std::int8_t*, std::int64_t*);
  const ir::Kernel k =
      ir::parse_kernel(R"(kernel casts(in A: float64[5], out B: int8[5], out C: int64[5]) {
    for i in [0, 5) { B[i] = int8(A[i]) C[i] = int64(A[i]) }
  })");
  const std::vector<double> a = {-1.9, 1e30, -1e30, NAN, 127.5};
  std::vector<std::int8_t> b(5);
  std::vector<std::int64_t> c(5);
  const CompiledC compiled(emit_c(k));
  EXPECT_EQ(compiled.function<F>("casts")(a.data(), b.data(), c.data()), 0);
  EXPECT_EQ(b, (std::vector<std::int8_t>{-1, 127, -128, 0, 127}));
  EXPECT_EQ(c, (std::vector<std::int64_t>{-1, INT64_MAX, INT64_MIN, 0, 127}));
}

TEST(EmitC, RoundsHalfToEven) {
  using F = std::int32_t(const float*, float*);
  const ir::Kernel k = ir::parse_kernel(R"(kernel r(in A: float32[4], out C: float32[4]) {
    for i in [0, 4) { C[i] = round(A[i]) }
  })");
  const std::vector<float> a = {0.5, 1.5, 2.5, -0.5};
  std::vector<float> c(4);
  const CompiledC compiled(emit_c(k));
  EXPECT_EQ(compiled.function<F>("r")(a.data(), c.data()), 0);
  EXPECT_EQ(c, (std::vector<float>{0, 2, 2, 0}));
}

TEST(EmitC, RefusesVectorsAndReservedNames) {
  const SourceLoc where{"user.py", 4, "x"};
  ir::Kernel k = ir::parse_kernel("kernel main(out C: float32[8]) { C[0] = 0.0f32 }");
  k.where = where;
  try {
    emit_c(k);
    FAIL() << "expected UnsupportedError";
  } catch (const UnsupportedError& e) {
    EXPECT_EQ(e.report().where.line, 4);
    EXPECT_THAT(e.report().why, HasSubstr("reserves the name 'main'"));
  }
  EXPECT_THROW(emit_c(ir::parse_kernel(
                   "kernel k(out C: float32[8]) { vstore(C[0], 8) = broadcast(0.0f32, 8) }")),
               UnsupportedError);
}

TEST(EmitC, Prototype) {
  EXPECT_EQ(emit_c_prototype(ir::parse_kernel(kMatmul)),
            "int32_t matmul(const float* restrict A, const float* restrict B, float* restrict C);");
  EXPECT_EQ(emit_c_prototype(ir::parse_kernel("kernel none() { }")), "int32_t none(void);");
}

}  // namespace
}  // namespace solway::codegen
