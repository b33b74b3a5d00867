#include "driver/stopped_kernel.h"

#include <utility>

#include "lowering/ir/printer.h"
#include "support/error.h"

namespace solway::driver {

StoppedKernel::StoppedKernel(const ir::Kernel& kernel, std::string pass, SourceLoc where)
    : name_(kernel.name),
      text_(ir::to_string(kernel)),
      pass_(std::move(pass)),
      where_(std::move(where)) {}

std::map<std::string, std::string> StoppedKernel::sources() const {
  return {{name_ + ".ir", text_}};
}

void StoppedKernel::prepare() {
  throw UnsupportedError({where_, "kernel '" + name_ + "' has no code",
                          "its build stopped after pass '" + pass_ + "'",
                          "build it without stop_after (SOLWAY_STOP_AFTER)"});
}

RunReport StoppedKernel::run(std::span<void* const> /*arguments*/, const RunOptions& /*options*/) {
  prepare();
  return {};
}

}  // namespace solway::driver
