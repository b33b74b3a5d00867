#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kCount = 1 << 14;

template <class T>
struct Names;
template <>
struct Names<float> {
  using Bits = std::uint32_t;
  static constexpr const char* kType = "float32";
};
template <>
struct Names<double> {
  using Bits = std::uint64_t;
  static constexpr const char* kType = "float64";
};

/// C = fmod(A, B) of kCount elements, in vectors of 8.
template <class T>
JitKernel remainders(const std::string& cpu) {
  const std::string array = std::string(Names<T>::kType) + "[" + std::to_string(kCount) + "]";
  LlvmOptions options;
  options.cpu = cpu;
  return compile_text("kernel k(in A: " + array + ", in B: " + array + ", out C: " + array +
                          ") { for i in [0, " + std::to_string(kCount / 8) +
                          ") { vstore(C[(i * 8)], 8) = fmod(vload(A[(i * 8)], 8), "
                          "vload(B[(i * 8)], 8)) } }",
                      options);
}

template <class T>
T from_bits(std::uint64_t word) {
  const auto bits = static_cast<typename Names<T>::Bits>(word);
  T out;
  std::memcpy(&out, &bits, sizeof out);
  return out;
}

/// Dividends and divisors of all magnitudes, of near ones, and multiples with their neighbours.
template <class T>
void fill(std::vector<T>& a, std::vector<T>& b) {
  std::mt19937_64 random(7);
  const std::vector<T> special = {T(0),
                                  -T(0),
                                  T(1),
                                  T(-3),
                                  std::numeric_limits<T>::infinity(),
                                  -std::numeric_limits<T>::infinity(),
                                  std::numeric_limits<T>::quiet_NaN(),
                                  std::numeric_limits<T>::denorm_min(),
                                  std::numeric_limits<T>::min(),
                                  std::numeric_limits<T>::max()};
  for (std::size_t k = 0; k < kCount; ++k) {
    a[k] = from_bits<T>(random());
    b[k] = from_bits<T>(random());
    const std::size_t kind = k / 8 % 4;  // of all lanes of a vector
    if (k < special.size() * special.size()) {
      a[k] = special[k / special.size()];
      b[k] = special[k % special.size()];
    } else if (kind > 0) {
      const int shift = static_cast<int>(random() % 40);
      b[k] = std::ldexp(T(1) + std::abs(std::remainder(b[k], T(1))), shift - 20);
      if (!(std::abs(b[k]) > 0)) b[k] = T(1);
      const T count = static_cast<T>(random() % (kind == 1 ? 100 : 1 << 22));
      a[k] = b[k] * count;
      if (kind == 3) a[k] = std::nextafter(a[k], random() % 2 == 0 ? T(0) : 2 * a[k]);
      if (random() % 2 == 0) a[k] = -a[k];
    }
  }
}

template <class T>
void expect_remainders(const std::string& cpu) {
  SCOPED_TRACE(std::string(Names<T>::kType) + " " + cpu);
  std::vector<T> a(kCount);
  std::vector<T> b(kCount);
  std::vector<T> c(kCount, T(77));
  fill(a, b);
  const JitKernel kernel = remainders<T>(cpu);
  ASSERT_EQ(run(kernel, a, b, c), KernelStatus::Ok);
  for (std::size_t k = 0; k < kCount; ++k) {
    const T expected = std::fmod(a[k], b[k]);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(c[k])) << a[k] << " by " << b[k] << ": " << c[k];
    } else {
      ASSERT_EQ(std::memcmp(&c[k], &expected, sizeof expected), 0)
          << a[k] << " by " << b[k] << ": " << c[k] << ", not " << expected;
    }
  }
}

TEST(FloatDivision, RemaindersAreExactWithAndWithoutMultiplyAdds) {
  for (const std::string cpu : {"", "x86-64-v2", "x86-64-v3"}) {
    expect_remainders<float>(cpu);
    expect_remainders<double>(cpu);
  }
}

/// The way by a division stands before the call; it wants sums rounded once, or more bits.
TEST(FloatDivision, TheLibraryIsCalledOfLargeQuotients) {
  EXPECT_THAT(remainders<float>("x86-64-v2").llvm_ir(), HasSubstr("br i1"));
  EXPECT_THAT(remainders<float>("x86-64-v2").llvm_ir(), HasSubstr("fdiv <8 x double>"));
  EXPECT_THAT(remainders<double>("x86-64-v2").llvm_ir(), Not(HasSubstr("fdiv")));
  EXPECT_THAT(remainders<float>("x86-64-v3").llvm_ir(), HasSubstr("fdiv <8 x float>"));
  EXPECT_THAT(remainders<double>("x86-64-v3").llvm_ir(), HasSubstr("fdiv <8 x double>"));
}

}  // namespace
}  // namespace solway::codegen
