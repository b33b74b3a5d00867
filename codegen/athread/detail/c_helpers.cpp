#include "codegen/athread/detail/c_helpers.h"

#include <map>

#include "support/error.h"

namespace solway::codegen {
namespace {

struct Scalar {
  const char* suffix;     ///< "i32"
  const char* type;       ///< "int"
  const char* unsigned_;  ///< "unsigned", for integers
  const char* f;          ///< "f", the suffix of libm's functions
};

constexpr Scalar kIntegers[] = {{"i32", "int", "unsigned", ""},
                                {"i64", "long", "unsigned long", ""}};
constexpr Scalar kFloats[] = {{"f32", "float", "", "f"}, {"f64", "double", "", ""}};

/// Definitions with @ for the suffix, $T for the type, $U for its unsigned type, $f for libm's
/// suffix; the key is the name without its suffix.
const std::map<std::string, const char*> kIntegerText = {
    {"add", "static inline $T add_@($T a, $T b) { return ($T)(($U)a + ($U)b); }\n"},
    {"sub", "static inline $T sub_@($T a, $T b) { return ($T)(($U)a - ($U)b); }\n"},
    {"mul", "static inline $T mul_@($T a, $T b) { return ($T)(($U)a * ($U)b); }\n"},
    {"neg", "static inline $T neg_@($T a) { return ($T)(0 - ($U)a); }\n"},
    {"abs", "static inline $T abs_@($T a) { return a < 0 ? ($T)(0 - ($U)a) : a; }\n"},
    {"min", "static inline $T min_@($T a, $T b) { return a < b ? a : b; }\n"},
    {"max", "static inline $T max_@($T a, $T b) { return a > b ? a : b; }\n"},
    {"floor_div",
     "/* Rounds towards minus infinity; a // 0 is 0. */\n"
     "static inline $T floor_div_@($T a, $T b) {\n"
     "  if (b == 0) return 0;\n"
     "  if (b == -1) return ($T)(0 - ($U)a);\n"
     "  return a / b - (a % b != 0 && (a < 0) != (b < 0));\n"
     "}\n"},
    {"mod",
     "/* Has the sign of b; a % 0 is 0. */\n"
     "static inline $T mod_@($T a, $T b) {\n"
     "  $T r = b == 0 || b == -1 ? 0 : a % b;\n"
     "  return r != 0 && (r < 0) != (b < 0) ? r + b : r;\n"
     "}\n"},
    {"remainder",
     "/* Has the sign of a; of 0 it is 0. */\n"
     "static inline $T remainder_@($T a, $T b) { return b == 0 || b == -1 ? 0 : a % b; }\n"},
    {"sign", "static inline $T sign_@($T a) { return (a > 0) - (a < 0); }\n"},
    {"shift_left",
     "static inline $T shift_left_@($T a, $T b) {\n"
     "  return b >= 0 && b < (int)sizeof a * 8 ? ($T)(($U)a << b) : 0;\n"
     "}\n"},
    {"shift_right",
     "static inline $T shift_right_@($T a, $T b) {\n"
     "  if (b < 0 || b >= (int)sizeof a * 8) return a < 0 ? -1 : 0;\n"
     "  return a < 0 ? ~(~a >> b) : a >> b;\n"
     "}\n"},
    {"pow",
     "/* Wraps; a negative exponent gives the power truncated towards zero. */\n"
     "static inline $T pow_@($T a, $T b) {\n"
     "  $U power = 1, square = ($U)a;\n"
     "  if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;\n"
     "  for (; b != 0; b /= 2) {\n"
     "    if (b % 2 != 0) power *= square;\n"
     "    square *= square;\n"
     "  }\n"
     "  return ($T)power;\n"
     "}\n"},
};

const std::map<std::string, const char*> kFloatText = {
    {"min",
     "/* NaN when either is. */\n"
     "static inline $T min_@($T a, $T b) { return a < b || a != a ? a : b; }\n"},
    {"max",
     "/* NaN when either is. */\n"
     "static inline $T max_@($T a, $T b) { return a > b || a != a ? a : b; }\n"},
    {"floor_div",
     "/* As numpy.floor_divide. */\n"
     "static inline $T floor_div_@($T a, $T b) {\n"
     "  $T r, q, whole;\n"
     "  if (b == 0) return a / b;\n"
     "  r = fmod$f(a, b);\n"
     "  q = (a - r) / b;\n"
     "  if (r != 0 && (r < 0) != (b < 0)) q -= 1;\n"
     "  if (q == 0) return copysign$f(0, a / b);\n"
     "  whole = floor$f(q);\n"
     "  return q - whole > ($T)0.5 ? whole + 1 : whole;\n"
     "}\n"},
    {"mod",
     "/* As numpy.remainder. */\n"
     "static inline $T mod_@($T a, $T b) {\n"
     "  $T r = fmod$f(a, b);\n"
     "  if (b == 0) return r;\n"
     "  if (r == 0) return copysign$f(0, b);\n"
     "  return (r < 0) != (b < 0) ? r + b : r;\n"
     "}\n"},
    {"sign", "static inline $T sign_@($T a) { return a > 0 ? 1 : a < 0 ? -1 : a != a ? a : 0; }\n"},
    {"sigmoid", "static inline $T sigmoid_@($T x) { return 1 / (1 + exp$f(-x)); }\n"},
};

/// Saturating; NaN gives 0. A float converts to double exactly.
const std::map<std::string, const char*> kCastText = {
    {"f64_to_i8",
     "static inline signed char f64_to_i8(double x) {\n"
     "  if (x != x) return 0;\n"
     "  return x <= -128.0 ? -128 : x >= 127.0 ? 127 : (signed char)x;\n"
     "}\n"},
    {"f64_to_u8",
     "static inline unsigned char f64_to_u8(double x) {\n"
     "  if (x != x) return 0;\n"
     "  return x <= 0.0 ? 0 : x >= 255.0 ? 255 : (unsigned char)x;\n"
     "}\n"},
    {"f64_to_i16",
     "static inline short f64_to_i16(double x) {\n"
     "  if (x != x) return 0;\n"
     "  return x <= -32768.0 ? -32768 : x >= 32767.0 ? 32767 : (short)x;\n"
     "}\n"},
    {"f64_to_i32",
     "static inline int f64_to_i32(double x) {\n"
     "  if (x != x) return 0;\n"
     "  return x <= -2147483648.0 ? -2147483647 - 1 : x >= 2147483647.0 ? 2147483647 : (int)x;\n"
     "}\n"},
    {"f64_to_i64",
     "static inline long f64_to_i64(double x) {\n"
     "  if (x != x) return 0;\n"
     "  if (x <= -9223372036854775808.0) return -9223372036854775807L - 1;\n"
     "  return x >= 9223372036854775808.0 ? 9223372036854775807L : (long)x;\n"
     "}\n"},
};

std::string fill(const char* text, const Scalar& scalar) {
  std::string out;
  for (const char* p = text; *p != 0; ++p) {
    if (*p == '@') {
      out += scalar.suffix;
    } else if (*p == '$') {
      ++p;
      out += *p == 'T' ? scalar.type : *p == 'U' ? scalar.unsigned_ : scalar.f;
    } else {
      out += *p;
    }
  }
  return out;
}

/// The definition; empty when there is none.
std::string definition(const std::string& name) {
  const auto cast = kCastText.find(name);
  if (cast != kCastText.end()) return cast->second;
  const std::size_t split = name.rfind('_');
  if (split == std::string::npos) return "";
  const std::string base = name.substr(0, split);
  const std::string suffix = name.substr(split + 1);
  for (const Scalar& scalar : kIntegers) {
    const auto it = kIntegerText.find(base);
    if (suffix == scalar.suffix && it != kIntegerText.end()) return fill(it->second, scalar);
  }
  for (const Scalar& scalar : kFloats) {
    const auto it = kFloatText.find(base);
    if (suffix == scalar.suffix && it != kFloatText.end()) return fill(it->second, scalar);
  }
  return "";
}

}  // namespace

bool is_c_helper(const std::string& name) { return !definition(name).empty(); }

std::string helper_definitions(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    const std::string one = definition(name);
    if (one.empty()) {
      throw InternalError({{}, "C helper '" + name + "'", "no definition is known", ""});
    }
    text += one;
  }
  return text;
}

}  // namespace solway::codegen
