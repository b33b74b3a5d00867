#include "driver/llvm_kernel.h"

#include "driver/native_call.h"

namespace solway::driver {

std::map<std::string, std::string> LlvmKernel::sources() const {
  return {{name_ + ".ll", code_.llvm_ir()}, {name_ + ".s", code_.assembly()}};
}

RunReport LlvmKernel::run(std::span<void* const> arguments, const RunOptions&) {
  return call_native(code_.entry(), arguments);
}

}  // namespace solway::driver
