#pragma once

#include <llvm/IR/Function.h>

namespace solway::codegen::detail {

/// Replaces vectors of 256 lanes by registers of SX-Aurora's vector engine, and what is computed
/// with them by its instructions, each of the length that is used. LLVM's own code generator has
/// these for a few operations only.
///
///   before: %x = load <256 x float>, ptr %a          after: %x = vldu(4, %a, 256)
///           %m = fcmp olt <256 x float> %x, zero            %m = vfmks.lt(%x, 256)
///           %y = select %m, zero, %x                        %y = vmrg(%x, zero, %m, 256)
///
/// Needs: no such vector is live across a call (see store_across_calls). Throws InternalError
/// where there is no form.
void lower_vectors(llvm::Function& function);

}  // namespace solway::codegen::detail
