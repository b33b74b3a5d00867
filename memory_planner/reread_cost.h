#pragma once

#include "memory_planner/vector_plan.h"
#include "memory_planner/vector_plan_cost.h"
#include "memory_planner/vector_stage.h"

namespace solway::memory_planner {

/// Cycles in which operands come again from beyond the second-level cache: loop by loop over tiles,
/// from the innermost one outwards, an operand that the loop does not move is read again in each
/// iteration; it comes from the cache only where this holds all that one iteration touches.
///
///   for f: for x: C[f, x] += W[f, k] * X[x, k]     all of X again for each f, unless it fits
///   for x: for f: C[f, x] += W[f, k] * X[x, k]     all of W again for each x, unless it fits
///
/// What is spread over lanes counts where a stride leaves its rows apart, and then neighbours that
/// are left out up to once as much, as processors fetch lines in pairs. Each line takes longer
/// where reads_many_rows(), and of vectors where each turn reads a few lines of another page. What
/// lies in order is fetched ahead.
double reread_cycles(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches);

/// Lines of an operand that come again from beyond a cache of so many bytes, in the same way.
double lines_again(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access,
                   double cache_bytes);

/// What the order of the loops over tiles costs beside: lines of numbers that are spread over lanes
/// and come again from beyond that cache, where a tile reads less than a page in order, as a few
/// pixels of each of many planes; and, where an operand is read so, lines of results that lie far
/// from those of the tile before.
///
///   for f: for y: for x: C[f, y, x] += W[f, r] * X[y + r, x]     all of X again for each f
///   for y: for x: for f: C[f, y, x] += W[f, r] * X[y + r, x]     results of each f lie elsewhere
///
/// It decides between orders of the same tile, and not between tiles: that wide ones read an image
/// fewer times does not make up for what they load of the other operand.
double order_cycles(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches);

/// Bytes of an operand between the first and the last that one tile reads.
double bytes_of_tile(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access);

/// Whether what one tile reads of an operand has gaps: a window of one pixel with a stride of two
/// leaves every other one out, one of three pixels does not.
bool leaves_gaps(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access);

/// Bytes of an operand that all tiles read.
double bytes_of_all_tiles(const VectorStage& stage, const VectorPlan& plan,
                          const VectorAccess& access);

/// Whether a tile reads numbers that are spread over lanes at every other place or fewer, as a
/// convolution with a window of one pixel and a stride does, of an operand that the second-level
/// cache does not hold: a copy that the tiles of other loops use again reads it in order. A window
/// that leaves no place out reads all of it by itself.
bool is_read_apart(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access,
                   const CacheModel& caches);

/// Cycles that tiles wait for such lines, of an operand that is not copied.
double wait_cycles(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches);

/// Whether each turn reads numbers that are spread over lanes from another row, of an operand that
/// is larger than the second-level cache, as A[k, i .. i + 5] in A^T B: nothing tells processors
/// which line is next.
bool reads_many_rows(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access,
                     const CacheModel& caches);

/// Whether tiles read numbers that are spread over lanes once, in stretches of less than a page, of
/// an operand that is larger than the second-level cache: processors that fetch ahead along a page
/// do not see these lines coming, as those of a window of one pixel over many planes.
bool is_read_once_in_stretches(const VectorStage& stage, const VectorPlan& plan,
                               const VectorAccess& access, const CacheModel& caches);

/// Elements of an operand between the first and the last that one tile reads, over all tiles of the
/// loops that move it.
double elements_of_tiles(const VectorStage& stage, const VectorPlan& plan,
                         const VectorAccess& access);

}  // namespace solway::memory_planner
