#pragma once

#include <llvm/IR/Function.h>

namespace solway::codegen::detail {

/// Puts sums of float32 that loops carry into the two halves of one register, where both are
/// computed alike: one instruction adds products to 512 lanes.
///
///   before: %p = phi [%p.in], [%p.out]; %q = phi [%q.in], [%q.out]      <256 x float>
///           %p.out = fma %a, %x, %p;    %q.out = fma %b, %x, %q
///   after:  %pq = phi [concat %p.in, %q.in], [%pq.out]                  <512 x float>
///           %pq.out = fma (concat %a, %b), (concat %x, %x), %pq
///
/// Only where fewer instructions are left in the loop.
/// Needs: repeated numbers in LLVM's form (see expand_operations).
void pack_pairs(llvm::Function& function);

}  // namespace solway::codegen::detail
