#include "codegen/c/helpers.h"

#include <utility>
#include <vector>

#include "codegen/c/half.h"
#include "support/error.h"

namespace solway::codegen::c99 {
namespace {

/// "i32", "f64": ends the names of helpers.
std::string suffix(DType type) {
  switch (type) {
    case DType::Bool:
      return "bool";
    case DType::Int8:
      return "i8";
    case DType::Int16:
      return "i16";
    case DType::Int32:
      return "i32";
    case DType::Int64:
      return "i64";
    case DType::UInt8:
      return "u8";
    case DType::Float32:
      return "f32";
    case DType::Float64:
      return "f64";
    case DType::Float16:
    case DType::BFloat16:
      break;
  }
  throw InternalError({{}, "C helper", "none computes " + std::string(to_string(type)), ""});
}

struct Helper {
  const char* operation;
  bool is_float;
  const char*
      text;  ///< @T type, @U unsigned type, @S suffix, @F suffix of math functions, @B bits,
             ///< @A and @Z least and largest value, @N and @L bounds of floats
};

/// A helper stands behind those that it calls.
constexpr Helper kHelpers[] = {
    {"add", false, "static @T sw_add_@S(@T a, @T b) {\n  return (@T)((@U)a + (@U)b);\n}\n"},
    {"sub", false, "static @T sw_sub_@S(@T a, @T b) {\n  return (@T)((@U)a - (@U)b);\n}\n"},
    {"mul", false, "static @T sw_mul_@S(@T a, @T b) {\n  return (@T)((@U)a * (@U)b);\n}\n"},
    {"neg", false, "static @T sw_neg_@S(@T a) {\n  return (@T)((@U)0 - (@U)a);\n}\n"},
    {"abs", false, "static @T sw_abs_@S(@T a) {\n  return a < 0 ? (@T)((@U)0 - (@U)a) : a;\n}\n"},
    {"floordiv", false,
     "static @T sw_floordiv_@S(@T a, @T b) {\n"
     "  if (b == 0) return 0;\n"
     "  if (b == -1) return (@T)((@U)0 - (@U)a);\n"
     "  return (@T)(a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0));\n}\n"},
    {"mod", false,
     "static @T sw_mod_@S(@T a, @T b) {\n"
     "  @T rest;\n"
     "  if (b == 0 || b == -1) return 0;\n"
     "  rest = (@T)(a % b);\n"
     "  return (@T)(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);\n}\n"},
    {"pow", false,
     "static @T sw_pow_@S(@T base, @T exponent) {\n"
     "  @U result = 1;\n"
     "  @U factor = (@U)base;\n"
     "  if (exponent < 0) {\n"
     "    if (base == 1) return 1;\n"
     "    if (base == -1) return (@T)(exponent % 2 == 0 ? 1 : -1);\n"
     "    return 0;\n"
     "  }\n"
     "  for (; exponent > 0; exponent = (@T)(exponent / 2)) {\n"
     "    if (exponent % 2 == 1) result *= factor;\n"
     "    factor *= factor;\n"
     "  }\n"
     "  return (@T)result;\n}\n"},
    {"min", false, "static @T sw_min_@S(@T a, @T b) {\n  return a < b ? a : b;\n}\n"},
    {"max", false, "static @T sw_max_@S(@T a, @T b) {\n  return a > b ? a : b;\n}\n"},
    {"fmod", false,
     "static @T sw_fmod_@S(@T a, @T b) {\n"
     "  return (@T)(b == 0 || b == -1 ? 0 : a % b);\n}\n"},
    {"shl", false,
     "static @T sw_shl_@S(@T a, @T b) {\n"
     "  return (@T)(b >= 0 && b < @B ? (@U)a << b : 0);\n}\n"},
    {"shr", false,
     "static @T sw_shr_@S(@T a, @T b) {\n"
     "  if (b < 0 || b >= @B) return (@T)(a < 0 ? -1 : 0);\n"
     "  return (@T)(a < 0 ? ~(~a >> b) : a >> b);\n}\n"},
    {"sign", false, "static @T sw_sign_@S(@T a) {\n  return (@T)((a > 0) - (a < 0));\n}\n"},
    {"from_f32", false,
     "static @T sw_from_f32_@S(float a) {\n"
     "  if (a != a) return 0;\n"
     "  if (a >= @Lf) return @Z;\n"
     "  return a < @Nf ? @A : (@T)a;\n}\n"},
    {"from_f64", false,
     "static @T sw_from_f64_@S(double a) {\n"
     "  if (a != a) return 0;\n"
     "  if (a >= @L) return @Z;\n"
     "  return a < @N ? @A : (@T)a;\n}\n"},
    {"min", true, "static @T sw_min_@S(@T a, @T b) {\n  return a < b || a != a ? a : b;\n}\n"},
    {"max", true, "static @T sw_max_@S(@T a, @T b) {\n  return a > b || a != a ? a : b;\n}\n"},
    {"mod", true,
     "static @T sw_mod_@S(@T a, @T b) {\n"
     "  @T rest = fmod@F(a, b);\n"
     "  if (b == 0) return rest;\n"
     "  if (rest == 0) return copysign@F(0, b);\n"
     "  return (b < 0) != (rest < 0) ? rest + b : rest;\n}\n"},
    {"floordiv", true,
     "static @T sw_floordiv_@S(@T a, @T b) {\n"
     "  @T rest = fmod@F(a, b);\n"
     "  @T quotient = (a - rest) / b;\n"
     "  @T down;\n"
     "  if (b == 0) return a / b;\n"
     "  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;\n"
     "  if (quotient == 0) return copysign@F(0, a / b);\n"
     "  down = floor@F(quotient);\n"
     "  return quotient - down > (@T)0.5 ? down + 1 : down;\n}\n"},
    {"sign", true,
     "static @T sw_sign_@S(@T a) {\n  return a > 0 ? 1 : a < 0 ? -1 : a != a ? a : 0;\n}\n"},
    {"rsqrt", true, "static @T sw_rsqrt_@S(@T a) {\n  return 1 / sqrt@F(a);\n}\n"},
    {"sigmoid", true, "static @T sw_sigmoid_@S(@T a) {\n  return 1 / (1 + exp@F(-a));\n}\n"},
};

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string instantiate(const Helper& helper, DType type) {
  const std::string bits = std::to_string(8 * size_bytes(type));
  const bool is_unsigned = type == DType::UInt8;
  const std::string name = (is_unsigned ? "UINT" : "INT") + bits;
  // Narrow types are computed in 32 bits: narrower unsigned operands would be promoted to int.
  const std::string wide = type == DType::Int64 ? "uint64_t" : "uint32_t";
  // One past the largest value; the least one.
  const std::string limit =
      is_unsigned      ? "256.0"
      : is_float(type) ? ""
                       : std::to_string(std::uint64_t{1} << (8 * size_bytes(type) - 1)) + ".0";
  std::string text = helper.text;
  text = replace_all(text, "@T", c_type(type));
  text = replace_all(text, "@U", wide);
  text = replace_all(text, "@S", suffix(type));
  text = replace_all(text, "@F", type == DType::Float32 ? "f" : "");
  text = replace_all(text, "@L", limit);
  text = replace_all(text, "@N", is_unsigned ? "0.0" : "-" + limit);
  text = replace_all(text, "@A", is_unsigned ? "0" : name + "_MIN");
  text = replace_all(text, "@Z", name + "_MAX");
  return replace_all(text, "@B", bits);
}

std::string name_of(const std::string& operation, DType type) {
  return "sw_" + operation + "_" + suffix(type);
}

}  // namespace

std::string c_type(DType type) {
  switch (type) {
    case DType::Bool:
      return "bool";
    case DType::Int8:
      return "int8_t";
    case DType::Int16:
      return "int16_t";
    case DType::UInt8:
      return "uint8_t";
    case DType::Float16:
    case DType::BFloat16:
      return "uint16_t";
    case DType::Int32:
      return "int32_t";
    case DType::Int64:
      return "int64_t";
    case DType::Float32:
      return "float";
    case DType::Float64:
      return "double";
  }
  return "";
}

std::string CHelpers::use(const std::string& operation, DType type) {
  for (const Helper& helper : kHelpers) {
    if (helper.operation == operation && helper.is_float == is_float(type)) {
      return *used_.insert(name_of(operation, type)).first;
    }
  }
  throw InternalError({{},
                       "C helper '" + operation + "'",
                       "there is none for " + std::string(to_string(type)),
                       ""});
}

std::string CHelpers::half(const std::string& text, DType from, DType to) {
  return half_cast(text, from, to, halves_);
}

std::string CHelpers::definitions() const {
  std::string text = half_definitions(halves_);
  if (!text.empty()) text += "\n";
  for (const DType type : {DType::UInt8, DType::Int8, DType::Int16, DType::Int32, DType::Int64,
                           DType::Float32, DType::Float64}) {
    for (const Helper& helper : kHelpers) {
      if (helper.is_float != is_float(type)) continue;
      if (used_.count(name_of(helper.operation, type)) == 0) continue;
      text += instantiate(helper, type) + "\n";
    }
  }
  return text;
}

}  // namespace solway::codegen::c99
