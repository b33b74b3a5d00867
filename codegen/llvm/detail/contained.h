#pragma once

#include <functional>
#include <string>

namespace solway::codegen::detail {

/// Runs `work`, which calls LLVM, so that an error from which LLVM does not return (a register that
/// a code generator cannot store, an operation that it has no instruction for) ends only the work
/// and not the process. Gives LLVM's words for such an error, and "" when the work was done. Throws
/// what the work throws.
///
///   before: report_fatal_error("Can't store this register to stack slot")  -> exit(1)
///   after:  returns "Can't store this register to stack slot"
///
/// The work runs on a thread of its own. LLVM is built without exceptions, and says that throwing
/// one through it is dangerous; so a thread that LLVM ends stops where it is, and is left with its
/// memory. What the work uses must therefore be its own: it holds copies, and shared pointers of
/// what it gives back. The caller must hold no lock that the work takes.
std::string run_contained(std::function<void()> work);

}  // namespace solway::codegen::detail
