#pragma once

#include <string>

#include "codegen/athread/detail/c_names.h"
#include "codegen/athread/detail/file_names.h"
#include "codegen/athread/kernel_plan.h"
#include "codegen/athread/options.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen {

/// The struct that carries the arguments to the CPEs, and the prototype of the entry.
std::string header_file(const ir::Kernel& kernel, const KernelPlan& plan, const FileNames& files,
                        CNames& names, const AthreadOptions& options);
/// The entry: fills the struct, starts the CPEs and waits for them.
std::string mpe_file(const ir::Kernel& kernel, const KernelPlan& plan, const FileNames& files,
                     CNames& names, const AthreadOptions& options);

}  // namespace solway::codegen
