#include "memory_planner/cut_rows.h"

#include <algorithm>

namespace solway::memory_planner {
namespace {

/// What is left for the last of so many pieces.
std::int64_t last_of(std::int64_t extent, std::int64_t piece) {
  return extent - (extent - 1) / piece * piece;
}

}  // namespace

double share_of_cut_rows(const StageModel& stage, const NestPlan& plan,
                         const std::function<double(std::int64_t)>& row) {
  const auto loop = static_cast<std::size_t>(plan.vector);
  const LoopCut& cut = plan.cuts[loop];
  const std::int64_t extent = stage.loops[loop].extent;
  const std::int64_t mine = busiest_extent(stage, plan, plan.vector);
  const bool are_shared = mine < extent;  // others have whole parts
  const std::int64_t own = are_shared ? last_of(extent, cut.part) : extent;
  const std::int64_t left = last_of(last_of(own, cut.tile), cut.held);
  const double whole = row(cut.held);
  if (left == cut.held || whole <= 0) return 1;
  const auto rows = [&](std::int64_t count) {
    const std::int64_t whole_and_cut = (count + cut.held - 1) / cut.held;
    return static_cast<double>(whole_and_cut);
  };
  const double share = (rows(own) - 1 + row(left) / whole) / rows(mine);
  return are_shared ? std::max(1.0, share) : share;
}

}  // namespace solway::memory_planner
