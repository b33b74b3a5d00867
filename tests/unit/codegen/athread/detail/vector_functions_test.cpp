#include "codegen/athread/detail/vector_functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

namespace solway::codegen {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string definitions(const std::set<VectorFunction>& functions,
                        const std::set<UnaryOp>& numbers = {},
                        const std::string& machine = "sw26010") {
  return vector_function_definitions(functions, numbers, *vector_type_of(DType::Float32, machine));
}

TEST(VectorFunctions, AreThoseOfFloats) {
  EXPECT_TRUE(has_vector_function(UnaryOp::Exp));
  EXPECT_TRUE(has_vector_function(UnaryOp::Log10));
  EXPECT_FALSE(has_vector_function(UnaryOp::Sin));
  EXPECT_EQ((VectorFunction{UnaryOp::Tanh, 3}).name(), "tanh_of_3");
  EXPECT_THROW((VectorFunction{UnaryOp::Sin, 1}).name(), InternalError);
}

TEST(VectorFunctions, StepsOfSeveralVectorsTakeTurns) {
  const std::string text = definitions({{UnaryOp::Exp, 2}});
  EXPECT_THAT(text, HasSubstr("static inline void exp_of_2(floatv4 *v0, floatv4 *v1) {\n"
                              "  const doublev4 k0 = simd_set_doublev4(104.5, 104.5, 104.5, "
                              "104.5);\n"));
  EXPECT_THAT(text, HasSubstr("  doublev4 x0, x1, y0, y1;\n"
                              "  x0 = (doublev4)(*v0);\n"
                              "  x1 = (doublev4)(*v1);\n"));
  EXPECT_THAT(text, HasSubstr("  y0 = simd_vmuld(y0, y0);\n  y1 = simd_vmuld(y1, y1);\n"));
  EXPECT_THAT(text, HasSubstr("  *v0 = (floatv4)(y0);\n  *v1 = (floatv4)(y1);\n}\n"));
}

TEST(VectorFunctions, ANumberIsComputedAsAVector) {
  const std::string text = definitions({}, {UnaryOp::Erf});
  EXPECT_THAT(text, HasSubstr("static inline void erf_of_1(floatv4 *v0) {"));
  EXPECT_THAT(text, HasSubstr("static inline float erf_of_number(float x) {\n"
                              "  floatv4 v = simd_set_floatv4(x, x, x, x);\n"
                              "  erf_of_1(&v);\n"
                              "  return simd_vextf0(v);\n"
                              "}\n"));
}

TEST(VectorFunctions, TheProHasEightLanes) {
  const std::string text = definitions({{UnaryOp::Sigmoid, 1}}, {UnaryOp::Exp}, "sw26010pro");
  EXPECT_THAT(text, HasSubstr("sigmoid_of_1(floatv8 *v0) {\n  const doublev8 k0 = "));
  EXPECT_THAT(text, HasSubstr("simd_vcpyfd("));
  EXPECT_THAT(text, Not(HasSubstr("simd_set_")));
}

TEST(VectorFunctions, TheirNamesAreTaken) {
  EXPECT_TRUE(is_vector_function_name("exp_of_4"));
  EXPECT_TRUE(is_vector_function_name("exp_of_number"));
  EXPECT_FALSE(is_vector_function_name("exp_of_5"));
  EXPECT_TRUE(is_vector_function_name("log1p_of_2"));
  EXPECT_FALSE(is_vector_function_name("sin_of_1"));
}

}  // namespace
}  // namespace solway::codegen
