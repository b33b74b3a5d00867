#pragma once

#include <set>
#include <string>
#include <vector>

#include "schedule/buffer.h"
#include "schedule/region.h"
#include "schedule/state.h"

namespace solway::schedule {

/// What a buffer is for.
struct BufferUses {
  std::vector<Access> accesses;  ///< those of its stages to the tensor, inside the position
  std::vector<LoopId> outside;   ///< the loops around the position
  std::vector<LoopId> inside;    ///< those around any of the accesses, inside of it
  std::vector<std::set<LoopId>> loops_of_dim;  ///< per dimension of the tensor, that move its index
  std::vector<bool> varied;  ///< per dimension, whether the region names what varies in it
};

/// Throws ScheduleArgumentError for a stage without such accesses, a position that is not around
/// them, a tensor that is near already, and a region that leaves out or adds what varies.
BufferUses uses_of(const State& state, const BufferRequest& request, AccessKind kind,
                   const SourceLoc& where);

/// Throws ScheduleArgumentError: the region or the layout names a loop around the buffer.
[[noreturn]] void refuse_outside(const State& state, const BufferRequest& request,
                                 const std::vector<LoopId>& outside, LoopId id,
                                 const SourceLoc& where);

}  // namespace solway::schedule
