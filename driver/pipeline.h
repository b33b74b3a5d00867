#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lowering/ir/stmt.h"
#include "lowering/ir/verifier.h"
#include "lowering/vectorize_loops.h"
#include "support/remark.h"

namespace solway::driver {

/// One pass over the loop IR and its place in the order.
struct Pass {
  std::string name;
  std::function<ir::Stmt(const ir::Stmt&, Remarks&)> run;
  ir::Stage stage;  ///< which nodes may exist after it
  std::string why;  ///< why it stands here
};

/// The passes for machines with vectors of `lanes`; without lanes, Vectorized and Unrolled loops
/// stay for the C compiler.
std::vector<Pass> passes_for(const lowering::LanesPerType& lanes);

/// Runs the passes in order, verifying the kernel after each.
ir::Kernel run_passes(ir::Kernel kernel, const std::vector<Pass>& passes, Remarks& remarks);

/// Lanes of one vector register of this machine.
lowering::LanesPerType host_lanes();

}  // namespace solway::driver
