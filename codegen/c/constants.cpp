#include "codegen/c/constants.h"

#include <algorithm>
#include <cstring>

#include "codegen/c/expressions.h"
#include "codegen/c/helpers.h"

namespace solway::codegen::c99 {
namespace {

template <class T>
T element(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::string float_text(double value, DType type) {
  return c_literal(ir::FloatImm::make(value, type).as<ir::FloatImm>());
}

std::string integer_text(std::int64_t value, DType type) {
  return c_literal(ir::IntImm::make(value, type).as<ir::IntImm>());
}

std::string element_text(const std::byte* at, DType type) {
  switch (type) {
    case DType::Bool:
      return element<std::uint8_t>(at) != 0 ? "true" : "false";
    case DType::Int8:
      return integer_text(element<std::int8_t>(at), type);
    case DType::UInt8:
      return integer_text(element<std::uint8_t>(at), type);
    case DType::Int16:
      return integer_text(element<std::int16_t>(at), type);
    case DType::Int32:
      return integer_text(element<std::int32_t>(at), type);
    case DType::Int64:
      return integer_text(element<std::int64_t>(at), type);
    case DType::Float16:
    case DType::BFloat16:  // their bits
      return std::to_string(element<std::uint16_t>(at));
    case DType::Float32:
      return float_text(static_cast<double>(element<float>(at)), type);
    case DType::Float64:
      return float_text(element<double>(at), type);
  }
  return "";
}

}  // namespace

std::string constant_definition(const ir::Constant& constant, const std::string& name) {
  const ir::BufferNode& buffer = *constant.buffer;
  const std::int64_t count = std::max<std::int64_t>(1, buffer.num_elements());
  return "static const " + c_type(buffer.type) + " " + name + "[" + std::to_string(count) +
         "] = " + constant_elements(constant);
}

std::string constant_elements(const ir::Constant& constant) {
  constexpr std::int64_t kPerLine = 8;
  const ir::BufferNode& buffer = *constant.buffer;
  const std::int64_t count = buffer.num_elements();
  std::string text = "{";
  for (std::int64_t k = 0; k < count; ++k) {
    text += k % kPerLine == 0 ? "\n  " : " ";
    text += element_text(constant.values->data() + k * size_bytes(buffer.type), buffer.type) + ",";
  }
  return text + (count == 0 ? "0};\n" : "\n};\n");
}

}  // namespace solway::codegen::c99
