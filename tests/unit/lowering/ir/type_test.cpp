#include "lowering/ir/type.h"

#include <gtest/gtest.h>

namespace solway::ir {
namespace {

TEST(Type, PrintsLanes) {
  EXPECT_EQ(to_string(Type{DType::Float32, {}}), "float32");
  EXPECT_EQ(to_string(Type{DType::Float32, {8, false}}), "float32x8");
  EXPECT_EQ(to_string(Type{DType::Float64, {2, true}}), "float64xvscale*2");
}

TEST(Type, OneScalableLaneIsAVector) {
  EXPECT_FALSE((Type{DType::Float32, {1, false}}.is_vector()));
  EXPECT_TRUE((Type{DType::Float32, {1, true}}.is_vector()));
}

}  // namespace
}  // namespace solway::ir
