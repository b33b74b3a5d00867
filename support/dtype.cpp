#include "support/dtype.h"

#include "support/error.h"

namespace solway {
namespace {

constexpr DType kAllTypes[] = {DType::Bool,  DType::Int8,    DType::Int32,
                               DType::Int64, DType::Float32, DType::Float64};

[[noreturn]] void throw_not_a_type(DType type) {
  throw InternalError({{}, "no such DType", "value " + std::to_string(static_cast<int>(type)), ""});
}

}  // namespace

std::string_view to_string(DType type) {
  switch (type) {
    case DType::Bool:
      return "bool";
    case DType::Int8:
      return "int8";
    case DType::Int32:
      return "int32";
    case DType::Int64:
      return "int64";
    case DType::Float32:
      return "float32";
    case DType::Float64:
      return "float64";
  }
  throw_not_a_type(type);
}

std::optional<DType> try_dtype(std::string_view numpy_name) {
  for (const DType type : kAllTypes) {
    if (to_string(type) == numpy_name) return type;
  }
  return std::nullopt;
}

int size_bytes(DType type) {
  switch (type) {
    case DType::Bool:
    case DType::Int8:
      return 1;
    case DType::Int32:
    case DType::Float32:
      return 4;
    case DType::Int64:
    case DType::Float64:
      return 8;
  }
  throw_not_a_type(type);
}

bool is_float(DType type) { return type == DType::Float32 || type == DType::Float64; }

bool is_integer(DType type) {
  return type == DType::Int8 || type == DType::Int32 || type == DType::Int64;
}

}  // namespace solway
