#pragma once

#include <string>

#include "codegen/athread/detail/c_names.h"
#include "codegen/athread/detail/file_names.h"
#include "codegen/athread/kernel_plan.h"
#include "codegen/athread/options.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen {

/// The file for the slave compiler: LDM buffers, the parameters read once, the loops.
std::string cpe_file(const ir::Kernel& kernel, const KernelPlan& plan, const FileNames& files,
                     CNames& names, const AthreadOptions& options);

}  // namespace solway::codegen
