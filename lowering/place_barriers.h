#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "lowering/isl_ast.h"
#include "lowering/map_to_mesh.h"
#include "schedule/state.h"
#include "support/remark.h"

namespace solway::lowering {

/// The cores that share out parallel loops.
struct CoreGroup {
  std::int64_t cores = 0;  ///< kAnyNumber: it is known when the program runs, and may be any
  Mesh mesh;               ///< of kAnyNumber: none; of nested parallel loops the outermost counts

  static constexpr std::int64_t kAnyNumber = 0;
};

/// When a barrier in a loop counts: in each iteration, or in all but the first.
enum class BarrierTime : std::uint8_t { Always, NotFirst };

/// Where barriers stand: before the outermost node of the AST that begins with an instance (its
/// annotation) under so many loops of the AST.
using Barriers = std::map<std::pair<std::string, int>, BarrierTime>;

/// The barriers that `cores` need: one between two pieces of the program (a parallel loop, or what
/// core 0 runs) exactly where a dependence leads from a core to another one, in a sequential loop
/// also from one iteration to the next.
///
///   before: for t { parallel i { H[t, i] = H[t - 1, i - 1] } }
///   after:  for t { if (first t) < t { barrier } parallel i { ... } }
///
/// Keeps: cores share out a parallel loop by its bounds; where those change with the loops around
/// it, every dependence is taken to cross. Of any number of cores, two loops are shared out alike
/// only if they have the same bounds, and copies into buffers of scope "shared" as share_copies
/// likes. Adds a remark for each barrier of which isl does not
/// decide whether it is needed.
Barriers place_barriers(const schedule::State& state, const Ast& ast, const CoreGroup& cores,
                        Remarks& remarks);

}  // namespace solway::lowering
