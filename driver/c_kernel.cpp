#include "driver/c_kernel.h"

#include <utility>

namespace solway::driver {
namespace {

std::string entry_name(const std::string& kernel) { return kernel + "_entry"; }

/// `int32_t <name>_entry(void** <name>_args)`: no parameter has the name of the kernel.
std::string entry_source(const ir::Kernel& kernel) {
  const std::string args = kernel.name + "_args";
  std::string out = "\nint32_t " + entry_name(kernel.name) + "(void** " + args + ") {\n  return " +
                    kernel.name + "(";
  for (std::size_t k = 0; k < kernel.params.size(); ++k) {
    out += (k == 0 ? "" : ", ") + args + "[" + std::to_string(k) + "]";
  }
  return out + ");\n}\n";
}

}  // namespace

CKernel::CKernel(const ir::Kernel& kernel, std::string source, std::string makefile,
                 SourceLoc where)
    : name_(kernel.name),
      source_(std::move(source)),
      makefile_(std::move(makefile)),
      entry_source_(entry_source(kernel)),
      where_(std::move(where)) {}

std::map<std::string, std::string> CKernel::sources() const {
  std::map<std::string, std::string> out = {{name_ + ".c", source_}};
  if (!makefile_.empty()) out["Makefile"] = makefile_;
  return out;
}

void CKernel::prepare() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!library_) library_ = std::make_unique<NativeLibrary>(source_ + entry_source_, where_);
}

RunReport CKernel::run(std::span<void* const> arguments, const RunOptions&) {
  prepare();
  return call_native(reinterpret_cast<NativeEntry>(library_->symbol(entry_name(name_))), arguments);
}

}  // namespace solway::driver
