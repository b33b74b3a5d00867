#include "driver/long_vectors.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "memory_planner/vector_plan_cost.h"
#include "schedule/fuse.h"
#include "schedule/reorder.h"
#include "schedule/vectorize.h"

namespace solway::driver {
namespace {

using memory_planner::Tiling;
using memory_planner::VectorAccess;
using memory_planner::VectorStage;
using schedule::LoopId;

/// A loop that may be vectorized, with those that are fused with it.
struct Candidate {
  int loop = -1;
  std::vector<int> fused;  ///< around it, the innermost first
  std::int64_t extent = 0;
  int apart = 0;  ///< operands whose elements are no neighbours
};

class LongVectorWriter {
 public:
  LongVectorWriter(const VectorStage& stage, int lanes) : stage_(stage), lanes_(lanes) {}

  std::optional<Candidate> best() const {
    std::optional<Candidate> of_results, of_sums;
    for (int k = 0; k < size(); ++k) {
      if (!is_free(k) || stage_.loops[index(k)].extent < 2) continue;
      const bool is_sum = memory_planner::is_reduction(stage_, k);
      const Candidate found = candidate(k);
      if (is_sum ? !stage_.has_free_order || found.apart > 0 : !writes_neighbours(k)) continue;
      std::optional<Candidate>& mine = is_sum ? of_sums : of_results;
      if (!mine || is_better(found, *mine)) mine = found;
    }
    const bool is_short = !of_results || of_results->extent < lanes_;
    const bool is_longer = of_sums && (!of_results || of_sums->extent > of_results->extent);
    return is_short && is_longer ? of_sums : of_results;
  }

  /// Fixed loops, loops over results, reductions, and what becomes one.
  std::vector<LoopId> order(const Candidate& chosen) const {
    std::vector<LoopId> out;
    for (const int pass : {0, 1, 2}) {
      for (int k = 0; k < size(); ++k) {
        const bool is_chosen =
            k == chosen.loop || std::count(chosen.fused.begin(), chosen.fused.end(), k) != 0;
        if (!is_chosen && pass_of(k) == pass) out.push_back(stage_.ids[index(k)]);
      }
    }
    const std::vector<LoopId> inner = ids_of(chosen);
    out.insert(out.end(), inner.begin(), inner.end());
    return out;
  }

  /// Outermost first.
  std::vector<LoopId> ids_of(const Candidate& chosen) const {
    std::vector<LoopId> out;
    for (std::size_t n = chosen.fused.size(); n-- > 0;) {
      out.push_back(stage_.ids[index(chosen.fused[n])]);
    }
    out.push_back(stage_.ids[index(chosen.loop)]);
    return out;
  }

 private:
  static std::size_t index(int loop) { return static_cast<std::size_t>(loop); }
  int size() const { return static_cast<int>(stage_.loops.size()); }

  bool is_free(int k) const {
    return stage_.loops[index(k)].tiling == Tiling::Free && stage_.around[index(k)];
  }

  int pass_of(int k) const {
    if (stage_.loops[index(k)].tiling != Tiling::Free) return 0;
    return memory_planner::is_reduction(stage_, k) ? 2 : 1;
  }

  bool writes_neighbours(int k) const {
    return std::all_of(stage_.accesses.begin(), stage_.accesses.end(), [&](const auto& access) {
      return !access.is_written || access.steps[index(k)] == 1;
    });
  }

  Candidate candidate(int k) const {
    Candidate out{k, {}, stage_.loops[index(k)].extent, 0};
    for (const VectorAccess& access : stage_.accesses) {
      const auto& step = access.steps[index(k)];
      if (!step || (*step != 0 && *step != 1)) ++out.apart;
    }
    while (const auto next = continued_by(out)) {
      out.fused.push_back(*next);
      out.extent *= stage_.loops[index(*next)].extent;
    }
    return out;
  }

  /// The loop of the same kind whose next iteration is where the last one of the candidate ends.
  std::optional<int> continued_by(const Candidate& so_far) const {
    if (stage_.has_sizes()) return std::nullopt;
    for (int k = 0; k < size(); ++k) {
      const bool is_other =
          k != so_far.loop && std::count(so_far.fused.begin(), so_far.fused.end(), k) == 0;
      const bool is_alike = stage_.loops[index(k)].kind == stage_.loops[index(so_far.loop)].kind;
      if (!is_other || !is_alike || !is_free(k)) continue;
      const bool continues = std::all_of(
          stage_.accesses.begin(), stage_.accesses.end(),
          [&](const auto& access) { return access.goes_on(k, so_far.loop, so_far.extent); });
      if (continues) return k;
    }
    return std::nullopt;
  }

  static bool is_better(const Candidate& a, const Candidate& b) {
    return std::pair(a.apart, -a.extent) < std::pair(b.apart, -b.extent);
  }

  const VectorStage& stage_;
  int lanes_;
};

}  // namespace

std::optional<LongVectors> write_long_vectors(const schedule::State& state,
                                              const VectorStage& stage, int lanes,
                                              const SourceLoc& where) {
  const LongVectorWriter writer(stage, lanes);
  const auto chosen = writer.best();
  if (!chosen) return std::nullopt;
  LongVectors out{state, "", chosen->extent};
  const std::vector<LoopId> order = writer.order(*chosen);
  if (order != out.state.stage_loops.at(stage.name)) {
    out.state = schedule::reorder(out.state, stage.name, order, where);
  }
  LoopId vector = order.back();
  const std::vector<LoopId> parts = writer.ids_of(*chosen);
  if (parts.size() > 1) {
    schedule::FuseResult made = schedule::fuse(out.state, stage.name, parts, where);
    out.state = std::move(made.state);
    vector = made.fused;
  }
  out.state = schedule::vectorize(out.state, stage.name, vector, where);
  out.loop = schedule::loop_name(out.state, vector);
  return out;
}

}  // namespace solway::driver
