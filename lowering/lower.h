#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dsl/tensor.h"
#include "lowering/ir/stmt.h"
#include "lowering/isl_ast.h"
#include "lowering/lower_transfer.h"
#include "lowering/map_to_mesh.h"
#include "lowering/place_barriers.h"
#include "schedule/state.h"
#include "support/remark.h"

namespace solway::lowering {

/// One loop of the copy that a transfer stands for.
struct CopyLoop {
  std::string name;           ///< "k.i", the loop that runs along the dimension; else "BB.0"
  schedule::BufferDim along;  ///< the dimension of the tensor, or the panels of it
  int near_dim = 0;           ///< dimension of the buffer
};

/// A kernel, and what its loop variables are called in the schedule.
struct Lowered {
  ir::Kernel kernel;
  std::map<std::string, std::string> loop_names;  ///< "y_o" -> "y.o"
  std::map<std::string, MeshLoop> mesh_loops;     ///< variables of loops on a mesh of cores
  /// Per transfer of a kernel with TransferDims::PerDimension, its loops, outermost first: as they
  /// stand in the schedule.
  std::map<std::string, std::vector<CopyLoop>> copy_loops;
  /// Per transfer that several cores make together, who they are: "row", "column", "all".
  std::map<std::string, std::string> shared_by{};
  std::map<std::string, schedule::LoopId> told_apart{};  ///< by variable, the loops asked for
  Remarks remarks{};                                     ///< on barriers that may not be needed
};

/// Turns a schedule into the loop nest that runs it: the order of the tree, one loop per band,
/// loops of one iteration kept, marks as loop kinds. `args` are the kernel's parameters in order:
/// every placeholder that the outputs read and every output. Other tensors are allocated in the
/// kernel; a buffer is allocated in the innermost parallel loop around its transfers, in its own
/// scope or in `default_scope`; rows of scope "register" are padded to whole vectors. An issue
/// becomes a TransferIssue, a complete a TransferWait. Where `cores` share out parallel loops and
/// core 0 runs what is in none, barriers stand where dependences cross cores (place_barriers.h).
///
/// A program with sizes has one parameter more, the last: "sizes", an int64 per size in the order
/// of Program::sizes, read once; what the schedule assumes of them is required. Arguments with
/// extents that depend on sizes are as lowering/symbolic_shape.h says.
///
/// Keeps: names of tensors. A loop variable is the name of its loop with '.' as '_', unlike those
/// of the loops around and inside; of loops in `told_apart`, unlike those of all other loops.
/// Throws ArgumentMismatchError when `args` lacks a tensor or names one that is not there.
Lowered lower(const schedule::State& state, const std::vector<dsl::Tensor>& args,
              const std::string& name, const SourceLoc& where,
              const std::string& default_scope = "panel", TransferDims dims = TransferDims::Merged,
              const std::optional<CoreGroup>& cores = {},
              Statements statements = Statements::BesideLoops,
              const std::set<schedule::LoopId>& told_apart = {});

}  // namespace solway::lowering
