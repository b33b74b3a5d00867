#pragma once

#include <optional>
#include <set>
#include <string>

#include <isl/cpp.h>

#include "schedule/flow.h"
#include "schedule/program_breach.h"
#include "schedule/request.h"
#include "schedule/state.h"

/// Each core has buffers of its own, but for those of scope "shared" (schedule/shared_scope.h), and
/// each lane some of scope "register": what an iteration of a
/// parallel or vectorized loop reads there must come from the same iteration.
namespace solway::schedule {

/// Who reads what of buffers of a schedule. One flow, of all of them, serves all parallel loops.
struct BufferFlow {
  isl::union_map accesses;  ///< { reader -> B[cell] }, at the grain of elements
  isl::union_map flow;      ///< { writer -> reader }
  isl::union_map position;  ///< { an instance of these -> S[iteration] }
};

/// Of `buffers` of `state`, by name, in its order. Throws AnalysisBudgetError when isl does not
/// decide within kProgramBudget operations.
BufferFlow buffer_flow_of(const State& state, const std::set<std::string>& buffers,
                          const Request& request);
/// The same where the flow of its program is known. Within an open budget.
BufferFlow buffer_flow_of(const Program& program, const std::set<std::string>& buffers,
                          const ElementProgram& elements, const FoundFlow& found);

/// What leaves an iteration of parallel or vectorized loop `id` through a buffer; nullopt when
/// nothing does.
struct LeftIteration {
  isl::union_map flow;      ///< { S[writer] -> T[reader] }
  isl::union_map accesses;  ///< { T[reader] -> B[cell] }
};
std::optional<LeftIteration> left_iteration(const State& state, LoopId id, const BufferFlow& all,
                                            const Request& request);

}  // namespace solway::schedule
