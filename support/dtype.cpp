#include "support/dtype.h"

#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "support/error.h"

namespace solway {
namespace {

[[noreturn]] void throw_not_a_type(DType type) {
  throw InternalError({{}, "no such DType", "value " + std::to_string(static_cast<int>(type)), ""});
}

/// Rounds to a float with `digits` significant bits whose least normal exponent is `least` (the
/// number is f * 2^e with 0.5 <= |f| < 1) and whose numbers lie below 2^past.
double rounded_to(double value, int digits, int least, int past) {
  if (!std::isfinite(value) || value == 0) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int unit = std::max(exponent, least) - digits;
  // The scaled value is at most 2^digits: exact, and nearbyint rounds ties to even.
  const double out = std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
  return std::abs(out) >= std::ldexp(1.0, past)
             ? std::copysign(std::numeric_limits<double>::infinity(), value)
             : out;
}

}  // namespace

std::string_view to_string(DType type) {
  switch (type) {
    case DType::Bool:
      return "bool";
    case DType::Int8:
      return "int8";
    case DType::Int16:
      return "int16";
    case DType::Int32:
      return "int32";
    case DType::Int64:
      return "int64";
    case DType::UInt8:
      return "uint8";
    case DType::Float16:
      return "float16";
    case DType::BFloat16:
      return "bfloat16";
    case DType::Float32:
      return "float32";
    case DType::Float64:
      return "float64";
  }
  throw_not_a_type(type);
}

std::optional<DType> try_dtype(std::string_view numpy_name) {
  for (int k = 0; k <= static_cast<int>(kLastDType); ++k) {
    if (to_string(static_cast<DType>(k)) == numpy_name) return static_cast<DType>(k);
  }
  return std::nullopt;
}

int size_bytes(DType type) {
  switch (type) {
    case DType::Bool:
    case DType::Int8:
    case DType::UInt8:
      return 1;
    case DType::Int16:
    case DType::Float16:
    case DType::BFloat16:
      return 2;
    case DType::Int32:
    case DType::Float32:
      return 4;
    case DType::Int64:
    case DType::Float64:
      return 8;
  }
  throw_not_a_type(type);
}

bool is_float(DType type) {
  return type == DType::Float32 || type == DType::Float64 || type == DType::Float16 ||
         type == DType::BFloat16;
}

bool is_integer(DType type) { return type != DType::Bool && !is_float(type); }

DType arithmetic_type(DType type) {
  if (type == DType::Float16 || type == DType::BFloat16) return DType::Float32;
  return type == DType::UInt8 ? DType::Int32 : type;
}

double rounded(double value, DType type) {
  if (type == DType::Float32) return static_cast<double>(static_cast<float>(value));
  if (type == DType::Float16) return rounded_to(value, 11, -13, 16);
  if (type == DType::BFloat16) return rounded_to(value, 8, -125, 128);
  return value;
}

std::int64_t lowest(DType type) {
  if (type == DType::Bool || type == DType::UInt8) return 0;
  return -largest(type) - 1;
}

std::int64_t largest(DType type) {
  if (type == DType::Bool) return 1;
  if (type == DType::UInt8) return 255;
  return static_cast<std::int64_t>((std::uint64_t{1} << (8 * size_bytes(type) - 1)) - 1);
}

std::int64_t wrapped(std::int64_t value, DType type) {
  switch (type) {
    case DType::Bool:
      return value != 0 ? 1 : 0;
    case DType::Int8:
      return static_cast<std::int8_t>(value);
    case DType::UInt8:
      return static_cast<std::uint8_t>(value);
    case DType::Int16:
      return static_cast<std::int16_t>(value);
    case DType::Int32:
      return static_cast<std::int32_t>(value);
    case DType::Int64:
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32:
    case DType::Float64:
      return value;
  }
  return value;
}

std::uint16_t float16_bits(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00);
  const double magnitude = std::abs(rounded(value, DType::Float16));
  if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | 0x7c00);
  const double unit = std::ldexp(1.0, -24);  // of the smallest numbers
  if (magnitude < 1024 * unit) {
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(magnitude / unit));
  }
  int exponent = 0;
  const double fraction = std::frexp(magnitude, &exponent);  // in [0.5, 1)
  const auto digits = static_cast<std::uint16_t>(std::ldexp(fraction, 11));
  return static_cast<std::uint16_t>(sign | ((exponent + 14) << 10) | (digits & 0x3ff));
}

std::uint16_t bfloat16_bits(double value) {
  const auto bits =
      std::bit_cast<std::uint32_t>(static_cast<float>(rounded(value, DType::BFloat16)));
  if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16) | 0x40);
  return static_cast<std::uint16_t>(bits >> 16);
}

}  // namespace solway
