#include "memory_planner/live_vectors.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "memory_planner/vector_plan_cost.h"

namespace solway::memory_planner {
namespace {

/// A loop whose iterations are written out one after the other.
struct WrittenLoop {
  int loop = 0;
  std::int64_t iterations = 1;
  bool in_lanes = false;
};

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

/// Outermost first: the terms, then what is held, the vectors innermost.
std::vector<WrittenLoop> written_loops(const VectorStage& stage, const VectorPlan& plan) {
  std::vector<WrittenLoop> out;
  const int count = static_cast<int>(stage.loops.size());
  const auto add = [&](int k, std::int64_t iterations) {
    if (stage.around[index(k)] && iterations > 1) out.push_back({k, iterations, k == plan.vector});
  };
  for (int k = 0; k < count; ++k) {
    if (plan.written_out[index(k)]) add(k, stage.loops[index(k)].extent);
  }
  for (int k = 0; k < count; ++k) {
    if (k != plan.vector && !plan.written_out[index(k)]) add(k, plan.held[index(k)]);
  }
  if (plan.vector >= 0) add(plan.vector, plan.held[index(plan.vector)]);
  return out;
}

/// The first and the last copy of the body that uses an operand.
using Span = std::pair<std::int64_t, std::int64_t>;

/// What each copy uses of `access`, by address; of an address that is not known, nothing is shared.
void add_spans(const VectorStage& stage, const VectorPlan& plan,
               const std::vector<WrittenLoop>& loops, const VectorAccess& access,
               std::vector<Span>& out) {
  std::vector<std::int64_t> steps;
  for (const WrittenLoop& one : loops) {
    const auto& all = one.in_lanes && plan.in_blocks ? access.block_steps : access.steps;
    const auto& step = all[index(one.loop)];
    if (!step) return;
    steps.push_back(*step * (one.in_lanes ? stage.lanes : 1));
  }
  std::map<std::int64_t, Span> spans;
  std::vector<std::int64_t> at(loops.size(), 0);
  for (std::int64_t copy = 0;; ++copy) {
    std::int64_t address = 0;
    for (std::size_t k = 0; k < loops.size(); ++k) address += at[k] * steps[k];
    spans.try_emplace(address, copy, copy).first->second.second = copy;
    std::size_t k = loops.size();
    while (k > 0 && ++at[k - 1] == loops[k - 1].iterations) at[--k] = 0;
    if (k == 0) break;
  }
  for (const auto& [address, span] : spans) out.push_back(span);
}

}  // namespace

std::int64_t live_vectors(const VectorStage& stage, const VectorPlan& plan) {
  const std::vector<WrittenLoop> loops = written_loops(stage, plan);
  std::int64_t copies = 1;
  std::int64_t results = 1;
  for (const WrittenLoop& one : loops) {
    copies *= one.iterations;
    if (!is_reduction(stage, one.loop)) results *= one.iterations;
  }
  std::vector<Span> spans;
  for (const VectorAccess& access : stage.accesses) {
    if (!access.is_written) add_spans(stage, plan, loops, access, spans);
  }
  std::vector<std::int64_t> change(static_cast<std::size_t>(copies) + 1, 0);
  for (const auto& [first, last] : spans) {
    if (first == last) continue;
    ++change[static_cast<std::size_t>(first)];
    --change[static_cast<std::size_t>(last) + 1];
  }
  std::int64_t most = 0;
  std::int64_t now = 0;
  for (const std::int64_t one : change) most = std::max(most, now += one);
  return results + most + 1;
}

}  // namespace solway::memory_planner
