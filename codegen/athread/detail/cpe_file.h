#pragma once

#include <string>

#include "codegen/athread/detail/c_names.h"
#include "codegen/athread/detail/file_names.h"
#include "codegen/athread/kernel_plan.h"
#include "codegen/athread/options.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen {

/// What the computing cores run.
struct CpeFiles {
  std::string c;         ///< LDM buffers, the parameters read once, the loops
  std::string assembly;  ///< of micro-kernels that it calls; empty: there is none
};

CpeFiles cpe_files(const ir::Kernel& kernel, const KernelPlan& plan, const FileNames& files,
                   CNames& names, const AthreadOptions& options);

}  // namespace solway::codegen
