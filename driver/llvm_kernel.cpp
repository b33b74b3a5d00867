#include "driver/llvm_kernel.h"

#include <chrono>
#include <vector>

#include "driver/linkable_files.h"
#include "driver/native_call.h"
#include "driver/thread_count.h"
#include "runtime/pool.h"

namespace solway::driver {

std::map<std::string, std::string> LlvmKernel::sources() const {
  return {{kernel_.name + ".ll", code_.llvm_ir()}, {kernel_.name + ".s", code_.assembly()}};
}

std::map<std::string, std::string> LlvmKernel::libraries(codegen::ParallelForm parallel,
                                                         const SourceLoc& where) const {
  codegen::LlvmOptions options = options_;
  options.parallel = parallel;
  return linkable_files(kernel_, options, where);
}

RunReport LlvmKernel::run(std::span<void* const> arguments, const RunOptions& options) {
  if (!code_.is_on_team()) return call_native(code_.entry(), arguments);
  std::vector<void*> pointers(arguments.begin(), arguments.end());
  const int wanted = options.threads == 0 ? threads_of_environment({}) : options.threads;
  runtime::TeamLease lease(wanted);
  const auto start = std::chrono::steady_clock::now();
  const std::int32_t status = code_.team_entry()(pointers.data(), lease.team());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return {status, seconds.count(), std::nullopt, lease.threads()};
}

}  // namespace solway::driver
