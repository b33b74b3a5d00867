#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "driver/options.h"
#include "lowering/ir/stmt.h"
#include "lowering/ir/verifier.h"
#include "lowering/peel_pipelines.h"
#include "lowering/prefetch_lines.h"
#include "support/remark.h"
#include "support/target.h"

namespace solway::driver {

/// One pass over the loop IR and its place in the order.
struct Pass {
  std::string name;
  std::function<ir::Stmt(const ir::Stmt&, Remarks&)> run;
  ir::Stage stage;  ///< which nodes may exist after it
  std::string why;  ///< why it stands here
};

/// What becomes of a transfer that is waited for at once.
///
///   InFlight  it stays: a target with a transfer engine, or data that must arrive at the wait only
///   AsLoops   loops that copy (see lowering::inline_copies)
enum class Transfers : std::uint8_t { InFlight, AsLoops };

/// How pipelined loops are to run, and where what was decided of each goes; it outlives the passes.
struct PeelRequest {
  lowering::PipelineForm form = lowering::PipelineForm::ByCost;
  std::vector<lowering::PeelChoice>* choices = nullptr;  ///< null: nowhere
};

/// The passes for a target. Dialect "c" keeps Vectorized and Unrolled loops for the C compiler;
/// dialect "generic" keeps loops, of which the C compiler may make vectors. `lines` are read when
/// the passes run.
std::vector<Pass> passes_for(const Target& target, Transfers transfers = Transfers::InFlight,
                             const PeelRequest& peel = {},
                             const std::vector<lowering::LinesRequest>* lines = nullptr);

/// Throws UnsupportedError when `options` name a pass that is not among them, nor "lower".
void require_known(const std::vector<Pass>& passes, const PassOptions& options,
                   const SourceLoc& where);

/// Runs the passes in order, verifying the kernel after each, and prints on standard error what
/// `options` ask for: the loop IR as "lower" made it and as each pass left it.
ir::Kernel run_passes(ir::Kernel kernel, const std::vector<Pass>& passes, Remarks& remarks,
                      const PassOptions& options = {});

}  // namespace solway::driver
