#pragma once

#include <string>
#include <vector>

#include "support/dtype.h"

namespace solway::codegen {

/// A function that generated code calls.
struct RuntimeSymbol {
  std::string name;
  void* address = nullptr;
};

/// All of them: math functions under names of our own (see `math_symbol`), which LLVM does not
/// know and so never replaces, memory, and the C library functions that LLVM's code generator calls
/// by itself. In order of name.
const std::vector<RuntimeSymbol>& runtime_symbols();

/// Our name of a C math function: "solway_exp_f32" for expf.
std::string math_symbol(const std::string& function, DType type);

/// Name of `int64 power(int64 base, int64 exponent)`: wraps; a negative exponent gives the power
/// truncated towards zero, 0 for base 0. Narrower integers use it and truncate.
inline constexpr const char* kIntegerPower = "solway_pow_i64";
/// Names of C's aligned_alloc and free.
inline constexpr const char* kAllocate = "solway_aligned_alloc";
inline constexpr const char* kFree = "solway_free";

}  // namespace solway::codegen
