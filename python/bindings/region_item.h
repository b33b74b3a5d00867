#pragma once

#include <utility>
#include <vector>

#include "python/bindings/handles.h"
#include "schedule/region.h"
#include "support/source_loc.h"

namespace solway::python {

/// Every axis that an expression may hold, with the loop that it stands for.
using AxisLoops = std::vector<std::pair<PyAxis, schedule::LoopId>>;

/// An expression of axes with the loops that it names. Throws ScheduleArgumentError for an axis
/// that is not among `loops`.
schedule::RegionItem region_item(const PyExpr& expr, const AxisLoops& loops,
                                 const SourceLoc& where);

}  // namespace solway::python
