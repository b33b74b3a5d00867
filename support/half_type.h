#pragma once

#include "support/dtype.h"

namespace solway {

/// True for the 16-bit floats, which are stored, and widened to Float32 to be computed with.
inline bool is_half(DType type) { return type == DType::Float16 || type == DType::BFloat16; }

}  // namespace solway
