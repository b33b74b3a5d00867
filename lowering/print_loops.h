#pragma once

#include <cstdint>
#include <string>

#include "lowering/lower.h"

namespace solway::lowering {

/// The loops of a kernel as text, in the form of Figure 2(b) of the swTVM paper:
///
///   For x in range(1)
///     For y.o in range(8)
///       For y.i in range(128)
///         C[x, 128*y.o + y.i] = 0.0
///
/// Loops carry the names of the schedule, marks stand behind them ("# unrolled"). A parallel loop
/// is shown as what one core runs, as in Figure 4(d), with `ceil(1024/cores)` for the 16 while
/// `cores` is 0, not known:
///
///   Id = get_id()
///   Let i.begin = min(Id*16, 1024)
///   Let i.end = min(i.begin + 16, 1024)
///   For i in range(i.begin, i.end)  # parallel
///
/// A transfer whose wait follows directly is shown as its copy, as in Figure 2(d), when `lowered`
/// knows the loops of it (Lowered::copy_loops):
///
///       For k.i in range(64)
///         AA[k.i] = A[x, 64*k.o + k.i]
///
/// Others are lines "Issue AA_get: AA[0] <- A[x, 64*k.o]  # 64" and "Wait AA_get".
std::string print_loops(const Lowered& lowered, std::int64_t cores = 0);

}  // namespace solway::lowering
