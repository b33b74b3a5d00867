#include "memory_planner/terms_together.h"

#include <algorithm>

#include "memory_planner/line_cost.h"

namespace solway::memory_planner {
namespace {

constexpr std::int64_t kMostCopies = 128;   ///< of the arithmetic of a term
constexpr std::int64_t kSpare = 2;          ///< registers
constexpr std::int64_t kFewestVectors = 3;  ///< of a row
constexpr std::int64_t kFewestRows = 3;     ///< below, loads take the time

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

/// Iterations of the innermost loop of the reduction in one run of it.
std::int64_t terms_in_run(const VectorStage& stage, const VectorPlan& plan, int term) {
  const std::int64_t extent = stage.loops[index(term)].extent;
  return term == plan.blocked ? std::min(plan.block, extent) : extent;
}

/// Whether a number that is spread over lanes is read by several terms: the loop moves along a
/// dimension that rows of the tile move along, too.
bool shares_spread_numbers(const VectorStage& stage, const VectorPlan& plan, int term) {
  const auto moves = [](const DimModel& dim, const auto& is_loop) {
    return std::any_of(dim.terms.begin(), dim.terms.end(),
                       [&](const IndexTerm& one) { return is_loop(one.loop); });
  };
  const auto is_term = [&](int loop) { return loop == term; };
  const auto is_row = [&](int loop) { return loop != plan.vector && plan.held[index(loop)] > 1; };
  return std::any_of(stage.accesses.begin(), stage.accesses.end(), [&](const VectorAccess& access) {
    if (access.is_written || access.depends(plan.vector)) return false;
    return std::any_of(access.dims.begin(), access.dims.end(), [&](const DimModel& dim) {
      return moves(dim, is_term) && moves(dim, is_row);
    });
  });
}

}  // namespace

std::int64_t terms_of_turn(const VectorPlan& plan, int loop) {
  return loop >= 0 && loop == plan.together.loop ? plan.together.size : 1;
}

std::int64_t vectors_of_row(const VectorStage& stage, const VectorPlan& plan) {
  if (plan.vector < 0) return 0;
  const auto moves_vectors = [&](int loop) {
    return std::any_of(stage.accesses.begin(), stage.accesses.end(), [&](const auto& access) {
      return !access.is_written && access.depends(plan.vector) && access.depends(loop);
    });
  };
  std::int64_t out = 1;
  for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
    if (k == plan.vector || moves_vectors(k)) out *= plan.held[index(k)];
  }
  return out;
}

std::optional<VectorPlan> with_terms_together(const VectorStage& stage, const VectorPlan& plan) {
  const int term = innermost_term(stage, plan);
  const bool may = stage.is_update && plan.in_registers && plan.vector >= 0 && plan.dot < 0 &&
                   term >= 0 && !stage.is_scalable && stage.statements == 1 &&
                   plan.together.loop < 0 && !writes_out_terms(plan);
  if (!may || stage.loops[index(term)].tiling != Tiling::Free) return std::nullopt;
  if (term == plan.vector || shares_spread_numbers(stage, plan, term)) return std::nullopt;
  std::int64_t results = 1;
  for (const std::int64_t held : plan.held) results *= held;
  const std::int64_t terms = terms_in_run(stage, plan, term);
  for (const std::int64_t size : {4, 3, 2}) {
    if (terms % size != 0 || stage.loops[index(term)].extent % size != 0) continue;
    if (terms <= size || results * size > kMostCopies) continue;
    VectorPlan out = plan;
    out.together = {term, size};
    return out;
  }
  return std::nullopt;
}

bool wants_terms_together(const VectorStage& stage, const VectorPlan& plan,
                          const CacheModel& caches) {
  std::int64_t results = 1;
  for (const std::int64_t held : plan.held) results *= held;
  const std::int64_t vectors = vectors_of_row(stage, plan);
  return vectors >= kFewestVectors && results >= kFewestRows * vectors &&
         registers_of(stage, plan) + kSpare <= caches.registers - 1;
}

}  // namespace solway::memory_planner
