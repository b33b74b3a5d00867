#pragma once

#include "codegen/llvm/detail/vector_engine/engine.h"

namespace solway::codegen::detail {

/// Elements of 1 or 2 bytes, as the last bits of words; the bits above are any. The machine loads
/// words only: of each element the 8 bytes that it lies in, which begin at a multiple of 8, so that
/// nothing of another page is read. By a mask, where that is not null.
llvm::Value* load_bytes(Engine& e, llvm::Value* addresses, llvm::Value* mask);

/// Stores the last bits of words as neighbours of 1 or 2 bytes, as many as the length says, and
/// touches no byte beside them: four or two are one word where it is theirs alone, and at the ends
/// scalars store what is left.
void store_bytes(Engine& e, llvm::Value* held, llvm::Value* first, unsigned size_bytes);

}  // namespace solway::codegen::detail
