#include "codegen/c/half.h"

#include <cstdio>

namespace solway::codegen {
namespace {

struct Function {
  const char* name;
  const char* text;
};

constexpr Function kFunctions[] = {
    {"sw_f32_from_f16",
     "static inline float sw_f32_from_f16(unsigned short h) {\n"
     "  union { unsigned int u; float f; } v;\n"
     "  unsigned int rest = (h & 0x7fffu) << 13;\n"
     "  v.u = rest;\n"
     "  v.f *= 5192296858534827628530496329220096.0f; /* 2^112 */\n"
     "  if (rest >= 0x0f800000u) v.u = rest | 0x7f800000u;\n"
     "  v.u |= (h & 0x8000u) << 16;\n"
     "  return v.f;\n"
     "}\n"},
    {"sw_f32_from_bf16",
     "static inline float sw_f32_from_bf16(unsigned short h) {\n"
     "  union { unsigned int u; float f; } v;\n"
     "  v.u = (unsigned int)h << 16;\n"
     "  return v.f;\n"
     "}\n"},
    {"sw_f16_from_f32",
     "/* To the nearest, ties to even. */\n"
     "static inline unsigned short sw_f16_from_f32(float x) {\n"
     "  union { unsigned int u; float f; } v;\n"
     "  unsigned int sign;\n"
     "  v.f = x;\n"
     "  sign = v.u & 0x80000000u;\n"
     "  v.u ^= sign;\n"
     "  if (v.u >= 0x47800000u) {\n"
     "    v.u = v.u > 0x7f800000u ? 0x7e00u : 0x7c00u;\n"
     "  } else if (v.u < 0x38800000u) {\n"
     "    v.f += 0.5f; /* rounds to the units of small numbers */\n"
     "    v.u -= 0x3f000000u;\n"
     "  } else {\n"
     "    v.u = (v.u - 0x37fff001u + ((v.u >> 13) & 1u)) >> 13;\n"
     "  }\n"
     "  return (unsigned short)(v.u | sign >> 16);\n"
     "}\n"},
    {"sw_bf16_from_f32",
     "/* To the nearest, ties to even. */\n"
     "static inline unsigned short sw_bf16_from_f32(float x) {\n"
     "  union { unsigned int u; float f; } v;\n"
     "  v.f = x;\n"
     "  if (x != x) return (unsigned short)(v.u >> 16 | 0x40u);\n"
     "  return (unsigned short)((v.u + 0x7fffu + ((v.u >> 16) & 1u)) >> 16);\n"
     "}\n"},
    {"sw_f32_to_odd",
     "/* An inexact result has an odd last bit, so that rounding it once more is exact. */\n"
     "static inline float sw_f32_to_odd(double x) {\n"
     "  union { unsigned int u; float f; } v;\n"
     "  v.f = (float)x;\n"
     "  if ((double)v.f == x || x != x) return v.f;\n"
     "  if (x < 0 ? (double)v.f < x : (double)v.f > x) v.u -= 1;\n"
     "  v.u |= 1;\n"
     "  return v.f;\n"
     "}\n"},
};

std::string call(const std::string& name, const std::string& text, std::set<std::string>& used) {
  used.insert(name);
  return name + "(" + text + ")";
}

std::string suffix(DType type) { return type == DType::Float16 ? "f16" : "bf16"; }

}  // namespace

std::string half_cast(const std::string& text, DType from, DType to, std::set<std::string>& used) {
  if (to == DType::Float32) return call("sw_f32_from_" + suffix(from), text, used);
  const bool is_double = from == DType::Float64;
  const std::string single = is_double ? call("sw_f32_to_odd", text, used) : text;
  return call("sw_" + suffix(to) + "_from_f32", single, used);
}

std::string half_literal(double value, DType type) {
  const int bits = type == DType::Float16 ? float16_bits(value) : bfloat16_bits(value);
  char digits[8];
  std::snprintf(digits, sizeof digits, "0x%04x", static_cast<unsigned>(bits));
  return digits;
}

std::string half_definitions(const std::set<std::string>& used) {
  std::string text;
  for (const Function& function : kFunctions) {
    if (used.count(function.name) != 0) text += function.text;
  }
  return text;
}

}  // namespace solway::codegen
