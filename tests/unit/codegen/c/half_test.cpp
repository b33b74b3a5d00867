#include "codegen/c/half.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include <gtest/gtest.h>

#include "tests/unit/codegen/c/compile_c.h"

namespace solway::codegen {
namespace {

/// All casts of one 16-bit type, compiled.
class Casts {
 public:
  explicit Casts(DType type) : compiled_(source(type)) {
    widen = compiled_.function<float(unsigned short)>("widen");
    narrow = compiled_.function<unsigned short(float)>("narrow");
    narrow_double = compiled_.function<unsigned short(double)>("narrow_double");
  }

  float (*widen)(unsigned short);
  unsigned short (*narrow)(float);
  unsigned short (*narrow_double)(double);

 private:
  static std::string source(DType type) {
    std::set<std::string> used;
    const std::string half = "unsigned short";
    const std::string wide = half_cast("x", type, DType::Float32, used);
    const std::string from_single = half_cast("x", DType::Float32, type, used);
    const std::string from_double = half_cast("x", DType::Float64, type, used);
    const auto function = [](const std::string& head, const std::string& value) {
      return head + ";\n" + head + " {\n  return " + value + ";\n}\n";
    };
    return half_definitions(used) + function("float widen(" + half + " x)", wide) +
           function(half + " narrow(float x)", from_single) +
           function(half + " narrow_double(double x)", from_double);
  }

  CompiledC compiled_;
};

class HalfCasts : public ::testing::TestWithParam<DType> {};

TEST_P(HalfCasts, EveryValueComesBack) {
  const Casts casts(GetParam());
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto h = static_cast<unsigned short>(bits);
    const float value = casts.widen(h);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(casts.widen(casts.narrow(value))));
      continue;
    }
    ASSERT_EQ(casts.narrow(value), h);
    ASSERT_EQ(casts.narrow_double(static_cast<double>(value)), h);
    ASSERT_EQ(rounded(static_cast<double>(value), GetParam()), static_cast<double>(value));
  }
}

TEST_P(HalfCasts, RoundsAsTheLiteralsDo) {
  const Casts casts(GetParam());
  const auto bits = [](double x) {
    return GetParam() == DType::Float16 ? float16_bits(x) : bfloat16_bits(x);
  };
  std::mt19937_64 random(7);
  for (int n = 0; n < 200000; ++n) {
    const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isnan(single)) {
      ASSERT_EQ(casts.narrow(single), bits(static_cast<double>(single))) << single;
    }
    // Near the middle of two neighbours, where rounding twice goes wrong.
    const auto h = static_cast<unsigned short>(random() % 0x7b00);
    const double middle = (static_cast<double>(casts.widen(h)) +
                           static_cast<double>(casts.widen(static_cast<unsigned short>(h + 1)))) /
                          2;
    for (const double x : {middle, std::nextafter(middle, 0.0), std::nextafter(middle, INFINITY),
                           -middle, middle * (1 + 0x1p-40)}) {
      ASSERT_EQ(casts.narrow_double(x), bits(x)) << x;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Both, HalfCasts, ::testing::Values(DType::Float16, DType::BFloat16));

TEST(Half, LiteralsAreBits) {
  EXPECT_EQ(half_literal(1.0, DType::Float16), "0x3c00");
  EXPECT_EQ(half_literal(1.0, DType::BFloat16), "0x3f80");
}

TEST(Half, DefinesOnlyWhatIsUsed) {
  EXPECT_EQ(half_definitions({}), "");
  const std::string one = half_definitions({"sw_f32_from_bf16"});
  EXPECT_NE(one.find("sw_f32_from_bf16"), std::string::npos);
  EXPECT_EQ(one.find("sw_f16_from_f32"), std::string::npos);
}

}  // namespace
}  // namespace solway::codegen
