#include "memory_planner/reread_cost.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace solway::memory_planner {
namespace {

constexpr double kLineBytes = 64;
constexpr double kLineFromThird = 2.2;  ///< as docs/cpu_schedules.md says
constexpr double kMostGaps = 2;         ///< of lines that are fetched, to those that are used

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

class Rereads {
 public:
  Rereads(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches)
      : stage_(stage), plan_(plan), caches_(caches), is_inside_(stage.loops.size(), false) {}

  double run() {
    double out = 0;
    for (std::size_t n = plan_.outer.size(); n-- > 0;) {
      const int loop = plan_.outer[n];
      if (tiles(loop) > 1 && !fits()) out += outside(n) * (tiles(loop) - 1) * bytes_again(loop);
      is_inside_[index(loop)] = true;
    }
    return out / kLineBytes * kLineFromThird;
  }

 private:
  double extent(int loop) const { return static_cast<double>(stage_.loops[index(loop)].extent); }

  double tiles(int loop) const {
    const std::int64_t held = plan_.held[index(loop)];
    return static_cast<double>((steps_along(stage_, plan_, loop) + held - 1) / held);
  }

  /// Iterations of the loops around the n-th one, blocks of the reduction among them.
  double outside(std::size_t n) const {
    double out = 1;
    if (plan_.blocked >= 0) out = extent(plan_.blocked) / static_cast<double>(plan_.block);
    for (std::size_t k = 0; k < n; ++k) out *= tiles(plan_.outer[k]);
    return out;
  }

  /// Iterations of a loop that run inside.
  double inside(int loop) const {
    if (is_reduction(stage_, loop)) {
      return loop == plan_.blocked ? static_cast<double>(plan_.block) : extent(loop);
    }
    if (is_inside_[index(loop)]) return extent(loop);
    const std::int64_t held = plan_.held[index(loop)] * (loop == plan_.vector ? stage_.lanes : 1);
    return std::min(extent(loop), static_cast<double>(held));
  }

  double bytes(const VectorAccess& access) const {
    double elements = 1;
    for (int k = 0; k < static_cast<int>(stage_.loops.size()); ++k) {
      if (stage_.around[index(k)] && access.depends(k)) elements *= inside(k);
    }
    double box = 1;
    for (const DimModel& dim : access.dims) {
      auto size = static_cast<double>(dim.base);
      for (const IndexTerm& term : dim.terms) {
        size += static_cast<double>(term.growth) * (inside(term.loop) - 1);
      }
      box *= std::min(size, static_cast<double>(dim.extent));
    }
    const double gaps = access.depends(plan_.vector) ? 1 : kMostGaps;
    return std::min(box, elements * gaps) * static_cast<double>(access.element_bytes);
  }

  bool fits() const {
    double all = 0;
    for (const VectorAccess& access : stage_.accesses) all += bytes(access);
    return all <= static_cast<double>(caches_.second_bytes);
  }

  double bytes_again(int loop) const {
    double out = 0;
    for (const VectorAccess& access : stage_.accesses) {
      if (!access.is_written && !access.depends(loop)) out += bytes(access);
    }
    return out;
  }

  const VectorStage& stage_;
  const VectorPlan& plan_;
  const CacheModel& caches_;
  std::vector<bool> is_inside_;  ///< per loop: its tiles run in one iteration
};

}  // namespace

double reread_cycles(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches) {
  if (!stage.is_update || plan.vector < 0) return 0;
  return Rereads(stage, plan, caches).run();
}

}  // namespace solway::memory_planner
