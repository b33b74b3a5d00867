#pragma once

#include <llvm/IR/Instructions.h>

#include "codegen/llvm/detail/vector_engine/engine.h"

namespace solway::codegen::detail {

/// Of conversions between float32, float64, int32, int64 and conditions, and of bitcasts.
llvm::Value* lower_conversion(Engine& e, llvm::CastInst& conversion);

}  // namespace solway::codegen::detail
