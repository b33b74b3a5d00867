#pragma once

#include <cstdint>

#include "memory_planner/nest_plan.h"
#include "support/target.h"

/// What it costs that cores of the mesh read a tensor together: `broadcast`.
namespace solway::memory_planner {

/// The cores that could read the tiles of a tensor together: those that parallel loops tell apart
/// on which it does not depend. Core: none, for lack of such loops, of as many tiles in each part,
/// of a message at least, of whole ones where elements are shorter than a word, or of a way from
/// core to core. Buffers have to begin at whole messages.
schedule::SharedBy sharing_of(const StageModel& stage, const NestPlan& plan, int tensor,
                              const Target& target);

/// A tile that cores read in parts and pass on to each other. Needs: shared_by() of the plan names
/// cores that sharing_of() gave.
struct SharedRead {
  TensorModel part;            ///< the tensor as one core reads it: a part of a tile
  std::int64_t lines = 1;      ///< groups of cores that share
  std::int64_t cores = 1;      ///< of all groups
  std::int64_t readers = 1;    ///< of each group, how many cores read a part
  std::int64_t columns = 1;    ///< of the mesh, on which these are
  double exchange_cycles = 0;  ///< of a core, until it has the whole tile
};

SharedRead shared_read(const StageModel& stage, const NestPlan& plan, int tensor,
                       const Target& target);

}  // namespace solway::memory_planner
