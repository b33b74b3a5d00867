#include "driver/llvm_kernel.h"

#include "driver/linkable_files.h"
#include "driver/native_call.h"

namespace solway::driver {

std::map<std::string, std::string> LlvmKernel::sources() const {
  return {{kernel_.name + ".ll", code_.llvm_ir()}, {kernel_.name + ".s", code_.assembly()}};
}

std::map<std::string, std::string> LlvmKernel::libraries(const SourceLoc& where) const {
  return linkable_files(kernel_, options_, where);
}

RunReport LlvmKernel::run(std::span<void* const> arguments, const RunOptions&) {
  return call_native(code_.entry(), arguments);
}

}  // namespace solway::driver
