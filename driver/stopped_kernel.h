#pragma once

#include <map>
#include <span>
#include <string>

#include "driver/executable.h"
#include "lowering/ir/stmt.h"

namespace solway::driver {

/// A kernel of which no code was generated, because some pass was to be the last: its source is the
/// loop IR.
class StoppedKernel final : public Executable {
 public:
  StoppedKernel(const ir::Kernel& kernel, std::string pass, SourceLoc where);

  /// "<name>.ir", the loop IR.
  std::map<std::string, std::string> sources() const override;
  /// Both throw UnsupportedError.
  void prepare() override;
  bool has_threads() const override { return true; }  // it never runs
  RunReport run(std::span<void* const> arguments, const RunOptions& options) override;

 private:
  std::string name_, text_, pass_;
  SourceLoc where_;
};

}  // namespace solway::driver
