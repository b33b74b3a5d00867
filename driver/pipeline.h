#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lowering/ir/stmt.h"
#include "lowering/ir/verifier.h"
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

/// The passes for a target. Dialect "c" keeps Vectorized and Unrolled loops for the C compiler;
/// code for "athread" is scalar.
std::vector<Pass> passes_for(const Target& target, Transfers transfers = Transfers::InFlight);

/// Runs the passes in order, verifying the kernel after each.
ir::Kernel run_passes(ir::Kernel kernel, const std::vector<Pass>& passes, Remarks& remarks);

}  // namespace solway::driver
