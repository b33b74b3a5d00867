#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen/llvm/object_code.h"
#include "support/dtype.h"

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string kernel(const std::string& a, const std::string& b, int lanes) {
  const std::string sums = std::to_string(lanes);
  const std::string bytes = std::to_string(lanes * 4);
  return "kernel k(in A: " + a + "[64], in B: " + b + "[64], out C: int32[16]) {\n  vstore(C[0], " +
         sums + ") = dot(broadcast(7i32, " + sums + "), vload(A[0], " + bytes + "), vload(B[0], " +
         bytes + "))\n}\n";
}

template <class A, class B>
void expect_exact(const char* a_type, const char* b_type, int lanes) {
  std::vector<A> a(64);
  std::vector<B> b(64);
  for (int i = 0; i < 64; ++i) {
    a[i] = static_cast<A>(i % 3 == 0 ? -128 : i * 37);
    b[i] = static_cast<B>(i % 2 == 0 ? -128 : i * 91);
  }
  std::vector<std::int32_t> c(16, -1);
  ASSERT_EQ(run(compile_text(kernel(a_type, b_type, lanes)), a, b, c), KernelStatus::Ok);
  for (int lane = 0; lane < 16; ++lane) {
    std::int32_t expected = lane < lanes ? 7 : -1;
    for (int t = 4 * lane; lane < lanes && t < 4 * lane + 4; ++t) expected += a[t] * b[t];
    EXPECT_EQ(c[lane], expected) << a_type << ' ' << b_type << " lane " << lane << " of " << lanes;
  }
}

TEST(Dots, AreExactForAllTypesAndLanes) {
  for (const int lanes : {2, 4, 8, 16}) {
    expect_exact<std::uint8_t, std::int8_t>("uint8", "int8", lanes);
    expect_exact<std::int8_t, std::uint8_t>("int8", "uint8", lanes);
    expect_exact<std::int8_t, std::int8_t>("int8", "int8", lanes);
    expect_exact<std::uint8_t, std::uint8_t>("uint8", "uint8", lanes);
  }
}

TEST(Dots, ASumOfOneGroupIsAScalar) {
  const JitKernel one = compile_text(
      "kernel k(in A: uint8[4], in B: int8[4], out C: int32[1]) {\n"
      "  C[0] = dot(1i32, vload(A[0], 4), vload(B[0], 4))\n}\n");
  std::vector<std::uint8_t> a = {255, 255, 255, 255};
  std::vector<std::int8_t> b = {-128, -128, -128, 1};
  std::vector<std::int32_t> c(1);
  ASSERT_EQ(run(one, a, b, c), KernelStatus::Ok);
  EXPECT_EQ(c[0], 1 - 3 * 255 * 128 + 255);
}

TEST(Dots, GroupsRepeat) {
  const JitKernel repeated = compile_text(
      "kernel k(in A: uint8[4], in B: int8[64], out C: int32[16]) {\n  vstore(C[0], 16) = "
      "dot(broadcast(0i32, 16), broadcast(vload(A[0], 4), 64), vload(B[0], 64))\n}\n");
  std::vector<std::uint8_t> a = {1, 2, 3, 200};
  std::vector<std::int8_t> b(64);
  for (int i = 0; i < 64; ++i) b[i] = static_cast<std::int8_t>(i - 70);
  std::vector<std::int32_t> c(16);
  ASSERT_EQ(run(repeated, a, b, c), KernelStatus::Ok);
  for (int l = 0; l < 16; ++l) {
    const auto* g = &b[4 * l];
    EXPECT_EQ(c[l], g[0] + 2 * g[1] + 3 * g[2] + 200 * g[3]) << l;
  }
}

std::string of_halves(int lanes) {
  const std::string sums = std::to_string(lanes);
  const std::string halves = std::to_string(lanes * 2);
  return "kernel k(in A: bfloat16[32], in B: bfloat16[32], out C: float32[16]) {\n  vstore(C[0], " +
         sums + ") = dot(broadcast(0.5f32, " + sums + "), vload(A[0], " + halves +
         "), vload(B[0], " + halves + "))\n}\n";
}

/// Whole numbers, whose products and sums are exact with and without an instruction.
TEST(Dots, OfHalvesAreExactForWholeNumbersAndAllLanes) {
  std::vector<std::uint16_t> a(32);
  std::vector<std::uint16_t> b(32);
  for (int i = 0; i < 32; ++i) {
    a[i] = bfloat16_bits(i - 11);
    b[i] = bfloat16_bits(i % 2 == 0 ? i : -3 * i);
  }
  for (const int lanes : {2, 4, 8, 16}) {
    std::vector<float> c(16, -1);
    ASSERT_EQ(run(compile_text(of_halves(lanes)), a, b, c), KernelStatus::Ok);
    for (int lane = 0; lane < 16; ++lane) {
      const int i = 2 * lane;
      const int sum = (i - 11) * i + (i - 10) * -3 * (i + 1);
      EXPECT_EQ(c[lane], lane < lanes ? static_cast<float>(sum) + 0.5F : -1) << lane;
    }
  }
}

std::string assembly_of(const std::string& text, const std::string& triple,
                        const std::string& features) {
  LlvmOptions options;
  options.triple = triple;
  options.cpu = triple.rfind("x86", 0) == 0 ? "x86-64-v4" : "generic";
  options.features = features;
  return compile_object(ir::parse_kernel(text), options).assembly();
}

TEST(Dots, OfHalvesTakeTheInstructionWhereTheFeatureIsListed) {
  const std::string x86 = "x86_64-linux-gnu";
  for (const int lanes : {4, 8, 16}) {
    EXPECT_THAT(assembly_of(of_halves(lanes), x86, "+avx512bf16"), HasSubstr("vdpbf16ps\t"));
  }
  EXPECT_THAT(assembly_of(of_halves(16), x86, ""), Not(HasSubstr("vdpbf16ps")));
  const std::string arm = "aarch64-linux-gnu";
  EXPECT_THAT(assembly_of(of_halves(4), arm, "+bf16"), HasSubstr("bfdot\t"));
  EXPECT_THAT(assembly_of(of_halves(4), arm, ""), Not(HasSubstr("bfdot")));
}

std::string assembly(const std::string& a, const std::string& b, int lanes,
                     const std::string& triple, const std::string& features) {
  return assembly_of(kernel(a, b, lanes), triple, features);
}

TEST(Dots, TakeTheInstructionWhereTheFeatureIsListed) {
  const std::string x86 = "x86_64-linux-gnu";
  EXPECT_THAT(assembly("uint8", "int8", 16, x86, "+avx512vnni"), HasSubstr("vpdpbusd\t"));
  EXPECT_THAT(assembly("uint8", "int8", 8, x86, "+avxvnni"), HasSubstr("vpdpbusd\t"));
  EXPECT_THAT(assembly("uint8", "int8", 4, x86, "+avxvnni"), HasSubstr("vpdpbusd\t"));
  EXPECT_THAT(assembly("uint8", "int8", 16, x86, ""), Not(HasSubstr("vpdpbusd")));
  EXPECT_THAT(assembly("int8", "int8", 16, x86, "+avx512vnni"), Not(HasSubstr("vpdpbusd")));
  const std::string arm = "aarch64-linux-gnu";
  EXPECT_THAT(assembly("int8", "int8", 4, arm, "+dotprod"), HasSubstr("sdot\t"));
  EXPECT_THAT(assembly("uint8", "uint8", 4, arm, "+dotprod"), HasSubstr("udot\t"));
  EXPECT_THAT(assembly("uint8", "int8", 4, arm, "+i8mm"), HasSubstr("usdot\t"));
  EXPECT_THAT(assembly("uint8", "int8", 4, arm, "+dotprod"), Not(HasSubstr("dot\t")));
  EXPECT_THAT(assembly("int8", "int8", 4, arm, ""), Not(HasSubstr("dot\t")));
}

}  // namespace
}  // namespace solway::codegen
