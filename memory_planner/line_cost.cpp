#include "memory_planner/line_cost.h"

#include <algorithm>
#include <cmath>

#include "memory_planner/reread_cost.h"

namespace solway::memory_planner {
namespace {

// Of present x86 cores, measured as docs/cpu_schedules.md says.
constexpr double kLoad = 0.5;        ///< two loads start in a cycle
constexpr double kFromSecond = 1.4;  ///< a line from the second-level cache
constexpr double kStream = 0.1;      ///< a place from which a turn reads on, of what is read once
constexpr double kMostGaps = 4;      ///< times what a turn reads of memory, with what it leaves out
constexpr double kPageWalk = 7;      ///< an address on another page than the one before
constexpr double kConflict = 3;      ///< a line that shares its place with those before it
constexpr std::int64_t kPageBytes = 4096;
constexpr std::int64_t kPagesAtHand = 64;  ///< of the first-level translation buffer
constexpr double kFewLines = 12;           ///< that one turn wants of memory without waiting;
constexpr double kLineMore = 0.02;         ///< each waits so long for each more of them, up to
constexpr double kMostLines = 50;
constexpr double kRow = 0.15;             ///< a row of memory from which one turn reads
constexpr std::int64_t kRowBytes = 1024;  ///< between places of two rows of memory, at least

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

int loop_count(const VectorStage& stage) { return static_cast<int>(stage.loops.size()); }

bool is_around(const VectorStage& stage, int loop) { return stage.around[index(loop)]; }

/// Places far from each other from which one turn reads vectors: the fewer, the more neighbours it
/// reads, whose lines come together.
double streams_of(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access) {
  double out = 1;
  for (int k = 0; k < loop_count(stage); ++k) {
    if (k != plan.vector && access.depends(k)) out *= static_cast<double>(plan.held[index(k)]);
  }
  return out;
}

/// What memory delivers for what is read once: it fetches ahead in order, so that what one turn
/// leaves out before the next one comes, too, and is lost until tiles that need it read it again.
///
///   for k: W[k * 64 .. k * 64 + 31]     2: half of each row of 64
double gaps_of(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access,
               int term) {
  if (term < 0 || term == plan.vector || !access.steps[index(term)]) return 1;
  double vectors = static_cast<double>(plan.held[index(plan.vector)]);
  for (int k = 0; k < loop_count(stage); ++k) {
    const bool is_copied = k != plan.vector && k != plan.dot && plan.written_out[index(k)];
    if (is_copied && access.depends(k))
      vectors *= static_cast<double>(stage.loops[index(k)].extent);
  }
  const auto step =
      static_cast<double>(std::abs(*access.steps[index(term)]) * access.element_bytes);
  if (step > static_cast<double>(kPageBytes)) return 1;
  const std::int64_t in_lane = access.element_bytes * (plan.dot >= 0 ? plan.dot_terms : 1);
  const double read = vectors * stage.lanes * static_cast<double>(in_lane);
  return std::clamp(step / read, 1.0, kMostGaps);
}

/// Lines of a cache that one turn reads in so many vectors along the vector loop.
double lines_of(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access,
                double vectors) {
  const std::int64_t in_lane = access.element_bytes * (plan.dot >= 0 ? plan.dot_terms : 1);
  const double bytes = vectors * static_cast<double>(stage.lanes * in_lane);
  return bytes * line_share(stage, plan, access) / kLineBytes;
}

/// Lines of what is read once that no tile before has read: windows that are written out read most
/// lines again.
///
///   for x: D[x] = sum over r, q < 3 of X[y + r, x + q]     8 x: 8 of 30 lines
double fresh_lines(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access,
                   double lines) {
  const double all =
      elements_of_tiles(stage, plan, access) * static_cast<double>(access.element_bytes);
  return lines * std::min(1.0, bytes_of_all_tiles(stage, plan, access) / all);
}

/// Rows of memory that one turn of a tile without loops reads, at most.
double rows_of_turn(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access) {
  double out = 1;
  for (int k = 0; k < loop_count(stage); ++k) {
    const auto& step = access.steps[index(k)];
    if (k == plan.vector || !access.depends(k) || !step) continue;
    if (std::abs(*step) * access.element_bytes < kRowBytes) continue;
    const bool is_whole = is_around(stage, k) && plan.written_out[index(k)];
    out *= static_cast<double>(is_whole ? stage.loops[index(k)].extent : plan.held[index(k)]);
  }
  return out;
}

/// Cycles for lines that windows read, beside all else: what they read again is near.
double window_cycles(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access,
                     double lines) {
  const double fresh = fresh_lines(stage, plan, access, lines);
  return fresh * kVectorFromThird + (lines - fresh) * kLoad;
}

}  // namespace

bool writes_out_terms(const VectorPlan& plan) {
  return std::find(plan.written_out.begin(), plan.written_out.end(), true) !=
         plan.written_out.end();
}

bool is_one_turn(const VectorStage& stage, const VectorPlan& plan) {
  for (int k = 0; k < loop_count(stage); ++k) {
    if (is_around(stage, k) && is_reduction(stage, k) && !plan.written_out[index(k)]) return false;
  }
  return true;
}

double line_share(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access) {
  if (is_reduction(stage, plan.vector) || panel_of(plan, access) != nullptr) return 1;
  const std::int64_t in_lane = access.element_bytes * (plan.dot >= 0 ? plan.dot_terms : 1);
  const auto read = static_cast<double>(plan.held[index(plan.vector)] * stage.lanes * in_lane);
  const double whole = std::ceil(read / kLineBytes) * kLineBytes;
  const int term = innermost_term(stage, plan);
  const auto step = term < 0 ? std::nullopt : access.steps[index(term)];
  if (!step || *step == 0) return whole / read;
  return std::clamp(static_cast<double>(std::abs(*step) * access.element_bytes), read, whole) /
         read;
}

double burst_cycles(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches) {
  double out = 0;
  if (plan.vector < 0 || !stage.is_update || !is_one_turn(stage, plan)) return out;
  for (const VectorAccess& access : stage.accesses) {
    if (access.is_written || lane_step(plan, access) != 1) continue;
    if (uses_of_strip(stage, plan, access) > 1) continue;
    const double all = bytes_of_all_tiles(stage, plan, access);
    if (all <= static_cast<double>(caches.second_bytes) / 2) continue;  // others share it
    const double lines = lines_of(stage, plan, access, distinct_loads(stage, plan, access));
    const double fresh = fresh_lines(stage, plan, access, lines);
    out += fresh * kLineMore * std::clamp(fresh - kFewLines, 0.0, kMostLines);
    out += kRow * rows_of_turn(stage, plan, access);
  }
  return out;
}

double cache_cycles(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches) {
  if (plan.vector < 0) return 0;
  double out = 0;
  const int term = innermost_term(stage, plan);
  for (const VectorAccess& access : stage.accesses) {
    if (access.is_written || lane_step(plan, access) != 1) continue;
    const double vectors = distinct_loads(stage, plan, access);
    const double lines = lines_of(stage, plan, access, vectors);
    const std::int64_t strip = strip_bytes(stage, plan, access);
    const bool is_reused = uses_of_strip(stage, plan, access) > 1;
    if (!is_reused && stage.is_update && writes_out_terms(plan)) {
      out += window_cycles(stage, plan, access, lines);
    } else if (!is_reused || strip > caches.second_bytes / 2) {
      out += lines * kVectorFromThird * (is_reused ? 1 : gaps_of(stage, plan, access, term));
      if (!is_reused) out += kStream * streams_of(stage, plan, access);
    } else if (strip > caches.first_bytes / 2) {
      out += lines * kFromSecond;
    } else {
      out += kLoad * (lines - lines / line_share(stage, plan, access));
    }
    if (term < 0 || panel_of(plan, access) != nullptr || !access.steps[index(term)]) continue;
    const std::int64_t step = std::abs(*access.steps[index(term)]) * access.element_bytes;
    const std::int64_t extent = stage.loops[index(term)].extent;
    const std::int64_t terms = term == plan.blocked ? std::min(plan.block, extent) : extent;
    const bool is_far = step * terms > kPagesAtHand * kPageBytes;
    const double pages = static_cast<double>(step) / static_cast<double>(kPageBytes);
    if (is_far) out += kPageWalk * std::min(1.0, pages);
    if (is_far && step > 0 && step % kPageBytes == 0) out += lines * kConflict;
  }
  return out;
}

}  // namespace solway::memory_planner
