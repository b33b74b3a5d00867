#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace solway::codegen::detail {

/// Makes `llvm.fma` of a vector product that only a vector sum uses, where both may be contracted:
/// what code generators of other machines do by themselves and that of the vector engine does not.
void fuse_products(llvm::Function& function);

}  // namespace solway::codegen::detail
