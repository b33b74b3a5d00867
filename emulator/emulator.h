#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "emulator/kernel_toml.h"
#include "emulator/machine_timing.h"
#include "emulator/timeline.h"

namespace solway::emulator {

/// When the bytes of a transfer move and its reply counter rises. Results of a right program do
/// not depend on it.
enum class Landing { AtIssue, AtWait, Random };

/// What a run looks for. Hazard mode finds, beside the faults of functional mode, accesses that
/// are right only by luck of timing, LDM that nobody wrote, and unaligned vectors. Timed mode
/// counts cycles.
enum class Mode { Functional, Hazard, Timed };

/// What an emulated machine is like and how long it may run. The defaults are those of SW26010.
struct RunOptions {
  Mode mode = Mode::Functional;
  std::uint64_t seed = 0;                     ///< order of CPEs and of landings; 0: in order
  std::int64_t step_budget = 10'000'000'000;  ///< loop iterations of all processors together
  Landing landing = Landing::AtWait;
  std::int64_t ldm_bytes = 65536;
  std::int64_t reserved_bytes = 0;             ///< of the LDM, for the runtime system
  int cores = 64;                              ///< computing cores that there are, 1 to 64
  int groups = 1;                              ///< core groups of so many that there are
  std::int64_t max_transfer_bytes = 16777212;  ///< of one DMA request
  std::int64_t max_block_bytes = 1048572;      ///< and of one of its blocks
  std::int64_t min_transfer_bytes = 4;
  std::int64_t transfer_alignment_bytes = 4;  ///< of its addresses and sizes
  int transfer_ranks = 2;                     ///< 1: no request has several blocks
  std::int64_t shared_bytes = 0;  ///< of the scratchpad that all cores see; 0: there is none
  double seconds = 600;           ///< wall time, then the run is ended
  std::optional<MachineTiming> timing = {};  ///< timed mode goes by it, and needs it
};

/// The bytes of one argument: a dense row-major array, or a scalar. Read for in and inout, written
/// for out and inout.
struct Argument {
  void* data = nullptr;
  std::size_t bytes = 0;
};

/// Where the time of a run went, in cycles of the computing cores.
struct TimedResult {
  std::int64_t cycles = 0;      ///< of the entry, from its call to its return
  std::int64_t cpe_cycles = 0;  ///< from the first start of a CPE to the last end
  Timeline timeline;
};

/// Counters of one run.
struct RunResult {
  std::int64_t get_bytes = 0;  ///< DMA, main memory to LDM or to what all cores see
  std::int64_t put_bytes = 0;
  std::int64_t gld_bytes = 0;  ///< plain loads of main memory by CPEs
  std::int64_t gst_bytes = 0;
  std::optional<std::int64_t> rma_bytes;  ///< from LDM to LDM, where the machine can do that
  std::int64_t ldm_peak_bytes = 0;  ///< of the fullest CPE: static objects, heap, stack, reserve
  double seconds = 0;               ///< of the entry on this host
  std::optional<TimedResult> timed = {};
};

/// A kernel that is compiled for this host and can run many times. Copies share the code.
class CompiledKernel {
 public:
  const KernelSources& sources() const { return sources_; }

  struct Folder;

 private:
  friend CompiledKernel compile(const KernelSources& sources, Mode mode,
                                const std::optional<MachineTiming>& timing);
  friend RunResult run(const CompiledKernel& kernel, std::span<const Argument> arguments,
                       const RunOptions& options);
  KernelSources sources_;
  std::shared_ptr<const Folder> folder_;
};

/// Compiles MPE and CPE sources with clang and the emulator's headers, and instruments them for
/// `mode`; the first run in another mode instruments them for that. Timed mode needs `timing`.
/// Throws DslError with the compiler's message for C that does not compile, UnsupportedError for
/// what the emulator does not have.
CompiledKernel compile(const KernelSources& sources, Mode mode = Mode::Functional,
                       const std::optional<MachineTiming>& timing = {});

/// Calls the entry once in a process of its own. Throws EmulatorError for what the machine
/// forbids, ArgumentMismatchError for arguments that differ from the parameters. After an error
/// the arguments hold what they held before.
RunResult run(const CompiledKernel& kernel, std::span<const Argument> arguments,
              const RunOptions& options = {});

/// `compile` and `run`.
RunResult run(const KernelSources& sources, std::span<const Argument> arguments,
              const RunOptions& options = {});

}  // namespace solway::emulator
