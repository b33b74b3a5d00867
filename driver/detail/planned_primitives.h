#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/place_buffer.h"
#include "driver/refusal.h"
#include "driver/write_nest.h"
#include "memory_planner/nest_plan.h"
#include "memory_planner/stage_model.h"
#include "schedule/fuse.h"
#include "schedule/parallel.h"
#include "schedule/single_buffer.h"
#include "schedule/split.h"
#include "support/error.h"

/// Primitives as planners apply them.
namespace solway::driver {

/// Gives rows of the mesh parts of the second loop as well, which becomes what is left of it; the
/// first loop becomes that on the rows.
///
///   before: y.o, f.o                      4 and 16 parts
///   after:  y.o.f.o.o, f.o.i              8 rows and 8 columns
inline void share_rows(schedule::State& state, const std::string& stage,
                       std::vector<schedule::LoopId>& loops, std::int64_t columns,
                       const SourceLoc& where) {
  schedule::SplitResult cut = schedule::split(state, stage, loops[1], columns, where);
  schedule::FuseResult rows = schedule::fuse(cut.state, stage, {loops[0], cut.outer}, where);
  state = std::move(rows.state);
  loops = {rows.fused, cut.inner};
}

/// Runs one loop on all cores, or two on the rows and columns of the mesh; `loops` become those
/// that are left. Returns their names.
inline std::string run_on_cores(schedule::State& state, const std::string& stage,
                                std::vector<schedule::LoopId>& loops,
                                const memory_planner::NestPlan& plan, const SourceLoc& where) {
  const auto is_marked = [&](schedule::LoopId id) {
    return state.order.loop(id).mark == schedule::LoopMark::Parallel;
  };
  if (!loops.empty() && is_marked(loops[0])) {
    // The user has.
  } else if (loops.size() == 1) {
    state = schedule::parallel(state, stage, loops[0], where);
  } else if (loops.size() == 2) {
    const auto [rows, columns] = memory_planner::mesh_of(plan);
    if (plan.rows_of_part > 1) share_rows(state, stage, loops, columns, where);
    state = schedule::parallel_grid(state, stage, loops[0], loops[1], {rows, columns}, where);
  }
  std::string out;
  for (const schedule::LoopId id : loops) {
    out += (out.empty() ? "" : ", ") + schedule::loop_name(state, id);
  }
  return out;
}

/// Splits `rest`, which becomes the inner loop. Returns the outer one.
inline schedule::LoopId split_off(schedule::State& state, const std::string& stage,
                                  schedule::LoopId& rest, std::int64_t factor,
                                  const SourceLoc& where) {
  schedule::SplitResult made = schedule::split(state, stage, rest, factor, where);
  state = std::move(made.state);
  rest = made.inner;
  return made.outer;
}

/// Places a buffer and returns its name; nullopt where none is found, with a remark: the tensor
/// stays in main memory.
inline std::optional<std::string> try_buffer(schedule::State& state, schedule::AccessKind kind,
                                             const PlacedBuffer& request, Remarks& remarks,
                                             const SourceLoc& where) {
  const auto leave = [&](const Error& error) {
    remarks.push_back(left_in_main_memory(request.tensor, request.stage, error, where));
    return std::nullopt;
  };
  try {
    schedule::BufferResult made = place_buffer(state, kind, request, where);
    state = std::move(made.state);
    return made.buffer;
  } catch (const UnsupportedError& error) {
    return leave(error);
  } catch (const AnalysisBudgetError& error) {
    return leave(error);
  }
}

/// Applies `primitive` to a buffer of `stage` unless that is refused: a remark has `verdict` then.
template <typename Primitive>
bool try_moving(const std::string& stage, const std::string& verdict, Remarks& remarks,
                const SourceLoc& where, Primitive primitive) {
  return unless_refused(
      [&] {
        primitive();
        return true;
      },
      [&](const Error& error) {
        remarks.push_back({"auto_buffer on '" + stage + "'", verdict,
                           error.report().what + ": " + error.report().why, where});
        return false;
      });
}

/// Lets the one region of a buffer be on its way while nothing uses it, unless that is refused.
inline void move_while_unused(schedule::State& state, const std::string& buffer,
                              const std::string& stage, Remarks& remarks, const SourceLoc& where) {
  try_moving(stage, "waits for '" + buffer + "' where it is asked for", remarks, where,
             [&] { state = schedule::single_buffer(state, buffer, where); });
}

inline schedule::AccessKind access_kind(const memory_planner::TensorModel& tensor) {
  return tensor.direction == memory_planner::AccessDirection::Read ? schedule::AccessKind::Reads
                                                                   : schedule::AccessKind::Writes;
}

}  // namespace solway::driver
