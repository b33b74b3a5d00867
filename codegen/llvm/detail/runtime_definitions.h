#pragma once

#include <set>
#include <string>

namespace llvm {
class Module;
}  // namespace llvm

namespace solway::codegen::detail {

/// Gives every function of runtime_symbols() that the module declares a body of its own, so that
/// the object needs nothing of solway: the C library's functions are called by their own names,
/// integer powers are a loop.
///
/// Needs: an optimised module. LLVM knows what `expf` does and must not get to evaluate or replace
/// calls of it, so these names come last.
void define_runtime(llvm::Module& module);

/// The C library's functions of memory and of threads that such an object may call; all others are
/// of libm.
const std::set<std::string>& libc_functions();

}  // namespace solway::codegen::detail
