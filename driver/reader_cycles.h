#pragma once

#include <optional>
#include <string>

#include "memory_planner/extract_stage.h"
#include "memory_planner/plan_memo.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Cycles of a stage by the model, its loops divided or not, less what is saved where its tiles are
/// used up in the loops of its own reader. Who decides in which form the stage finds its operands
/// compares that.
double reader_cycles(const schedule::State& state, const std::string& stage, const Target& target,
                     const memory_planner::Room& room, memory_planner::PlanMemo& plans,
                     const memory_planner::Decided& decided, const SourceLoc& where);

/// The one stage that reads a copy, where the copy may be left to it: sizes are constant, and the
/// user has not placed the copy.
std::optional<std::string> only_reader(const schedule::State& state, const std::string& copy);

/// Whether a copy had better be made in the buffers of its reader, by the model.
struct CopyChoice {
  std::string reader;  ///< the stage that alone reads the copy
  bool is_near = false;
  memory_planner::Decision decision;  ///< with the cycles of both stages
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
