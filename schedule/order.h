#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <isl/cpp.h>

#include "dsl/tensor.h"

namespace solway::schedule {

/// How the iterations of a loop run.
enum class LoopMark : std::uint8_t { Serial, Parallel, Unrolled, Vectorized, Tensorized };

/// What happens to the last block of a split whose factor does not divide.
enum class TailStrategy : std::uint8_t {
  Guard,  ///< iterations past the end are skipped
  Cut,    ///< whole blocks and the rest become separate nests
  Mask    ///< vectors of the inner loop end with a mask; Guard where no vector runs it
};

using LoopId = int;

/// A computation that there is code for.
struct Intrinsic {
  std::string name;
  dsl::Tensor tensor;                       ///< what it computes, of placeholders
  std::map<std::string, std::string> code;  ///< C text by target that a person wrote
  SourceLoc where;
  /// The code is made by the compiler: a product of matrices, C[i, j] += A[i, k] * B[k, j].
  bool is_micro_kernel = false;
};

/// One of the loops that `fuse` made one, counted from 0.
struct Coordinate {
  std::string name;
  dsl::AxisKind kind = dsl::AxisKind::Spatial;
  std::int64_t extent = 0;  ///< of all but the outermost coordinate: 0 <= value < extent
  std::map<std::string, isl::pw_aff> value;  ///< { S[iteration] -> [value] }
};

/// Fused loops, outermost first. The coordinates are the digits of one number, on which the loops
/// made of them run: see FusedDigits.
using Fusion = std::vector<Coordinate>;

/// What a loop made of fused ones counts: its value is origin + floor(number / step) mod wrap of
/// their fusion's number; without mod where wrap is 0.
struct FusedDigits {
  int fusion = -1;  ///< in Order::fusions; -1: the loop is not made of fused ones
  std::int64_t step = 1;
  std::int64_t wrap = 0;
  std::int64_t origin = 0;
};

/// One loop of the schedule. The same loop may stand at several places of the tree: over an
/// update, and as a copy over the initialisation before it.
struct Loop {
  std::string name;
  dsl::AxisKind kind = dsl::AxisKind::Spatial;
  std::int64_t begin = 0;
  std::int64_t end = 0;           ///< half-open; all values lie in it
  bool depends_on_sizes = false;  ///< how many of them there are
  LoopMark mark = LoopMark::Serial;
  std::string hardware;    ///< of a Parallel loop: "core", or a dimension of the mesh
  std::int64_t parts = 0;  ///< of one on the mesh: the cores along it; 0: all
  std::shared_ptr<const Intrinsic> intrinsic;  ///< of a Tensorized loop: what runs in its place
  TailStrategy tail = TailStrategy::Guard;     ///< of the inner loop of a split
  FusedDigits fused;                           ///< the same value, from fused loops
  SourceLoc where;                             ///< the line that made it
  SourceLoc marked_at;                         ///< the line that gave it its mark
  /// Per statement under it, its value in each instance: { S[iteration] -> [value] }.
  std::map<std::string, isl::pw_aff> value;

  std::int64_t extent() const { return end - begin; }
  /// The line that says how it runs.
  const SourceLoc& line() const { return mark == LoopMark::Serial ? where : marked_at; }
};

/// A loop over the values of `axis`, made at `where`, with nothing under it.
Loop loop_over(const dsl::Axis& axis, const SourceLoc& where);

/// A statement and the loops around it, outermost first.
struct Placement {
  std::string statement;
  std::vector<LoopId> path;
  /// How many iterations later than Loop::value says it runs; negative: earlier. They are counted
  /// over the innermost `delayed` loops as over one. The outermost of these then runs from before
  /// its begin or past its end for this statement alone.
  std::int64_t delay = 0;
  int delayed = 1;

  /// The loops over which the delay counts, outermost first: the end of the path.
  std::vector<LoopId> delayed_loops() const;
};

/// A split with TailStrategy::Cut: the instances in whole blocks, which lowering gives nests of
/// their own, whatever primitives came later.
struct Cut {
  std::map<std::string, isl::set> whole;  ///< by statement: { S[iteration] }
};

/// A node of the tree that the placements stand for: the root, a loop, or a statement.
struct TreeNode {
  LoopId loop = -1;       ///< -1 for the root and for a statement
  std::string statement;  ///< set iff it is a statement
  std::vector<TreeNode> children;
};

/// When the instances run: statements in textual order, each under its loops. Neighbours share
/// the loops of their common prefix, which makes the placements a tree.
struct Order {
  std::map<LoopId, Loop> loops;
  std::vector<Placement> placements;
  std::vector<Cut> cuts;
  std::vector<Fusion> fusions;
  LoopId next_loop = 0;

  const Loop& loop(LoopId id) const { return loops.at(id); }
  LoopId add(Loop loop);
  const Placement& placement_of(const std::string& statement) const;
  /// { S[iteration] -> [the value of the loop at which it runs] }: Loop::value, later by the delay
  /// of the statement where it counts over that loop.
  isl::pw_aff value_of(LoopId id, const std::string& statement) const;
};

/// The tree of the placements.
TreeNode tree_of(const Order& order);

/// { S[iteration] -> [c0, v0, c1, v1, ...] }: child positions and loop values from the root, or of
/// fused loops their coordinates, then zeros. Their order is the order of execution.
isl::union_map time_of(const isl::ctx& ctx, const Order& order,
                       const std::map<std::string, isl::set>& domains);

/// Whether a time prefix ends with the value of its last loop or with that loop's place.
enum class LastValue : std::uint8_t { Keep, Drop };

/// Columns like those of time_of for the statements under loop `id`, down to that loop:
/// { S[iteration] -> [c0, v0, ..., c_id, v_id] }, v_id apart from the values before.
isl::union_map prefix_of(const isl::ctx& ctx, const Order& order, LoopId id, LastValue last,
                         const std::map<std::string, isl::set>& domains);

}  // namespace solway::schedule
