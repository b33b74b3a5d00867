#include "support/dtype.h"

#include <gtest/gtest.h>

namespace solway {
namespace {

constexpr DType kAll[] = {DType::Bool,  DType::Int8,    DType::Int32,
                          DType::Int64, DType::Float32, DType::Float64};

TEST(DType, NamesRoundTrip) {
  for (const DType type : kAll) EXPECT_EQ(try_dtype(to_string(type)), type);
  EXPECT_EQ(to_string(DType::Float32), "float32");
}

TEST(DType, RefusesOtherNames) {
  EXPECT_EQ(try_dtype("float16"), std::nullopt);
  EXPECT_EQ(try_dtype(""), std::nullopt);
}

TEST(DType, HasSizes) {
  EXPECT_EQ(size_bytes(DType::Bool), 1);
  EXPECT_EQ(size_bytes(DType::Int8), 1);
  EXPECT_EQ(size_bytes(DType::Int32), 4);
  EXPECT_EQ(size_bytes(DType::Float32), 4);
  EXPECT_EQ(size_bytes(DType::Int64), 8);
  EXPECT_EQ(size_bytes(DType::Float64), 8);
}

TEST(DType, IsFloatIntegerOrBool) {
  for (const DType type : kAll) EXPECT_FALSE(is_float(type) && is_integer(type));
  EXPECT_TRUE(is_float(DType::Float32) && is_float(DType::Float64));
  EXPECT_TRUE(is_integer(DType::Int8) && is_integer(DType::Int32) && is_integer(DType::Int64));
  EXPECT_FALSE(is_float(DType::Bool) || is_integer(DType::Bool));
}

}  // namespace
}  // namespace solway
