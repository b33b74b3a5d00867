#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace solway {

/// Element types. Float16 is IEEE's binary16, BFloat16 the upper half of a Float32.
enum class DType : std::uint8_t {
  Bool,
  Int8,
  Int32,
  Int64,
  Float32,
  Float64,
  Int16,
  UInt8,
  Float16,
  BFloat16
};
inline constexpr DType kLastDType = DType::BFloat16;

/// NumPy's name: "float32"; "bfloat16".
std::string_view to_string(DType type);
/// The type of that name; nullopt for every other name.
std::optional<DType> try_dtype(std::string_view numpy_name);
int size_bytes(DType type);
bool is_float(DType type);
/// True for the integers; Bool is none.
bool is_integer(DType type);

/// The type in which values of `type` are computed: Float32 for the 16-bit floats and Int32 for
/// UInt8, which are only stored; itself for every other. Each of its operations rounded to, or cut
/// down to, `type` is the exact operation rounded once.
DType arithmetic_type(DType type);

/// `value` rounded to the nearest number of that float type, ties to even.
double rounded(double value, DType type);
/// `value` modulo the range of that integer type; 0 or 1 for Bool.
std::int64_t wrapped(std::int64_t value, DType type);
/// The least and the largest value of an integer type or Bool.
std::int64_t lowest(DType type);
std::int64_t largest(DType type);

/// The bits of the nearest Float16 and BFloat16, ties to even.
std::uint16_t float16_bits(double value);
std::uint16_t bfloat16_bits(double value);

}  // namespace solway
