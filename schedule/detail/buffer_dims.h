#pragma once

#include <functional>
#include <vector>

#include <isl/cpp.h>

#include "schedule/detail/buffer_uses.h"
#include "schedule/footprint.h"
#include "schedule/panels.h"

namespace solway::schedule {

/// What the dimensions of a buffer count, in its order: those of the region, in the order of the
/// request's layout, or panels where the layout or the region asks for them. `written` gives
/// { [position] -> T[element] } that a put may store; it is asked where panels need it.
/// Throws ScheduleArgumentError for a layout that is no order of the dimensions or names other
/// loops; UnsupportedError for panels of which the first would not be whole.
std::vector<PanelDim> ordered_dims(const State& state, const BufferRequest& request,
                                   const BufferUses& uses, const Footprint& footprint,
                                   const std::function<isl::map()>& written, AccessKind kind,
                                   const SourceLoc& where);

}  // namespace solway::schedule
