#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memory_planner/stage_model.h"
#include "schedule/references.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::memory_planner {

/// One array element that an iteration reads or writes, as a vector unit sees it.
struct VectorAccess {
  std::string array;
  /// Of several groups of references to the array (reference_groups.h), of which each may have a
  /// copy of its own, the one that reads here; nullopt: the array has one.
  schedule::ReferenceNumbers references;
  bool is_written = false;
  bool is_near = false;  ///< a buffer stands for the array already
  std::int64_t element_bytes = 4;
  bool is_half = false;  ///< of 16-bit floats: what is loaded is widened to float32
  /// Per loop of the stage: elements that the address moves by (step_of), over all iterations.
  std::vector<std::optional<std::int64_t>> steps;
  /// The same in blocks of as many iterations as vectors have lanes.
  std::vector<std::optional<std::int64_t>> block_steps;
  /// Outermost first; empty where an index depends on data.
  std::vector<DimModel> dims;
  std::vector<bool> groups;  ///< per loop in VectorStage::dots: its groups lie side by side here

  bool depends(int loop) const;
  /// Whether loop `outer` goes on where so many iterations of `inner` end.
  bool goes_on(int outer, int inner, std::int64_t iterations) const;
};

/// A stage as the planner of vector CPUs sees it: its loops, and what the statement computes that
/// runs most often. Others, in a stage of nested reductions, follow that statement's tiles.
struct VectorStage {
  std::string name;
  std::string statement;               ///< the one that is described
  std::vector<LoopModel> loops;        ///< outermost first
  std::vector<schedule::LoopId> ids;   ///< the loop of each
  std::vector<bool> around;            ///< per loop: it stands around the statement
  std::vector<VectorAccess> accesses;  ///< of the statement: what it reads, then what it writes
  bool is_update = false;              ///< it adds to a reduction
  bool has_free_order = false;         ///< ... whose terms may be combined in any order
  double vector_cycles = 0.5;          ///< of the arithmetic pipes, for one vector of results
  double chain_cycles = 0;             ///< from one update of a sum to the next
  int carried = 1;                     ///< registers in which a loop keeps a vector of results
  int lanes = 1;                       ///< 1: no vector form
  bool is_scalable = false;            ///< registers hold some multiple of these lanes
  std::string no_vector;               ///< why not
  /// Per loop: where the others stand decides from where on it runs (`where=` of a sum), so that
  /// the first vectors of what registers would hold lie across these.
  std::vector<bool> starts_late;
  int statements = 1;     ///< that compute; more than one: nested reductions
  std::string result;     ///< the array that the statement writes
  bool can_hold = false;  ///< a buffer of registers can take the place of `result`
  bool is_near = false;   ///< it is near memory, whose places lowering keeps there
  /// Per loop: its extent is known when it runs; LoopModel::extent is the most that it can be.
  /// Empty: of none.
  std::vector<bool> sized;
  /// Per loop: a reduction of products of bytes, or of bfloat16, of which groups of dot_terms are
  /// one instruction of the target where they lie side by side. Empty: there is none.
  std::vector<bool> dots;
  std::int64_t dot_terms = 4;   ///< four bytes or two bfloat16
  double dot_cycles = 0.5;      ///< of one such instruction
  int dot_registers = 0;        ///< that turning the bytes of an operand to the other sign keeps
  double dot_chain_cycles = 4;  ///< from one to the next that adds to the same sums
  bool has_masks = false;       ///< vectors are loaded and stored in part
  /// It combines values by a function, as argmax, in any order; lowering lets lanes combine apart
  /// (lowering/lane_states.h).
  bool has_states = false;
  /// Per loop: it runs over a block of a loop whose extent is known when it runs, so that the last
  /// one ends anywhere. Empty: none does.
  std::vector<bool> cut_blocks;

  /// Whether an extent is known when it runs.
  bool has_sizes() const { return std::find(sized.begin(), sized.end(), true) != sized.end(); }
};

/// Whether the addresses of all that the described statement of a stage reads move evenly along a
/// loop: each VectorAccess::steps of it is known. Takes a part of the time of describe_stage.
bool reads_evenly(const schedule::State& state, const std::string& stage, schedule::LoopId loop);

/// Describes a stage for a target with vectors and caches. Loops of stages that were placed inside
/// of it, and marked ones, are fixed: Tiling::Outside.
VectorStage describe_stage(const schedule::State& state, const std::string& stage,
                           const Target& target);

}  // namespace solway::memory_planner
