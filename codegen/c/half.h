#pragma once

#include <set>
#include <string>

#include "support/dtype.h"

/// 16-bit floats in C, which has none: an element is an `unsigned short` that holds the bits.
namespace solway::codegen {

/// The call that gives `text`, an expression of type `from`, as `to`; one of them is Float16 or
/// BFloat16, the other Float32 or Float64 (of which only `to` may be narrower). Adds the functions
/// that it calls to `used`. Results are the nearest, ties to even.
std::string half_cast(const std::string& text, DType from, DType to, std::set<std::string>& used);

/// "0x3c00", the bits of a literal.
std::string half_literal(double value, DType type);

/// Definitions of functions that half_cast names, in a fixed order.
std::string half_definitions(const std::set<std::string>& used);

}  // namespace solway::codegen
