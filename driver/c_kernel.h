#pragma once

#include <memory>
#include <mutex>

#include "driver/executable.h"
#include "driver/native_call.h"
#include "driver/native_library.h"
#include "lowering/ir/stmt.h"

namespace solway::driver {

/// A kernel as portable C, compiled by the system's compiler at the first call.
class CKernel final : public Executable {
 public:
  /// `source` is what emit_c() made of `kernel`; `makefile`, unless empty, goes with it.
  CKernel(const ir::Kernel& kernel, std::string source, std::string makefile, SourceLoc where);

  std::map<std::string, std::string> sources() const override;
  void prepare() override;
  RunReport run(std::span<void* const> arguments, const RunOptions& options) override;

 private:
  std::string name_;
  std::string source_;
  std::string makefile_;
  std::string entry_source_;  ///< a function of one signature for all kernels
  SourceLoc where_;
  std::mutex mutex_;  ///< of the library
  std::unique_ptr<NativeLibrary> library_;
};

}  // namespace solway::driver
