#pragma once

#include <string>

#include "lowering/ir/stmt.h"

namespace solway::codegen::c99 {

/// "static const float W[2] = {0.5f, 1.0f};" with a few elements per line.
std::string constant_definition(const ir::Constant& constant, const std::string& name);

/// "{0.5f, 1.0f};" of it. Needs <math.h>, <stdbool.h> and <stdint.h>.
std::string constant_elements(const ir::Constant& constant);

}  // namespace solway::codegen::c99
