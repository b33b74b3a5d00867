#pragma once

#include <llvm/IR/Function.h>

namespace solway::codegen::detail {

/// Computes with integers of 1 and 2 bytes, vectors of 256 lanes, in int32: the vector engine has
/// no others. Only loads, stores and conversions of them are left.
///
///   before: %z = add <256 x i8> %x, %y       after: %a = zext %x to int32, %b = zext %y to int32
///           %m = icmp slt %z, zero                  %w = add %a, %b
///                                                   %m = icmp slt (sext (trunc %w)), zero
///
/// Throws InternalError of what has no such form.
void compute_in_words(llvm::Function& function);

}  // namespace solway::codegen::detail
