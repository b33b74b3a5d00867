#pragma once

#include <llvm/IR/Module.h>

#include "emulator/worker/detail/hooks.h"

namespace solway::emulator {

/// Before each call of the C library that needs an operating system, which CPEs have none of, a
/// call that fails. What only computes (`math.h`, `string.h`), allocates memory or prints is left.
///
///   before: %id = call i32 @fork()
///   after:  call void @__solway_no_system(ptr @"fork");  %id = call i32 @fork()
///
/// Needs: everything that CPE code defines.
void refuse_system_calls(llvm::Module& cpe);

/// What `refuse_system_calls` calls, and functions that would make another process of the one that
/// emulates all, or act on others: they fail on both sides.
Symbols process_symbols();

}  // namespace solway::emulator
