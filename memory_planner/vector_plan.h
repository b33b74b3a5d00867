#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory_planner/vector_stage.h"
#include "support/target.h"

namespace solway::memory_planner {

/// An array of which a tile's part is copied to near memory.
struct Panel {
  std::string array;
  int lanes = -1;  ///< the dimension that lies innermost in the copy; -1: the order stays
  /// The caches hold all of the copy, or the plan counts on that it stands outside of loops that do
  /// not move it: where the stage runs in loops of another one, outside of such ones of these, too.
  bool fits = false;
  schedule::ReferenceNumbers references = {};  ///< VectorAccess::references
  /// Groups of VectorPlan::dot_terms lie innermost in the copy, those of neighbouring lanes side by
  /// side.
  bool in_groups = false;
  /// Rows that a tile holds lie side by side in the copy, one tile after the other; it stands
  /// outside of all loops over tiles, in those over blocks of the reduction.
  bool in_rows = false;
};

/// An array whose lines the caches are asked for before they are read (schedule/prefetch_lines.h).
struct EarlyLines {
  std::string array;
  int loop = -1;  ///< whose iterations count: one of the reduction, or over tiles
  std::int64_t distance = 1;
  int inside = -1;  ///< the loop over whose iterations requests are spread; -1: beside each read
};

/// So many iterations of a loop, or tiles of it, that belong together.
struct LoopPart {
  int loop = -1;  ///< -1: there is none
  std::int64_t size = 0;
};

/// How a stage is to run on one core of a vector CPU. Positions name VectorStage::loops.
///
///   for blocks of a reduction loop:
///     for groups of tiles of one spatial loop:
///       for tiles of the spatial loops, in the order of `outer`:      panels stand here
///         for the reduction loops:
///           what registers hold, written out, the lanes innermost; of some terms together
struct VectorPlan {
  int vector = -1;         ///< the loop whose iterations run in lanes; -1: none
  bool in_blocks = false;  ///< its neighbours lie side by side in blocks of as many as lanes only
  /// Per loop, iterations whose results registers hold; of the vector loop, vectors. 1: none.
  std::vector<std::int64_t> held;
  std::vector<bool> written_out;  ///< per loop: a reduction loop without jumps
  int dot = -1;  ///< the reduction loop of which `dot_terms` are one instruction; -1: none
  std::int64_t dot_terms = 4;
  int blocked = -1;               ///< the reduction loop that runs in blocks; -1: none
  std::int64_t block = 0;         ///< its iterations in one
  std::vector<int> outer;         ///< spatial loops outside of what is held, outermost first
  bool in_registers = false;      ///< results stay in registers while the reduction runs
  std::vector<Panel> panels;      ///< arrays that are copied before they are used
  std::vector<EarlyLines> early;  ///< arrays that are asked for ahead of their use
  double cycles = 0;              ///< by the model
  double order_cycles = 0;        ///< of these those that the other order of its loops would save
  /// Tiles of a loop in `outer` that run in groups. The loop over groups stands outside of all
  /// other free loops over tiles: what a group reads stays in the second-level cache while loops
  /// that do not move it run, and what these move is used by all tiles of the group in turn.
  LoopPart groups;
  /// Terms of the innermost loop of the reduction whose code is written out, one after the other.
  LoopPart together;
  /// The loop along which operands have neighbours whose lanes lie apart, of a stage that sums
  /// nothing: as many of its iterations as vectors have lanes are held, so that such an operand is
  /// a square, which code generation turns in registers. Or a loop of few terms, all of which are
  /// written out. -1: there is none.
  int turned = -1;
  /// The loop of 2 to 4 iterations whose results lie side by side, of a stage that sums nothing and
  /// whose lanes lie as far apart: all are held, and code generation puts the lanes of their
  /// vectors together (codegen/llvm/detail/interleaved_stores.h). Or whose operands lie so, which
  /// are loaded once for all. -1: there is none.
  int interleaved = -1;

  /// By which tiles are compared: what the order of their loops takes differs little in truth.
  double cycles_of_tiles() const { return cycles - order_cycles; }
};

/// Whether each lane has rows of sums of its own: registers have a length that is known when the
/// kernel runs, and the loop over vectors stands around the reduction.
bool holds_in_lanes(const VectorStage& stage, const VectorPlan& plan);

/// Whether the lanes of a result lie side by side: lowering keeps no other tile of what is near
/// memory in registers, where a buffer of registers would turn it.
bool stores_neighbours(const VectorStage& stage, const VectorPlan& plan);

/// The plans that the model finds best, the best first, at most `count`; never empty: the last
/// resort leaves the stage as it is.
std::vector<VectorPlan> plan_vectors(const VectorStage& stage, const Target& target, int count);

}  // namespace solway::memory_planner
