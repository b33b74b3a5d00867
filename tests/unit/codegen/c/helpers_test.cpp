#include "codegen/c/helpers.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

#include "tests/unit/codegen/c/compile_c.h"

namespace solway::codegen::c99 {
namespace {

/// Compiles `T call(T, T)` around one helper.
template <class T>
class OneHelper {
 public:
  OneHelper(const std::string& operation, DType type)
      : compiled_(source(operation, type)), call_(compiled_.function<T(T, T)>("call")) {}
  T operator()(T a, T b = 0) const { return call_(a, b); }

 private:
  static std::string source(const std::string& operation, DType type) {
    CHelpers helpers;
    const std::string name = helpers.use(operation, type);
    const std::string t = c_type(type);
    const std::string definitions = helpers.definitions();
    const bool is_unary = definitions.find(", ") > definitions.find(")");
    return "#include <math.h>\n#include <stdint.h>\n" + definitions + t + " call(" + t + " a, " +
           t + " b);\n" + t + " call(" + t + " a, " + t + " b) {\n  (void)b;\n  return " + name +
           (is_unary ? "(a);\n}\n" : "(a, b);\n}\n");
  }

  CompiledC compiled_;
  T (*call_)(T, T);
};

TEST(CHelpers, IntegersWrap) {
  EXPECT_EQ(OneHelper<std::int8_t>("add", DType::Int8)(127, 1), -128);
  EXPECT_EQ(OneHelper<std::int32_t>("mul", DType::Int32)(65536, 65536), 0);
  EXPECT_EQ(OneHelper<std::int64_t>("sub", DType::Int64)(INT64_MIN, 1), INT64_MAX);
  EXPECT_EQ(OneHelper<std::int64_t>("neg", DType::Int64)(INT64_MIN), INT64_MIN);
  EXPECT_EQ(OneHelper<std::int32_t>("abs", DType::Int32)(INT32_MIN), INT32_MIN);
  EXPECT_EQ(OneHelper<std::int8_t>("pow", DType::Int8)(3, 5), static_cast<std::int8_t>(243));
  EXPECT_EQ(OneHelper<std::int32_t>("pow", DType::Int32)(-1, -3), -1);
}

TEST(CHelpers, IntegerDivisionFloors) {
  const OneHelper<std::int32_t> div("floordiv", DType::Int32);
  const OneHelper<std::int32_t> mod("mod", DType::Int32);
  EXPECT_EQ(div(-7, 2), -4);
  EXPECT_EQ(div(7, -2), -4);
  EXPECT_EQ(div(-8, 2), -4);
  EXPECT_EQ(div(INT32_MIN, -1), INT32_MIN);
  EXPECT_EQ(div(5, 0), 0);
  EXPECT_EQ(mod(-7, 2), 1);
  EXPECT_EQ(mod(7, -2), -1);
  EXPECT_EQ(mod(5, 0), 0);
}

TEST(CHelpers, FloatsFollowNumPy) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const OneHelper<float> min("min", DType::Float32);
  EXPECT_TRUE(std::isnan(min(nan, 1)));
  EXPECT_TRUE(std::isnan(min(1, nan)));
  EXPECT_EQ(min(2, 1), 1);
  const OneHelper<float> max("max", DType::Float32);
  EXPECT_TRUE(std::isnan(max(nan, 1)));
  EXPECT_TRUE(std::isnan(max(1, nan)));
  const OneHelper<float> mod("mod", DType::Float32);
  EXPECT_EQ(mod(-7, 2), 1);
  EXPECT_EQ(mod(5.5F, -2), -0.5F);
  EXPECT_TRUE(std::isnan(mod(1, 0)));
  EXPECT_TRUE(std::signbit(mod(4, -2)));
  const OneHelper<float> div("floordiv", DType::Float32);
  EXPECT_EQ(div(-7, 2), -4);
  EXPECT_EQ(div(1, 0), inf);
  EXPECT_TRUE(std::signbit(div(-0.0F, 2)));
  EXPECT_EQ(OneHelper<double>("sigmoid", DType::Float64)(0), 0.5);
  EXPECT_EQ(OneHelper<float>("rsqrt", DType::Float32)(4), 0.5F);
}

TEST(CHelpers, ListsOnlyWhatIsUsed) {
  CHelpers helpers;
  EXPECT_EQ(helpers.definitions(), "");
  helpers.use("add", DType::Int32);
  helpers.use("add", DType::Int32);
  EXPECT_EQ(helpers.definitions(),
            "static int32_t sw_add_i32(int32_t a, int32_t b) {\n"
            "  return (int32_t)((uint32_t)a + (uint32_t)b);\n}\n\n");
}

TEST(CHelpers, RefusesWhatThereIsNot) {
  try {
    CHelpers().use("sigmoid", DType::Int32);
    FAIL() << "expected InternalError";
  } catch (const InternalError& e) {
    EXPECT_THAT(e.report().why, ::testing::HasSubstr("none for int32"));
  }
}

}  // namespace
}  // namespace solway::codegen::c99
