#pragma once

#include <map>
#include <string>
#include <vector>

#include "dsl/tensor.h"
#include "lowering/ir/stmt.h"
#include "schedule/state.h"

namespace solway::lowering {

/// A kernel, and what its loop variables are called in the schedule.
struct Lowered {
  ir::Kernel kernel;
  std::map<std::string, std::string> loop_names;  ///< "y_o" -> "y.o"
};

/// Turns a schedule into the loop nest that runs it: the order of the tree, one loop per band,
/// loops of one iteration kept, marks as loop kinds. `args` are the kernel's parameters in order:
/// every placeholder that the outputs read and every output. Other tensors are allocated in the
/// kernel.
///
/// Keeps: names of tensors. A loop variable is the name of its loop with '.' as '_', made unique.
/// Throws ArgumentMismatchError when `args` lacks a tensor or names one that is not there.
Lowered lower(const schedule::State& state, const std::vector<dsl::Tensor>& args,
              const std::string& name, const SourceLoc& where);

}  // namespace solway::lowering
