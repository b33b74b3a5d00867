#include "lowering/ir/printer.h"

#include <limits>

#include <gtest/gtest.h>

namespace solway::ir {
namespace {

TEST(Printer, LiteralsAreExact) {
  EXPECT_EQ(to_string(FloatImm::make(0.1, DType::Float32)), "0.1f32");
  EXPECT_EQ(to_string(FloatImm::make(0.1, DType::Float64)), "0.1f64");
  EXPECT_EQ(to_string(FloatImm::make(2, DType::Float64)), "2.0f64");
  EXPECT_EQ(to_string(FloatImm::make(-0.0, DType::Float32)), "-0.0f32");
  EXPECT_EQ(to_string(FloatImm::make(1e30, DType::Float32)), "1e+30f32");
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(to_string(FloatImm::make(-inf, DType::Float32)), "-inf_f32");
  EXPECT_EQ(to_string(FloatImm::make(inf - inf, DType::Float64)), "nan_f64");
  EXPECT_EQ(to_string(IntImm::make(-3, DType::Int8)), "-3i8");
  EXPECT_EQ(to_string(IntImm::make(1, DType::Bool)), "true");
}

TEST(Printer, BuffersShowWhatIsNotDefault) {
  EXPECT_EQ(to_string(*make_buffer("A", DType::Float32, {1, 4})), "A: float32[1, 4]");
  EXPECT_EQ(to_string(*make_buffer("B", DType::Int8, {}, "ldm", 64)), "B: int8[] in ldm align 64");
}

TEST(Printer, EmptyBodies) {
  const Stmt empty = Block::make({});
  EXPECT_EQ(to_string(empty), "");
  EXPECT_EQ(to_string(If::make(IntImm::make(1, DType::Bool), empty, empty)),
            "if true {\n} else {\n}\n");
}

}  // namespace
}  // namespace solway::ir
