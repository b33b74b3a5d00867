#include "codegen/athread/emit_athread.h"

#include <set>
#include <utility>

#include "codegen/athread/detail/c_names.h"
#include "codegen/athread/detail/cpe_file.h"
#include "codegen/athread/detail/dialect.h"
#include "codegen/athread/detail/file_names.h"
#include "codegen/athread/detail/kernel_toml.h"
#include "codegen/athread/detail/mpe_file.h"
#include "codegen/athread/kernel_plan.h"
#include "support/error.h"

namespace solway::codegen {

std::map<std::string, std::string> emit_athread(const ir::Kernel& kernel,
                                                const AthreadOptions& options, Remarks* remarks) {
  const Dialect& dialect = Dialect::of(options.machine);
  if (is_reserved_in_c(kernel.name)) {
    throw UnsupportedError(
        {kernel.where,
         "a kernel named '" + kernel.name + "' is not supported in " + dialect.language(),
         "C or the interface of a machine already uses this word", "build it with another name="});
  }
  FileNames files{kernel.name, dialect.core_suffix(), false};
  const KernelPlan plan = plan_kernel(kernel, options);
  if (remarks != nullptr) {
    remarks->insert(remarks->end(), plan.remarks.begin(), plan.remarks.end());
  }
  std::set<std::string> taken{kernel.name, files.args_type(), files.core_function()};
  if (options.network) taken.insert(options.near_block());
  CNames names(plan.names, taken);
  std::map<std::string, std::string> out;
  out[files.header()] = header_file(kernel, plan, files, names, options);
  out[files.manager()] = mpe_file(kernel, plan, files, names, options);
  CpeFiles cores = cpe_files(kernel, plan, files, names, options);
  out[files.core()] = std::move(cores.c);
  files.has_kernels = !cores.assembly.empty();
  if (files.has_kernels) out[files.kernels()] = std::move(cores.assembly);
  if (options.network) return out;
  out["kernel.toml"] =
      kernel_toml({kernel.name, options.machine, {files.manager()}, files.cores(), kernel.params});
  out["Makefile"] = dialect.makefile(files);
  return out;
}

}  // namespace solway::codegen
