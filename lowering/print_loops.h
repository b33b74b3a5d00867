#pragma once

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
/// Loops carry the names of the schedule, marks stand behind them ("# parallel").
std::string print_loops(const Lowered& lowered);

}  // namespace solway::lowering
