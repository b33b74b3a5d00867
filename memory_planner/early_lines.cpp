#include "memory_planner/early_lines.h"

#include <algorithm>
#include <cmath>

namespace solway::memory_planner {
namespace {

constexpr double kAnswer = 400;   ///< cycles until a line of main memory is there
constexpr double kFewest = 4;     ///< turns ahead
constexpr double kMost = 64;      ///< more may leave the first-level cache before they are used
constexpr double kFirstRead = 3;  ///< a line that the caches do not fetch in time; measured

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

int loop_count(const VectorStage& stage) { return static_cast<int>(stage.loops.size()); }

/// Turns of the innermost loop until a line that is asked for is there.
std::int64_t turns_ahead(const VectorStage& stage, const VectorPlan& plan) {
  double results = 1;
  for (const std::int64_t held : plan.held) results *= static_cast<double>(held);
  const double turn = results * (plan.dot < 0 ? stage.vector_cycles : stage.dot_cycles);
  return static_cast<std::int64_t>(std::clamp(std::ceil(kAnswer / turn), kFewest, kMost));
}

double bytes_of(const VectorStage& stage, const VectorAccess& access) {
  auto out = static_cast<double>(access.element_bytes);
  for (int k = 0; k < loop_count(stage); ++k) {
    if (stage.around[index(k)] && access.depends(k)) {
      out *= static_cast<double>(stage.loops[index(k)].extent);
    }
  }
  return out;
}

}  // namespace

const EarlyLines* early_lines_of(const VectorPlan& plan, const VectorAccess& access) {
  const auto at = std::find_if(plan.early.begin(), plan.early.end(), [&](const EarlyLines& lines) {
    return lines.array == access.array && !access.is_written;
  });
  return at == plan.early.end() ? nullptr : &*at;
}

std::vector<EarlyLines> lines_to_ask_for(const VectorStage& stage, const VectorPlan& plan,
                                         const CacheModel& caches) {
  std::vector<EarlyLines> out;
  if (!stage.is_update || plan.vector < 0 || is_reduction(stage, plan.vector)) return out;
  if (stage.is_scalable) return out;  // how many lines a vector has is not known
  const int term = innermost_term(stage, plan);
  if (term < 0) return out;
  for (const VectorAccess& access : stage.accesses) {
    const bool is_moved =
        !access.is_written && lane_step(plan, access) == 1 && access.depends(term);
    if (!is_moved || panel_of(plan, access) != nullptr) continue;
    if (uses_of_strip(stage, plan, access) < 2) continue;
    if (strip_bytes(stage, plan, access) <= caches.first_bytes / 2) continue;
    const bool is_known = std::any_of(out.begin(), out.end(), [&](const EarlyLines& lines) {
      return lines.array == access.array;
    });
    if (!is_known) out.push_back({access.array, term, turns_ahead(stage, plan)});
  }
  return out;
}

double first_read_cycles(const VectorStage& stage, const VectorPlan& plan,
                         const CacheModel& caches) {
  double out = 0;
  for (const EarlyLines& lines : lines_to_ask_for(stage, plan, caches)) {
    double bytes = 0;
    for (const VectorAccess& access : stage.accesses) {
      if (access.array != lines.array || early_lines_of(plan, access) != nullptr) continue;
      bytes = std::max(bytes, bytes_of(stage, access));
    }
    out += bytes / kLineBytes * kFirstRead;
  }
  return out;
}

}  // namespace solway::memory_planner
