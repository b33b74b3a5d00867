#include "codegen/llvm/runtime_symbols.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "runtime/large_memory.h"

namespace solway::codegen {
namespace {

std::int64_t integer_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return 0;
  }
  std::uint64_t result = 1;
  std::uint64_t square = static_cast<std::uint64_t>(base);
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result *= square;
    square *= square;
  }
  return static_cast<std::int64_t>(result);
}

using F32 = float (*)(float);
using F64 = double (*)(double);
using F32Pair = float (*)(float, float);
using F64Pair = double (*)(double, double);

template <class Function>
void* address_of(Function function) {
  return reinterpret_cast<void*>(function);
}

struct Math {
  const char* name;
  F32 f32;
  F64 f64;
};

struct MathOfTwo {
  const char* name;
  F32Pair f32;
  F64Pair f64;
};

std::vector<RuntimeSymbol> make_symbols() {
  static constexpr Math kMath[] = {
      {"exp", ::expf, ::exp},       {"log", ::logf, ::log},       {"tanh", ::tanhf, ::tanh},
      {"erf", ::erff, ::erf},       {"sin", ::sinf, ::sin},       {"cos", ::cosf, ::cos},
      {"tan", ::tanf, ::tan},       {"asin", ::asinf, ::asin},    {"acos", ::acosf, ::acos},
      {"atan", ::atanf, ::atan},    {"sinh", ::sinhf, ::sinh},    {"cosh", ::coshf, ::cosh},
      {"asinh", ::asinhf, ::asinh}, {"acosh", ::acoshf, ::acosh}, {"atanh", ::atanhf, ::atanh},
      {"exp2", ::exp2f, ::exp2},    {"expm1", ::expm1f, ::expm1}, {"log2", ::log2f, ::log2},
      {"log10", ::log10f, ::log10}, {"log1p", ::log1pf, ::log1p}, {"cbrt", ::cbrtf, ::cbrt}};
  static constexpr MathOfTwo kMathOfTwo[] = {{"pow", ::powf, ::pow},
                                             {"fmod", ::fmodf, ::fmod},
                                             {"atan2", ::atan2f, ::atan2},
                                             {"hypot", ::hypotf, ::hypot}};
  static constexpr Math kLibrary[] = {{"floor", ::floorf, ::floor},
                                      {"ceil", ::ceilf, ::ceil},
                                      {"rint", ::rintf, ::rint},
                                      {"trunc", ::truncf, ::trunc}};
  std::vector<RuntimeSymbol> symbols;
  for (const Math& math : kMath) {
    symbols.push_back({math_symbol(math.name, DType::Float32), address_of(math.f32)});
    symbols.push_back({math_symbol(math.name, DType::Float64), address_of(math.f64)});
  }
  // Called by the code generator where the cpu has no instruction.
  for (const Math& math : kLibrary) {
    symbols.push_back({std::string(math.name) + "f", address_of(math.f32)});
    symbols.push_back({math.name, address_of(math.f64)});
  }
  for (const MathOfTwo& math : kMathOfTwo) {
    symbols.push_back({math_symbol(math.name, DType::Float32), address_of(math.f32)});
    symbols.push_back({math_symbol(math.name, DType::Float64), address_of(math.f64)});
  }
  symbols.push_back({"memcpy", address_of(::memcpy)});
  symbols.push_back({"memmove", address_of(::memmove)});
  symbols.push_back({"memset", address_of(::memset)});
  symbols.push_back({kIntegerPower, address_of(integer_power)});
  symbols.push_back({kAllocate, address_of(runtime::allocate)});
  symbols.push_back({kFree, address_of(::free)});
  std::sort(symbols.begin(), symbols.end(),
            [](const RuntimeSymbol& a, const RuntimeSymbol& b) { return a.name < b.name; });
  return symbols;
}

}  // namespace

const std::vector<RuntimeSymbol>& runtime_symbols() {
  static const std::vector<RuntimeSymbol> kSymbols = make_symbols();
  return kSymbols;
}

std::string math_symbol(const std::string& function, DType type) {
  return "solway_" + function + (type == DType::Float32 ? "_f32" : "_f64");
}

}  // namespace solway::codegen
