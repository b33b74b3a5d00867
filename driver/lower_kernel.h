#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/build.h"
#include "lowering/ir/stmt.h"
#include "lowering/peel_pipelines.h"
#include "schedule/state.h"
#include "support/remark.h"
#include "support/target.h"

namespace solway::driver {

/// The loop IR from which code is generated, after all passes.
struct LoweredKernel {
  ir::Kernel kernel;
  Remarks remarks;                                ///< in names of loops of the IR
  std::map<std::string, std::string> loop_names;  ///< the schedule's, by that of the IR
  /// For a target with directives: the independent loops (schedule/independent_loops.h), by their
  /// variables, which no other loop has.
  std::map<std::string, schedule::LoopId> independent{};
  std::vector<lowering::PeelChoice> peelings{};  ///< of loops in which transfers run ahead
};

/// Whether arrays of a kernel in main memory belong to it, or come with each call as further
/// parameters, those outside of all loops.
enum class Temporaries { Own, Passed };

/// What `options` ask for. Throws UnsupportedError for a target that is not there.
Target target_of(const BuildOptions& options, const SourceLoc& where);

/// Every input and every output, in some order.
std::vector<dsl::Tensor> all_arguments(const schedule::Program& program);

/// Lowers a schedule with `args` as parameters, in order, and runs the passes. Throws
/// UnsupportedError for a buffer in a memory that the target does not have, CapacityError for
/// buffers that do not fit, ArgumentMismatchError when an input or output is missing.
LoweredKernel lower_kernel(const schedule::State& state, const std::vector<dsl::Tensor>& args,
                           const Target& target, const BuildOptions& options,
                           const SourceLoc& where, Temporaries temporaries = Temporaries::Own);

}  // namespace solway::driver
