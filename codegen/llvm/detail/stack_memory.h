#pragma once

#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "codegen/llvm/detail/expr_emitter.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen::detail {

/// Allocates and binds the buffers that a function has on its stack, where `entry` stands. Vectors
/// of a buffer of scalable ones are each on their own where all accesses in `body` have constant
/// indices, so that registers can take their places.
void bind_stack(llvm::IRBuilder<>& entry, const std::vector<ir::Buffer>& buffers,
                const ir::Stmt& body, Bindings& bindings);

}  // namespace solway::codegen::detail
