#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Each of A, of which there are 16, to a power, in vectors of 4.
JitKernel powers(const std::string& type, const std::string& power) {
  return compile_text("kernel k(in A: " + type + "[16], out C: " + type +
                      "[16]) { for i in [0, 4) { vstore(C[(i * 4)], 4) = pow(vload(A[(i * 4)], 4), "
                      "broadcast(" +
                      power + ", 4)) } }");
}

template <class T>
std::vector<T> special_numbers() {
  using Limits = std::numeric_limits<T>;
  return {T(0),
          -T(0),
          T(1),
          -T(1),
          T(1.25),
          T(-2.75),
          T(1e-13),
          T(-3e-20),
          T(7.1e12),
          T(-9.3e18),
          Limits::max(),
          Limits::lowest(),
          Limits::min(),
          Limits::denorm_min(),
          Limits::infinity(),
          -Limits::infinity()};
}

/// Equal, and zeros of one sign.
template <class T>
bool is_same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

template <class T>
void expect_powers(const std::string& type, const std::string& suffix, double power) {
  std::vector<T> a = special_numbers<T>();
  std::vector<T> c(16);
  const JitKernel kernel = powers(type, std::to_string(power) + suffix);
  EXPECT_THAT(kernel.llvm_ir(), Not(HasSubstr("solway_pow"))) << power;
  ASSERT_EQ(run(kernel, a, c), KernelStatus::Ok);
  for (std::size_t k = 0; k < 16; ++k) {
    const bool is_root = power == 0.5 && a[k] > 0;
    const T expected =
        is_root ? std::sqrt(a[k]) : static_cast<T>(std::pow(static_cast<long double>(a[k]), power));
    EXPECT_TRUE(is_same(c[k], expected)) << a[k] << " to " << power << " is " << c[k];
  }
}

TEST(ConstantPower, OfFloat32AreTheNearestAndHaveTheSpecialValues) {
  for (const double power : {1.0, 2.0, 3.0, 4.0, -1.0, -2.0, 0.5}) {
    expect_powers<float>("float32", "f32", power);
  }
}

TEST(ConstantPower, OfFloat64) {
  for (const double power : {1.0, 2.0, -1.0, 0.5}) expect_powers<double>("float64", "f64", power);
}

TEST(ConstantPower, OfIntegersWrap) {
  for (const int power : {1, 2, 3, 4}) {
    std::vector<std::int32_t> a = {0, 1, -1, 3, -7, 40000, -50000, 46341, 2, 5, 6, 7, 8, 9, 10, 11};
    std::vector<std::int32_t> c(16);
    ASSERT_EQ(run(powers("int32", std::to_string(power) + "i32"), a, c), KernelStatus::Ok);
    for (std::size_t k = 0; k < 16; ++k) {
      std::uint32_t expected = 1;
      for (int n = 0; n < power; ++n) expected *= static_cast<std::uint32_t>(a[k]);
      EXPECT_EQ(c[k], static_cast<std::int32_t>(expected)) << a[k] << " to " << power;
    }
  }
}

TEST(ConstantPower, OthersAreTheFunction) {
  EXPECT_THAT(powers("float64", "3.0f64").llvm_ir(), HasSubstr("solway_pow_f64"));
  EXPECT_THAT(powers("int32", "5i32").llvm_ir(), HasSubstr("solway_pow_i64"));
}

}  // namespace
}  // namespace solway::codegen
