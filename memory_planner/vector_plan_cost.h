#pragma once

#include <cstdint>
#include <optional>

#include "memory_planner/vector_plan.h"
#include "memory_planner/vector_stage.h"
#include "support/target.h"

namespace solway::memory_planner {

/// Caches of a CPU and what they deliver; sizes of the target's file, rates as
/// docs/cpu_schedules.md gives them.
struct CacheModel {
  std::int64_t first_bytes = 32768;
  std::int64_t second_bytes = 262144;
  int registers = 16;

  /// What a core has of the last cache, which others use, too.
  double far_bytes() const { return 8.0 * static_cast<double>(second_bytes); }
};
CacheModel caches_of(const Target& target);

/// Of a line of a cache.
inline constexpr double kLineBytes = 64;
/// Cycles for a vector, or a line, that comes from beyond the second-level cache; measured as
/// docs/cpu_schedules.md says.
inline constexpr double kVectorFromThird = 2.2;

/// The copy that a plan makes of what an access reads; null: none.
const Panel* panel_of(const VectorPlan& plan, const VectorAccess& access);

/// The reduction loop that runs innermost and is not written out; -1: none.
int innermost_term(const VectorStage& stage, const VectorPlan& plan);

/// Whether a loop belongs to a reduction.
bool is_reduction(const VectorStage& stage, int loop);

/// Vectors, or without lanes iterations, of a loop that a plan runs.
std::int64_t steps_along(const VectorStage& stage, const VectorPlan& plan, int loop);

/// Whether rows of the tile that is held lie far apart in an operand.
bool has_far_rows(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access);

/// The address step of an access along the vector loop, 0 or 1, or of a plan with dots in groups of
/// bytes; nullopt for all else.
std::optional<std::int64_t> lane_step(const VectorPlan& plan, const VectorAccess& access);

/// Whether an operand is read in squares (VectorPlan::turned).
bool is_turned(const VectorPlan& plan, const VectorAccess& access);

/// Whether what a plan has of an access for VectorPlan::interleaved lies side by side, in vectors
/// whose lanes are as far apart.
bool lies_interleaved(const VectorPlan& plan, const VectorAccess& access);

/// Vectors or numbers of an access that one turn of a tile loads, each once.
double distinct_loads(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access);

/// Bytes of an access that one tile uses over all iterations of the reduction, or of one block.
std::int64_t strip_bytes(const VectorStage& stage, const VectorPlan& plan,
                         const VectorAccess& access);

/// How many tiles use the same strip of an access, one after the other.
std::int64_t uses_of_strip(const VectorStage& stage, const VectorPlan& plan,
                           const VectorAccess& access);

/// Registers that the innermost loop needs at once.
std::int64_t registers_of(const VectorStage& stage, const VectorPlan& plan);

/// Cycles of the whole stage on one core.
double cycles_of(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches);

}  // namespace solway::memory_planner
