#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codegen/llvm/options.h"
#include "emulator/emulator.h"
#include "support/source_loc.h"

namespace solway::driver {

/// How one call runs. Of these, machine code of this machine has `threads` only.
struct RunOptions {
  std::uint64_t seed = 0;  ///< of an emulated machine: order of cores and of landings
  emulator::Landing landing = emulator::Landing::AtWait;
  double seconds = 600;  ///< wall time of an emulated run, then it is ended
  emulator::Mode mode = emulator::Mode::Functional;
  /// What each array of this call holds, where sizes decide that; empty: its whole shape.
  std::vector<std::int64_t> argument_bytes{};
  /// At most so many run the parallel loops; 0: as SOLWAY_THREADS says, else one per core.
  int threads = 0;
};

/// What one call did.
struct RunReport {
  std::int32_t status = 0;  ///< 0 when done, else what the generated code documents
  double seconds = 0;       ///< wall time of the generated code
  std::optional<emulator::RunResult> emulated;
  int threads = 1;  ///< that ran it, of machine code of this machine
};

/// Generated or hand-written code that can be called.
class Executable {
 public:
  virtual ~Executable() = default;

  /// The source files by name.
  virtual std::map<std::string, std::string> sources() const = 0;
  /// Object files and libraries by name, as bytes, of code for one thread or for several; none
  /// where the sources are all there is.
  virtual std::map<std::string, std::string> libraries(codegen::ParallelForm /*parallel*/,
                                                       const SourceLoc& /*where*/) const {
    return {};
  }
  /// Compiles what has not been compiled yet. Throws UnsupportedError that names a program which is
  /// needed and not there.
  virtual void prepare() = 0;
  /// Whether calls may ask for threads.
  virtual bool has_threads() const { return false; }
  /// Runs once, on one address per argument, whose bytes the caller has checked. May be called
  /// from several threads.
  virtual RunReport run(std::span<void* const> arguments, const RunOptions& options) = 0;
};

}  // namespace solway::driver
