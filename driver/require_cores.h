#pragma once

#include "schedule/order.h"
#include "support/target.h"

namespace solway::driver {

/// Holds the loops that are bound to dimensions of the hardware against the cores of a target.
/// Throws UnsupportedError, at the line of the mark, for a dimension that no target has and for a
/// grid that is larger than the mesh of cores. A target without a mesh runs such loops on one core.
void require_cores(const schedule::Order& order, const Target& target);

}  // namespace solway::driver
