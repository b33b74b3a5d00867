#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "memory_planner/extract_stage.h"
#include "memory_planner/plan_memo.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Cycles by the model of a stage, its loops divided or not, and of the stage that alone reads its
/// results, if that could use up its tiles.
struct ReaderCycles {
  double alone = 0;       ///< of the stage by itself
  double own_reader = 0;  ///< of that which reads it, by itself; 0: there is none
  double together = std::numeric_limits<double>::infinity();  ///< of both, in the tiles of that

  /// Of the stage and of what takes `own_reader` by itself: who decides in which form the stage
  /// finds its operands compares that.
  double with(double reader) const { return std::min(alone + reader, together); }
};

ReaderCycles reader_cycles(const schedule::State& state, const std::string& stage,
                           const Target& target, const memory_planner::Room& room,
                           memory_planner::PlanMemo& plans, const memory_planner::Decided& decided,
                           const SourceLoc& where);

/// The one stage that reads a copy, where the copy may be left to it: sizes are constant, and the
/// user has not placed the copy.
std::optional<std::string> only_reader(const schedule::State& state, const std::string& copy);

/// Whether a copy had better be made in the buffers of its reader, by the model.
struct CopyChoice {
  std::string reader;  ///< the stage that alone reads the copy
  bool is_near = false;
  memory_planner::Decision decision;  ///< with the cycles of both stages, and of what
                                      ///< reads the results of the second in tiles
};

/// Compares a copy that is stored by itself, and loaded again by its reader, with one that the
/// reader has `in_buffers`, as `near` says in addition to `decided`: that has to take so much of
/// the cycles less, `gain`. nullopt where the user has scheduled one of the two, or they share a
/// nest.
std::optional<CopyChoice> compare_copy(
    const schedule::State& state, const std::string& copy, const std::string& reader,
    const Target& target, const memory_planner::Room& room, memory_planner::PlanMemo& plans,
    const memory_planner::Decided& decided, const memory_planner::Decided& near,
    const std::string& what, const std::string& in_buffers, double gain, const SourceLoc& where);

}  // namespace solway::driver
