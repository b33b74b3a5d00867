#include "support/dtype.h"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

namespace solway {
namespace {

constexpr DType kAll[] = {DType::Bool,    DType::Int8,    DType::Int32, DType::Int64,
                          DType::Float32, DType::Float64, DType::Int16, DType::UInt8,
                          DType::Float16, DType::BFloat16};

TEST(DType, NamesRoundTrip) {
  for (const DType type : kAll) EXPECT_EQ(try_dtype(to_string(type)), type);
  EXPECT_EQ(to_string(DType::Float32), "float32");
}

TEST(DType, RefusesOtherNames) {
  EXPECT_EQ(try_dtype("float8"), std::nullopt);
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

TEST(DType, TypesThatAreOnlyStoredAreComputedInWiderOnes) {
  EXPECT_EQ(arithmetic_type(DType::Float16), DType::Float32);
  EXPECT_EQ(arithmetic_type(DType::BFloat16), DType::Float32);
  EXPECT_EQ(arithmetic_type(DType::UInt8), DType::Int32);
  EXPECT_EQ(arithmetic_type(DType::Int16), DType::Int16);
}

TEST(DType, IntegersWrap) {
  EXPECT_EQ(wrapped(300, DType::UInt8), 44);
  EXPECT_EQ(wrapped(-1, DType::UInt8), 255);
  EXPECT_EQ(wrapped(40000, DType::Int16), 40000 - 65536);
  EXPECT_EQ(wrapped(7, DType::Bool), 1);
  EXPECT_EQ(lowest(DType::UInt8), 0);
  EXPECT_EQ(largest(DType::Int16), 32767);
  EXPECT_EQ(lowest(DType::Int64), INT64_MIN);
}

TEST(DType, RoundsToTheNearestEven) {
  EXPECT_EQ(rounded(2049, DType::Float16), 2048);
  EXPECT_EQ(rounded(2051, DType::Float16), 2052);
  EXPECT_EQ(rounded(65519, DType::Float16), 65504);
  EXPECT_EQ(rounded(65520, DType::Float16), INFINITY);
  EXPECT_EQ(rounded(0x1p-25, DType::Float16), 0);
  EXPECT_EQ(rounded(0x1.8p-25, DType::Float16), 0x1p-24);
  EXPECT_EQ(rounded(257, DType::BFloat16), 256);
  EXPECT_EQ(rounded(259, DType::BFloat16), 260);
}

TEST(DType, HalvesHaveBits) {
  EXPECT_EQ(float16_bits(1.0), 0x3c00);
  EXPECT_EQ(float16_bits(-2.0), 0xc000);
  EXPECT_EQ(float16_bits(0x1p-24), 0x0001);
  EXPECT_EQ(float16_bits(65504), 0x7bff);
  EXPECT_EQ(float16_bits(1e9), 0x7c00);
  EXPECT_EQ(float16_bits(NAN), 0x7e00);
  EXPECT_EQ(bfloat16_bits(1.0), 0x3f80);
  EXPECT_EQ(bfloat16_bits(-0.0), 0x8000);
  EXPECT_EQ(bfloat16_bits(NAN) & 0x7fc0, 0x7fc0);
}

}  // namespace
}  // namespace solway
