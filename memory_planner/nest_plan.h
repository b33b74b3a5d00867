#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memory_planner/product_form.h"
#include "memory_planner/stage_model.h"
#include "schedule/program.h"

namespace solway::memory_planner {

/// How one loop of a stage is cut. Each size holds the next: extent >= part >= tile >= held.
struct LoopCut {
  std::int64_t part = 1;  ///< iterations of one part of a parallel loop; the extent without
  std::int64_t tile = 1;  ///< iterations that the buffers serve
  std::int64_t held = 1;  ///< iterations whose results registers hold, unrolled or in vectors
};

/// How a stage is to run. Positions name StageModel::loops and StageModel::tensors.
///
///   for parts of the parallel loops, shared by the cores:
///     for tiles, in the order of `outer`:       transfers stand here
///       for the rest of the tile, spatial loops, then those of the reduction:
///         what registers hold, the vector loop innermost
///
/// or, where assembly multiplies matrices, the rest of the tile's other loops around rows, columns,
/// rounds and terms.
struct NestPlan {
  std::vector<LoopCut> cuts;           ///< per loop
  std::vector<int> parallel;           ///< none, one, or two on the rows and columns of the mesh
  std::array<std::int64_t, 2> grid{};  ///< cores that tell their parts apart, per parallel loop
  std::vector<int> outer;              ///< loops of several tiles in a part, outermost first
  int vector = -1;                     ///< the loop that runs in vectors; -1 without. One of a
                                       ///< reduction: lanes add up apart (runs_across)
  /// Per tensor: 0 not staged, 1, or 2: one region is moved while another is used.
  std::vector<int> depths;
  /// Per tensor, which cores read it together; empty: each core what it needs.
  std::vector<schedule::SharedBy> shared = {};
  /// Per tensor, whether its tiles keep what they have in common (sliding_cost.h); empty: none
  /// does.
  std::vector<bool> slides = {};
  /// Per tensor that is loaded while others are used, whether the next pass of its innermost loop
  /// over tiles begins while the last tile of this one is used (can_run_across); empty: for none.
  std::vector<bool> across = {};
  /// Per tensor of one region, whether what it puts is waited for where the region is written again
  /// (can_put_late); empty: for none.
  std::vector<bool> late = {};
  /// Of two parallel loops, rows of the mesh that have one part of the first: parts of the second
  /// are on these rows and on the columns.
  std::int64_t rows_of_part = 1;
  /// The product that micro-kernels compute; nothing is held in registers or in vectors then.
  std::optional<ProductForm> micro_kernel = std::nullopt;
  std::int64_t bytes = 0;  ///< of all buffers, aligned
  bool fits = false;       ///< false: not even the smallest tiles do
  /// Per tensor, elements of the whole units in which its tiles are read (widened_cost.h); 0:
  /// exactly. Empty: all of them.
  std::vector<std::int64_t> units = {};
};

/// Iterations per loop that one tile holds.
Tiles tiles_of(const NestPlan& plan);

/// Iterations per loop that the buffer of a tensor serves. Those of a micro-kernel's windows are
/// outside of the tile, but what they multiply with is transferred around them, whole.
Tiles tiles_of(const NestPlan& plan, int tensor);

/// Whether the transfers of a tensor stand around a loop over tiles on which it depends.
bool is_around_windows(const NestPlan& plan, int tensor, int loop);

/// footprint_elems(dim, tiles_of(plan, tensor)).
std::int64_t footprint_elems(const DimModel& dim, const NestPlan& plan, int tensor);

/// Bytes of what a tile has of a tensor.
std::int64_t tile_bytes(const StageModel& stage, const NestPlan& plan, int tensor);

/// Bytes of a tensor's buffers, if it has `depth` regions of so many bytes, 0: none.
std::int64_t buffer_bytes(const TensorModel& tensor, std::int64_t tile, int depth,
                          std::int64_t alignment_bytes);
/// The same of a plan's tiles.
std::int64_t buffer_bytes(const StageModel& stage, const NestPlan& plan, int tensor, int depth,
                          std::int64_t alignment_bytes);

/// Bytes of the plan's buffers.
std::int64_t buffer_bytes(const StageModel& stage, const NestPlan& plan,
                          std::int64_t alignment_bytes);

/// Who reads a tensor together.
schedule::SharedBy shared_by(const NestPlan& plan, int tensor);

/// Whether the tiles of a tensor keep what they have in common.
bool is_sliding(const NestPlan& plan, int tensor);

/// Whether the regions of a tensor take turns over all loops over tiles around its transfers.
bool is_across(const NestPlan& plan, int tensor);

/// Whether what the one region of a tensor puts is on its way until the region is written again.
bool is_late(const NestPlan& plan, int tensor);

/// Elements of the whole units in which tiles of a tensor are read; 0: each tile exactly.
std::int64_t unit_of(const NestPlan& plan, int tensor);

/// Parts that a parallel loop is divided into.
std::int64_t parts_of(const StageModel& stage, const NestPlan& plan, int loop);

/// Rows and columns of the mesh that two parallel loops use.
std::array<std::int64_t, 2> mesh_of(const NestPlan& plan);

/// Iterations of a loop that the busiest core runs.
std::int64_t busiest_extent(const StageModel& stage, const NestPlan& plan, int loop);

/// Whether the lanes of vectors are iterations of a reduction, combined at the end of a strip.
bool runs_across(const StageModel& stage, const NestPlan& plan);

bool depends(const TensorModel& tensor, int loop);

/// The loops of the reduction within a tile, outermost first: as the stage has them, but that those
/// along which windows slide over results in registers stand around the others. In such a loop an
/// iteration reads what the one before has read beside, which compilers then keep, and spread over
/// a vector again in the pipe for arithmetic, where a load would spread it beside.
///
///   S[y, x, f] += P[c, y + ry, x + rx] * W[c, ry, rx, f], x in registers, f in vectors:
///   before: c, ry, rx
///   after:  rx, c, ry
std::vector<int> reduction_order(const StageModel& stage, const NestPlan& plan);

}  // namespace solway::memory_planner
