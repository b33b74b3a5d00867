#include "memory_planner/early_lines.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "memory_planner/reread_cost.h"
#include "memory_planner/terms_together.h"

namespace solway::memory_planner {
namespace {

constexpr double kAnswer = 400;   ///< cycles until a line of main memory is there
constexpr double kFewest = 4;     ///< turns ahead
constexpr double kMost = 64;      ///< more may leave the first-level cache before they are used
constexpr double kMostLines = 8;  ///< of one turn; a core waits for 10 to 16 at a time
constexpr double kFirstRead = 3;  ///< a line that the caches do not fetch in time; measured
/// ... of main memory, where a turn reads some numbers of a row and the next one of another;
/// measured
constexpr double kFirstReadOfRow = 35;

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

int loop_count(const VectorStage& stage) { return static_cast<int>(stage.loops.size()); }

/// Turns of the innermost loop until a line that is asked for is there.
std::int64_t turns_ahead(const VectorStage& stage, const VectorPlan& plan) {
  double results = 1;
  for (const std::int64_t held : plan.held) results *= static_cast<double>(held);
  const auto terms = static_cast<double>(terms_of_turn(plan, innermost_term(stage, plan)));
  return turns_until_answered(results * terms *
                              (plan.dot < 0 ? stage.vector_cycles : stage.dot_cycles));
}

bool has_tiles(const VectorStage& stage, const VectorPlan& plan, int loop) {
  return stage.loops[index(loop)].tiling == Tiling::Free &&
         steps_along(stage, plan, loop) > plan.held[index(loop)];
}

/// What vectors of the reduction read again and again, beside each read.
std::optional<EarlyLines> beside_reads(const VectorStage& stage, const VectorPlan& plan,
                                       const VectorAccess& access, const CacheModel& caches) {
  const int term = innermost_term(stage, plan);
  const bool is_moved = lane_step(plan, access) == 1 && access.depends(term);
  if (!is_moved || panel_of(plan, access) != nullptr) return std::nullopt;
  if (uses_of_strip(stage, plan, access) < 2) return std::nullopt;
  if (strip_bytes(stage, plan, access) <= caches.first_bytes / 2) return std::nullopt;
  return EarlyLines{access.array, term, turns_ahead(stage, plan)};
}

/// Iterations of a loop over tiles until main memory has answered.
std::int64_t tiles_ahead(const VectorStage& stage, const VectorPlan& plan) {
  double cycles = stage.vector_cycles;
  for (int k = 0; k < loop_count(stage); ++k) {
    if (!stage.around[index(k)]) continue;
    const bool is_term = is_reduction(stage, k);
    cycles *= static_cast<double>(is_term ? stage.loops[index(k)].extent : plan.held[index(k)]);
  }
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(kAnswer / cycles)));
}

/// The outermost loop that runs in `at`, a loop over tiles, in each of whose turns few enough lines
/// are asked for: more at once would wait for each other. Loops over tiles stand around those of
/// the reduction. -1: there is none.
int loop_of_shares(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access,
                   int at) {
  std::vector<int> loops;
  const auto first = std::find(plan.outer.begin(), plan.outer.end(), at);
  for (auto loop = first + 1; loop != plan.outer.end(); ++loop) {
    if (has_tiles(stage, plan, *loop)) loops.push_back(*loop);
  }
  for (int k = 0; k < loop_count(stage); ++k) {
    const bool is_term = stage.around[index(k)] && is_reduction(stage, k);
    if (is_term && stage.loops[index(k)].extent > 1 && !plan.written_out[index(k)]) {
      loops.push_back(k);
    }
  }
  double lines = bytes_of_tile(stage, plan, access) / kLineBytes;
  for (const int loop : loops) {
    const bool is_term = is_reduction(stage, loop);
    const std::int64_t held = plan.held[index(loop)];
    const std::int64_t steps = steps_along(stage, plan, loop);
    const std::int64_t terms = loop == plan.blocked ? plan.block : steps;
    const std::int64_t shares =
        is_term ? terms / terms_of_turn(plan, loop) : (steps + held - 1) / held;
    lines /= static_cast<double>(shares);
    if (lines <= kMostLines) return loop;
  }
  return loops.empty() ? -1 : loops.back();
}

/// Numbers that are spread over lanes and come from beyond the caches: of a copy of places that are
/// no neighbours, of rows far apart, and of short stretches, which processors do not see coming.
/// What the next tile or copy needs is asked for little by little in this one.
std::optional<EarlyLines> spread_over_tile(const VectorStage& stage, const VectorPlan& plan,
                                           const VectorAccess& access, const CacheModel& caches) {
  if (access.depends(plan.vector) || plan.dot >= 0) return std::nullopt;
  const bool is_copied = panel_of(plan, access) != nullptr;
  const bool is_in_stretches = !is_copied && is_read_once_in_stretches(stage, plan, access, caches);
  const bool is_unseen = is_copied
                             ? is_read_apart(stage, plan, access, caches)
                             : is_in_stretches || (has_far_rows(stage, plan, access) &&
                                                   bytes_of_all_tiles(stage, plan, access) >
                                                       static_cast<double>(caches.second_bytes));
  if (!is_unseen) return std::nullopt;
  int at = -1;
  for (const int loop : plan.outer) {
    if (has_tiles(stage, plan, loop) && access.depends(loop)) at = loop;
  }
  const int inside = at < 0 ? -1 : loop_of_shares(stage, plan, access, at);
  if (at < 0 || inside < 0) return std::nullopt;
  // Planes and pixels of a share are found by quotients, for which the innermost loop has no time.
  if (is_in_stretches && inside == innermost_term(stage, plan)) return std::nullopt;
  return EarlyLines{access.array, at, is_copied ? 1 : tiles_ahead(stage, plan), inside};
}

}  // namespace

const EarlyLines* early_lines_of(const VectorPlan& plan, const VectorAccess& access) {
  const auto at = std::find_if(plan.early.begin(), plan.early.end(), [&](const EarlyLines& lines) {
    return lines.array == access.array && !access.is_written;
  });
  return at == plan.early.end() ? nullptr : &*at;
}

std::int64_t turns_until_answered(double cycles) {
  return static_cast<std::int64_t>(std::clamp(std::ceil(kAnswer / cycles), kFewest, kMost));
}

std::vector<EarlyLines> lines_to_ask_for(const VectorStage& stage, const VectorPlan& plan,
                                         const CacheModel& caches) {
  std::vector<EarlyLines> out;
  if (!stage.is_update || plan.vector < 0 || is_reduction(stage, plan.vector)) return out;
  if (stage.is_scalable) return out;  // how many lines a vector has is not known
  const int term = innermost_term(stage, plan);
  if (term < 0) return out;
  for (const VectorAccess& access : stage.accesses) {
    if (access.is_written) continue;
    std::optional<EarlyLines> found = beside_reads(stage, plan, access, caches);
    if (!found) found = spread_over_tile(stage, plan, access, caches);
    if (!found) continue;
    const bool is_known = std::any_of(out.begin(), out.end(), [&](const EarlyLines& lines) {
      return lines.array == access.array;
    });
    if (!is_known) out.push_back(*found);
  }
  return out;
}

double first_read_cycles(const VectorStage& stage, const VectorPlan& plan,
                         const CacheModel& caches) {
  if (!stage.is_update || plan.vector < 0) return 0;
  const std::vector<EarlyLines> known = lines_to_ask_for(stage, plan, caches);
  std::map<std::string, std::pair<double, double>> lines;  // how many, cycles for each
  for (const VectorAccess& access : stage.accesses) {
    const bool is_in_stretches =
        panel_of(plan, access) == nullptr && is_read_once_in_stretches(stage, plan, access, caches);
    const bool is_waited_for =
        std::any_of(known.begin(), known.end(),
                    [&](const EarlyLines& one) { return one.array == access.array; }) ||
        is_in_stretches;
    if (!is_waited_for || early_lines_of(plan, access) != nullptr) continue;
    const double bytes = bytes_of_all_tiles(stage, plan, access);
    const bool is_far = bytes > caches.far_bytes();
    const double cycles = is_in_stretches && is_far ? kFirstReadOfRow : kFirstRead;
    auto& [most, each] = lines[access.array];
    const bool is_spread = !access.depends(plan.vector);
    const double again = is_spread ? lines_again(stage, plan, access, caches.far_bytes()) : 0;
    most = std::max(most, bytes / kLineBytes + again);
    each = std::max(each, cycles);
  }
  double out = 0;
  for (const auto& [array, one] : lines) out += one.first * one.second;
  return out;
}

}  // namespace solway::memory_planner
