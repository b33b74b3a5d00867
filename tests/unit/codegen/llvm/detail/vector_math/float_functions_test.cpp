#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

struct Function {
  const char* name;
  double (*exact)(double);
  double ulp;  ///< the bound of docs/math_functions.md without FMA
};

double sigmoid(double x) {
  const double e = std::exp(-std::fabs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

constexpr Function kFunctions[] = {
    {"exp", std::exp, 1.01},       {"exp2", std::exp2, 1.09},     {"expm1", std::expm1, 1.66},
    {"sigmoid", sigmoid, 1.97},    {"tanh", std::tanh, 1.46},     {"erf", std::erf, 1.36},
    {"log", std::log, 0.91},       {"log2", std::log2, 1.36},     {"log10", std::log10, 1.90},
    {"log1p", std::log1p, 1.52},   {"sin", std::sin, 0.51},       {"cos", std::cos, 0.51},
    {"tan", std::tan, 0.51},       {"arcsin", std::asin, 0.51},   {"arccos", std::acos, 0.51},
    {"arctan", std::atan, 0.51},   {"sinh", std::sinh, 0.51},     {"cosh", std::cosh, 0.51},
    {"arcsinh", std::asinh, 0.51}, {"arccosh", std::acosh, 0.51}, {"arctanh", std::atanh, 0.51},
    {"cbrt", std::cbrt, 0.51}};

float of_bits(std::uint32_t bits) {
  float out = 0;
  std::memcpy(&out, &bits, sizeof(out));
  return out;
}

std::uint32_t bits_of(float value) {
  std::uint32_t out = 0;
  std::memcpy(&out, &value, sizeof(out));
  return out;
}

/// All kinds of numbers, and each neighbour of those where something begins or ends.
std::vector<float> samples() {
  std::vector<float> out;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 104729) {
    out.push_back(of_bits(static_cast<std::uint32_t>(bits)));
  }
  const float edges[] = {0x1p-149F,   0x1p-126F,  0x1p-25F,   0x1p-24F,  0.346573F, 0.625F,
                         0.70710677F, 1,          1.4142135F, 2,         4,         9.01F,
                         10,          17,         18,         87.33654F, 88.72283F, 89,
                         103.27893F,  103.97208F, 104,        126,       127,       128,
                         149,         150,        151,        0x1p-8F,   0x1p20F,   0.265625F,
                         0.796875F,   3.453125F,  0x1.f7p1F};
  for (const float edge : edges) {
    for (std::uint32_t k = 0; k < 33; ++k) {
      const float near = of_bits(bits_of(edge) + k - 16);
      out.insert(out.end(), {near, -near});
    }
  }
  const float most = std::numeric_limits<float>::max();
  const float infinity = std::numeric_limits<float>::infinity();
  out.insert(out.end(), {0.0F, -0.0F, most, -most, infinity, -infinity, std::nanf("")});
  return out;
}

/// The function of all samples, in vectors of so many lanes (1: scalars), the last one partial.
std::vector<float> values(const std::string& function, const std::vector<float>& x, int lanes,
                          const std::string& features) {
  const std::size_t per_vector = static_cast<std::size_t>(lanes);
  const std::string size = std::to_string(x.size());
  const std::string l = std::to_string(lanes);
  const std::string part = "(i * " + l + ")], " + l + ", active (" + size + " - (i * " + l + ")))";
  const std::string vector = "vstore(C[" + part + " = " + function + "(vload(A[" + part + ")";
  const std::string scalar = "C[i] = " + function + "(A[i])";
  LlvmOptions options;
  options.features = features;
  const JitKernel kernel = compile_text(
      "kernel k(in A: float32[" + size + "], out C: float32[" + size + "]) {\n  for i in [0, " +
          std::to_string((x.size() + per_vector - 1) / per_vector) + ") {\n    " +
          (lanes == 1 ? scalar : vector) + "\n  }\n}\n",
      options);
  std::vector<float> in = x;
  std::vector<float> out(x.size());
  EXPECT_EQ(run(kernel, in, out), KernelStatus::Ok);
  return out;
}

double ulp_of(double exact) {
  int exponent = 0;
  std::frexp(exact, &exponent);
  return std::ldexp(1.0, std::max(exponent, -125) - 24);
}

/// Whether a function has come to its limit there, as erf(5) has to 1.
bool is_saturated(float x, double exact) { return std::fabs(x) > 4 && std::fabs(exact) == 1; }

/// Zeros, infinities, NaN and what functions are limited by are those of the rounded exact result;
/// others are as near as stated.
void expect_near(const Function& function, float x, float got) {
  const double exact = function.exact(static_cast<double>(x));
  const auto nearest = static_cast<float>(exact);
  if (std::isnan(nearest)) {
    EXPECT_TRUE(std::isnan(got)) << function.name << " of " << x << " gave " << got;
  } else if (nearest == 0 || std::isinf(nearest) || std::isinf(got) || is_saturated(x, exact)) {
    EXPECT_EQ(bits_of(got), bits_of(nearest)) << function.name << " of " << x << " gave " << got;
  } else {
    EXPECT_LE(std::fabs(static_cast<double>(got) - exact), function.ulp * ulp_of(exact))
        << function.name << " of " << x << " gave " << got << ", not " << exact;
  }
}

class FloatFunctions : public ::testing::TestWithParam<const char*> {};

TEST_P(FloatFunctions, AreAsNearAsStatedAndTheSameInVectors) {
  const std::vector<float> x = samples();
  for (const Function& function : kFunctions) {
    const std::vector<float> scalar = values(function.name, x, 1, GetParam());
    for (std::size_t i = 0; i < x.size(); ++i) expect_near(function, x[i], scalar[i]);
    for (const int lanes : {4, 16, 40}) {
      const std::vector<float> vector = values(function.name, x, lanes, GetParam());
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::isnan(scalar[i]) && std::isnan(vector[i])) continue;
        EXPECT_EQ(bits_of(vector[i]), bits_of(scalar[i])) << function.name << " of " << x[i];
      }
    }
  }
}

std::string name_of(const ::testing::TestParamInfo<const char*>& info) {
  constexpr const char* kNames[] = {"This", "WithoutAvx512", "WithoutAvx2", "WithoutFma"};
  return kNames[info.index];
}

INSTANTIATE_TEST_SUITE_P(Cpus, FloatFunctions, ::testing::Values("", "-avx512f", "-avx2", "-fma"),
                         name_of);

}  // namespace
}  // namespace solway::codegen
