#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace solway {

/// Element types that programs may hold today. Bool is the type of conditions only.
enum class DType : std::uint8_t { Bool, Int8, Int32, Int64, Float32, Float64 };

/// NumPy's name: "float32".
std::string_view to_string(DType type);
/// The type of that NumPy name; nullopt for every other name.
std::optional<DType> try_dtype(std::string_view numpy_name);
int size_bytes(DType type);
bool is_float(DType type);
/// True for Int8, Int32 and Int64; Bool is not an integer.
bool is_integer(DType type);

}  // namespace solway
