#pragma once

#include <string>

#include "schedule/region.h"
#include "schedule/state.h"

namespace solway::dma {

/// Where the transfers of a buffer stand when the user does not say: inside the loop that is
/// returned, -1 for outside all loops. It is the outermost point, inside the parallel loops around
/// the accesses unless all cores see memory `scope`, at which all iterators are fixed that the
/// accesses depend on but that `region` does not name.
///
/// Throws ScheduleArgumentError when a loop of the region lies outside that point, `request` being
/// the primitive as errors quote it; AnalysisBudgetError when isl does not decide. `references`: of
/// the reads only these.
///
/// Source: swTVM, Algorithm 3, with dependence on iterators taken from access relations.
schedule::LoopId position_of(const schedule::State& state, const std::string& stage,
                             const std::string& tensor, schedule::AccessKind kind,
                             const schedule::Region& region, const std::string& request,
                             const SourceLoc& where,
                             const schedule::ReferenceNumbers& references = {},
                             const std::string& scope = "");

}  // namespace solway::dma
