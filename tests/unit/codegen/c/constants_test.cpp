#include "codegen/c/constants.h"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

namespace solway::codegen::c99 {
namespace {

template <class T>
std::string text(DType type, const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  const auto count = static_cast<std::int64_t>(values.size());
  return constant_definition(
      {ir::make_buffer("W", type, {count}), std::make_shared<const std::vector<std::byte>>(bytes)},
      "W");
}

TEST(ConstantDefinition, HasTheElements) {
  EXPECT_EQ(text<float>(DType::Float32, {0.5F, -1.0F}),
            "static const float W[2] = {\n  0.5f, -1.0f,\n};\n");
  EXPECT_EQ(text<std::int64_t>(DType::Int64, {INT64_MIN}),
            "static const int64_t W[1] = {\n  INT64_MIN,\n};\n");
  EXPECT_EQ(text<std::uint16_t>(DType::Float16, {0x3c00}),
            "static const uint16_t W[1] = {\n  15360,\n};\n");
  EXPECT_EQ(text<std::uint8_t>(DType::Bool, {1, 0}),
            "static const bool W[2] = {\n  true, false,\n};\n");
}

TEST(ConstantDefinition, BreaksLines) {
  const std::string many = text<std::int8_t>(DType::Int8, std::vector<std::int8_t>(20, 1));
  EXPECT_EQ(std::count(many.begin(), many.end(), '\n'), 5);
}

TEST(ConstantDefinition, OfNothingIsStillC) {
  EXPECT_EQ(text<float>(DType::Float32, {}), "static const float W[1] = {0};\n");
}

}  // namespace
}  // namespace solway::codegen::c99
