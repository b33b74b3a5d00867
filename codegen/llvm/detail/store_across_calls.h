#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace solway::codegen::detail {

/// Keeps each vector that is needed after a call in memory of the stack, from which every use loads
/// it: calls keep no vector register of the vector engine, and its code generator, which cannot
/// store one to the stack by itself, ends there with an error. Gives whether it changed something.
///
///   before: %a = load <256 x double>, ptr %A; call double @fmod(...); fadd %a, ...
///   after:  %a = load <256 x double>, ptr %A; store %a, ptr %slot; call double @fmod(...)
///           %again = load <256 x double>, ptr %slot; fadd %again, ...
///
/// A call is also what its code generator makes one of: remainders and roots of scalars, and what
/// has halves. Each has a block of its own then, within which that generator would move it. Vectors
/// of equal lanes are no values that are kept, nor are masks of the first lanes: lower_vectors
/// makes them where they are used.
bool store_across_calls(llvm::Function& function);

}  // namespace solway::codegen::detail
