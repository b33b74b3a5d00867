#include "memory_planner/vector_plan_cost.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "memory_planner/early_lines.h"
#include "memory_planner/lane_sum_cost.h"
#include "memory_planner/line_cost.h"
#include "memory_planner/reread_cost.h"
#include "memory_planner/tile_levels.h"
#include "support/lanes_apart.h"

namespace solway::memory_planner {
namespace {

// Of present x86 cores, measured as docs/cpu_schedules.md says.
constexpr double kLoad = 0.5;  ///< two loads start in a cycle
constexpr double kStore = 1;
constexpr double kGatherLane = 4;  ///< of each lane of a gather, or of a strided load
constexpr double kScatterLane = 4;
constexpr double kTurnedOut = 1.0;    ///< ... of a result that registers held: by way of the stack
constexpr double kScatterMoves = 1;   ///< ... on the arithmetic pipes
constexpr double kTurnedVector = 4;   ///< of a square that is turned in registers
constexpr double kTurnedWhole = 0.4;  ///< ... of which so much is for all of it, with few rows, too
constexpr double kReversed = 1;       ///< neighbours in the other order
constexpr double kApart = 1.5;  ///< of each whole vector from which lanes that lie apart are taken
constexpr double kShuffled = 0.75;
constexpr double kInterleaved = 1.5;  ///< of a vector that is put together to be stored
constexpr double kChainSlack = 1.15;  ///< a sum waits a little longer than its latency
constexpr double kPredicted = 2.3;    ///< of several values, which a term seldom changes
constexpr double kScalarStart = 3;    ///< of a sum without lanes
constexpr double kFarRow = 0.02;      ///< a number that is spread, from a row far from the last one
constexpr std::int64_t kFarBytes = 1024;
constexpr double kLookedAhead = 200;   ///< results of a tile by terms, beside which the next begins
constexpr double kTileStart = 12;      ///< addresses and loops of a tile, and its first results
constexpr double kTurnStart = 0.5;     ///< ... of a tile without loops, beside which the next runs
constexpr double kTurned = 1.5;        ///< to copy one element to a panel in another order
constexpr double kCopiedInRows = 2;    ///< ... row by row of tiles
constexpr double kCopied = 0.25;       ///< to copy one element to a panel
constexpr double kGrouped = 0.1;       ///< ... of rows of which elements lie side by side in it
constexpr double kGroupsTurned = 0.8;  ///< ... of groups that lie side by side in another order
constexpr double kWidened = 0.1;       ///< ... of 16-bit floats to one of float32
constexpr double kWiden = 1;           ///< a vector of 16-bit floats to float32
constexpr double kWidenSpread = 1.5;   ///< one that is spread over lanes
/// Of a tile whose vectors start late: they have masks, and other ones for each term.
constexpr double kLateTile = 1.05;
constexpr double kLateFullTile = 1.3;  ///< ... of one for which registers hardly suffice
constexpr double kTieBreak = 0.02;     ///< of two equal ones, the one that does less beside

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

int loop_count(const VectorStage& stage) { return static_cast<int>(stage.loops.size()); }

bool is_around(const VectorStage& stage, int loop) { return stage.around[index(loop)]; }

bool depends_on_any(const VectorStage& stage, const VectorAccess& access, bool reductions) {
  for (int k = 0; k < loop_count(stage); ++k) {
    if (is_around(stage, k) && is_reduction(stage, k) == reductions && access.depends(k)) {
      return true;
    }
  }
  return false;
}

/// To make float32 of what one load of 16-bit floats has; panels hold float32.
double widening_cycles(const VectorPlan& plan, const VectorAccess& access) {
  if (!access.is_half || plan.dot >= 0 || panel_of(plan, access) != nullptr) return 0;
  return plan.vector >= 0 && !access.depends(plan.vector) ? kWidenSpread : kWiden;
}

/// Requests for lines that one turn makes: beside each load, or a share of what the next tile
/// reads.
double requests_of(const VectorPlan& plan, const VectorAccess& access, double loads) {
  const EarlyLines* const lines = early_lines_of(plan, access);
  if (lines == nullptr) return 0;
  if (lines->inside < 0) return loads;
  return panel_of(plan, access) == nullptr ? 1 : 0;
}

/// Turns of the loops inside a tile.
double turns(const VectorStage& stage, const VectorPlan& plan) {
  double out = 1;
  for (int k = 0; k < loop_count(stage); ++k) {
    if (!is_around(stage, k) || !is_reduction(stage, k) || plan.written_out[index(k)]) continue;
    const std::int64_t extent = stage.loops[index(k)].extent;
    const std::int64_t unit = k == plan.vector ? stage.lanes : k == plan.dot ? plan.dot_terms : 1;
    // What does not fill a vector of terms is one more, as is what does not fill a group of bytes.
    const std::int64_t whole = (extent + unit - 1) / unit;
    out *= static_cast<double>(whole);
  }
  return out;
}

/// Whether lanes that lie apart are loaded as whole vectors.
bool is_whole(const VectorStage& stage, std::int64_t step) {
  return !stage.is_scalable && are_loaded_whole(step, stage.lanes);
}

/// Of a vector that is put together from others on the way, on a pipe that multiplies, too.
double shuffle_cycles(const VectorStage& stage, const VectorPlan& plan,
                      const VectorAccess& access) {
  if (plan.vector < 0 || lane_step(plan, access) || is_turned(plan, access)) return 0;
  const std::int64_t step = access.steps[index(plan.vector)].value_or(0);
  if (step == -1) return kShuffled;
  return is_whole(stage, step) ? kShuffled * static_cast<double>(step - 1) : 0;
}

/// To load one vector, or number.
double load_cycles(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access) {
  if (plan.vector < 0 || lane_step(plan, access)) return kLoad;
  if (is_turned(plan, access)) {
    const auto rows = static_cast<double>(is_reduction(stage, plan.turned)
                                              ? stage.loops[index(plan.turned)].extent
                                              : plan.held[index(plan.turned)]);
    return kTurnedVector * (kTurnedWhole * stage.lanes / rows + 1 - kTurnedWhole);
  }
  const std::int64_t step = access.steps[index(plan.vector)].value_or(0);
  if (step == -1) return kReversed;
  const double vectors = lies_interleaved(plan, access) ? 1 : static_cast<double>(step);
  if (is_whole(stage, step)) return kApart * vectors;
  return stage.lanes * kGatherLane;
}

/// One turn of the tile: each result takes one term, or those of the loops that are written out.
double step_cycles(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches) {
  double results = 1;
  double copies = 1;
  for (int k = 0; k < loop_count(stage); ++k) {
    if (!is_around(stage, k)) continue;
    results *= static_cast<double>(plan.held[index(k)]);
    if (plan.written_out[index(k)]) copies *= static_cast<double>(stage.loops[index(k)].extent);
  }
  if (plan.vector < 0 && stage.has_states) return results * copies * kPredicted;
  double arithmetic = results * copies * (plan.dot < 0 ? stage.vector_cycles : stage.dot_cycles);
  // A sum in lanes has up to four vectors of partial sums; other sums, or several, each one.
  const bool in_lanes = plan.vector >= 0 && is_reduction(stage, plan.vector);
  const bool is_tile_of_sums = in_lanes && results > 1;
  double loads = 0;
  double stores = 0;
  double far = 0;
  for (const VectorAccess& access : stage.accesses) {
    if (access.is_written && stage.is_update && (plan.in_registers || is_tile_of_sums)) continue;
    const double count = distinct_loads(stage, plan, access);
    if (access.is_written) {
      const bool is_together = lies_interleaved(plan, access);
      const bool is_apart = plan.vector >= 0 && !lane_step(plan, access) && !is_together;
      stores += count * (is_apart ? stage.lanes * kScatterLane : kStore);
      const double moves = is_apart ? stage.lanes * kScatterMoves : is_together ? kInterleaved : 0;
      arithmetic += count * moves;
      if (stage.is_update) loads += count * load_cycles(stage, plan, access);
    } else {
      loads += count * load_cycles(stage, plan, access);
      loads += requests_of(plan, access, count) * kLoad;  // requests are loads
      arithmetic += count * (widening_cycles(plan, access) + shuffle_cycles(stage, plan, access));
      if (plan.vector >= 0 && !access.depends(plan.vector) && has_far_rows(stage, plan, access)) {
        far += count * kFarRow;
      }
    }
  }
  const double latency = plan.dot < 0 ? stage.chain_cycles : stage.dot_chain_cycles;
  const bool is_hidden = is_one_turn(stage, plan) ||
                         (copies > 1 && results * copies * turns(stage, plan) <= kLookedAhead);
  const double chain = is_hidden ? 0
                                 : latency * kChainSlack * copies /
                                       (in_lanes ? vectors_apart(stage, plan, results) : 1);
  const double caching = cache_cycles(stage, plan, caches);
  const double slowest = std::max({arithmetic, loads, stores, chain, caching});
  return slowest + kTieBreak * (arithmetic + loads + stores + caching) + far +
         burst_cycles(stage, plan, caches);
}

/// Cycles of one tile whose held iterations are those of `plan`.
double tile_cycles(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches) {
  double out = turns(stage, plan) * step_cycles(stage, plan, caches);
  if (!stage.is_update) return out + 0.5;
  double results = 1;
  for (const std::int64_t held : plan.held) results *= static_cast<double>(held);
  double parts = 1;
  if (plan.blocked >= 0) {
    const std::int64_t extent = stage.loops[index(plan.blocked)].extent;
    const std::int64_t blocks = (extent + plan.block - 1) / plan.block;
    parts = static_cast<double>(blocks);
  }
  double store = 0;
  for (const VectorAccess& access : stage.accesses) {
    const bool is_apart = access.is_written && plan.vector >= 0 && !lane_step(plan, access);
    const double of_lane = parts > 1 || stage.is_scalable ? kScatterLane : kTurnedOut;
    if (access.is_written) store += is_apart ? stage.lanes * of_lane : kStore;
  }
  if (plan.in_registers) out += parts * results * store * (parts > 1 ? 1.5 : 1);
  const double start = is_one_turn(stage, plan) ? kTurnStart : kTileStart;
  out += parts * (plan.vector < 0 ? kScalarStart : start);
  if (plan.vector >= 0 && is_reduction(stage, plan.vector)) {
    out += combining_cycles(stage, plan, results);
  }
  return out;
}

/// How often a panel is copied: in the loops over tiles that stand outside of those that move it.
double copies_of_panel(const VectorStage& stage, const VectorPlan& plan,
                       const VectorAccess& access) {
  if (panel_of(plan, access)->in_rows) return 1;
  double out = 1;
  double since = 1;
  for (const TileLevel& level : tile_levels(stage, plan)) {
    if (!access.depends(level.loop)) {
      since *= level.iterations;
    } else if (level.iterations > 1) {
      out = since;
    }
  }
  return out;
}

/// To copy one element to a panel.
double copy_cycles(const VectorPlan& plan, const VectorAccess& access) {
  const Panel& panel = *panel_of(plan, access);
  if (panel.in_rows) return kCopiedInRows;
  if (panel.in_groups) return access.groups[index(plan.dot)] ? kGroupsTurned : kGrouped;
  return panel.lanes >= 0 ? kTurned : access.is_half ? kWidened : kCopied;
}

double panel_cycles(const VectorStage& stage, const VectorPlan& plan) {
  double out = 0;
  for (const VectorAccess& access : stage.accesses) {
    if (panel_of(plan, access) == nullptr) continue;
    const bool is_spread = plan.vector >= 0 && !access.depends(plan.vector);
    if (is_spread && !access.is_half && !panel_of(plan, access)->in_rows) {
      out +=
          elements_of_tiles(stage, plan, access) * copies_of_panel(stage, plan, access) * kCopied;
      continue;
    }
    double elements = 1;
    for (int k = 0; k < loop_count(stage); ++k) {
      if (is_around(stage, k) && access.depends(k)) {
        elements *= static_cast<double>(stage.loops[index(k)].extent);
      }
    }
    out += elements * copies_of_panel(stage, plan, access) * copy_cycles(plan, access);
  }
  return out;
}

/// All tiles: full ones, and for each loop that they do not divide those at its end.
double all_tiles(const VectorStage& stage, VectorPlan plan, const CacheModel& caches, int loop) {
  if (loop == loop_count(stage)) return tile_cycles(stage, plan, caches);
  if (!is_around(stage, loop) || is_reduction(stage, loop)) {
    return all_tiles(stage, std::move(plan), caches, loop + 1);
  }
  const std::int64_t steps = steps_along(stage, plan, loop);
  const std::int64_t held = plan.held[index(loop)];
  const std::int64_t full = steps / held;
  const std::int64_t rest = steps % held;
  double out = 0;
  if (full > 0) {
    const bool is_late = loop == plan.vector && plan.in_registers && stage.starts_late[index(loop)];
    const bool is_full = registers_of(stage, plan) > caches.registers * 3 / 4;
    const double late = !is_late ? 0 : (is_full ? kLateFullTile : kLateTile) - 1;
    out += (static_cast<double>(full) + late) * all_tiles(stage, plan, caches, loop + 1);
  }
  if (rest > 0) {
    plan.held[index(loop)] = rest;
    out += all_tiles(stage, std::move(plan), caches, loop + 1);
  }
  return out;
}

}  // namespace

const Panel* panel_of(const VectorPlan& plan, const VectorAccess& access) {
  const auto at = std::find_if(plan.panels.begin(), plan.panels.end(), [&](const Panel& panel) {
    return panel.array == access.array && panel.references == access.references;
  });
  return at == plan.panels.end() ? nullptr : &*at;
}

int innermost_term(const VectorStage& stage, const VectorPlan& plan) {
  int out = -1;
  for (int k = 0; k < loop_count(stage); ++k) {
    if (is_around(stage, k) && is_reduction(stage, k) && !plan.written_out[index(k)] &&
        stage.loops[index(k)].extent > 1) {
      out = k;
    }
  }
  return out;
}

bool has_far_rows(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access) {
  for (int k = 0; k < loop_count(stage); ++k) {
    if (plan.held[index(k)] == 1 || !access.depends(k)) continue;
    if (!access.steps[index(k)]) return true;
    if (std::abs(*access.steps[index(k)]) * access.element_bytes > kFarBytes) return true;
  }
  return false;
}

std::optional<std::int64_t> lane_step(const VectorPlan& plan, const VectorAccess& access) {
  const Panel* const panel = panel_of(plan, access);
  if (panel != nullptr && panel->lanes >= 0) return 1;
  const auto& steps = plan.in_blocks ? access.block_steps : access.steps;
  const auto& step = steps[index(plan.vector)];
  const std::int64_t unit = plan.dot >= 0 && !access.is_written ? plan.dot_terms : 1;
  if (!step || (*step != 0 && *step != unit)) return std::nullopt;
  return *step / unit;
}

bool is_turned(const VectorPlan& plan, const VectorAccess& access) {
  if (plan.turned < 0 || access.is_written) return false;
  return access.steps[index(plan.turned)] == 1 && access.steps[index(plan.vector)].value_or(0) > 1;
}

bool lies_interleaved(const VectorPlan& plan, const VectorAccess& access) {
  if (plan.interleaved < 0) return false;
  return access.steps[index(plan.interleaved)] == 1 &&
         access.steps[index(plan.vector)] == plan.held[index(plan.interleaved)];
}

CacheModel caches_of(const Target& target) {
  CacheModel out;
  const Memory* panel = target.memory_or_null(target.default_scope);
  if (panel != nullptr && panel->size_bytes > 0) out.second_bytes = panel->size_bytes;
  if (target.vector && target.vector->registers > 0) out.registers = target.vector->registers;
  return out;
}

bool is_reduction(const VectorStage& stage, int loop) {
  return stage.loops[index(loop)].kind == dsl::AxisKind::Reduce;
}

std::int64_t steps_along(const VectorStage& stage, const VectorPlan& plan, int loop) {
  const std::int64_t extent = stage.loops[index(loop)].extent;
  return loop == plan.vector ? (extent + stage.lanes - 1) / stage.lanes : extent;
}

double distinct_loads(const VectorStage& stage, const VectorPlan& plan,
                      const VectorAccess& access) {
  const auto tile = [&](int loop) {
    const bool is_whole = is_around(stage, loop) && plan.written_out[index(loop)];
    return static_cast<double>(is_whole ? stage.loops[index(loop)].extent : plan.held[index(loop)]);
  };
  double most = 1;
  for (int k = 0; k < loop_count(stage); ++k) {
    if (access.depends(k)) most *= tile(k);
  }
  if (access.dims.empty()) return most;
  double box = 1;
  std::vector<int> moving;  // loops of dimensions along which the lanes run
  for (const DimModel& dim : access.dims) {
    const auto has_lanes = [&](const IndexTerm& t) { return t.loop == plan.vector; };
    const bool is_of_lanes = std::any_of(dim.terms.begin(), dim.terms.end(), has_lanes);
    double size = static_cast<double>(dim.base);
    for (const IndexTerm& term : dim.terms) {
      if (is_of_lanes) moving.push_back(term.loop);
      size += static_cast<double>(term.growth) * (tile(term.loop) - 1);
    }
    if (!is_of_lanes) box *= size;
  }
  std::sort(moving.begin(), moving.end());
  moving.erase(std::unique(moving.begin(), moving.end()), moving.end());
  for (const int loop : moving) box *= tile(loop);
  return std::min(most, box);
}

std::int64_t strip_bytes(const VectorStage& stage, const VectorPlan& plan,
                         const VectorAccess& access) {
  const bool is_widened = access.is_half && panel_of(plan, access) != nullptr;
  std::int64_t out = is_widened ? size_bytes(DType::Float32) : access.element_bytes;
  for (int k = 0; k < loop_count(stage); ++k) {
    if (!is_around(stage, k) || !access.depends(k)) continue;
    const std::int64_t extent = stage.loops[index(k)].extent;
    const std::int64_t held = plan.held[index(k)] * (k == plan.vector ? stage.lanes : 1);
    if (is_reduction(stage, k)) {
      out *= k == plan.blocked ? std::min(plan.block, extent) : extent;
    } else {
      out *= std::min(held, extent);
    }
  }
  if (plan.vector < 0 || !access.depends(plan.vector) || lane_step(plan, access) != 1) return out;
  return static_cast<std::int64_t>(static_cast<double>(out) * line_share(stage, plan, access));
}

std::int64_t uses_of_strip(const VectorStage& stage, const VectorPlan& plan,
                           const VectorAccess& access) {
  std::int64_t out = 1;
  for (int k = 0; k < loop_count(stage); ++k) {
    const bool is_free = is_around(stage, k) && !is_reduction(stage, k) && !access.depends(k);
    if (!is_free) continue;
    const std::int64_t steps = steps_along(stage, plan, k);
    out *= (steps + plan.held[index(k)] - 1) / plan.held[index(k)];
  }
  return out;
}

std::int64_t registers_of(const VectorStage& stage, const VectorPlan& plan) {
  std::int64_t out = 1;
  for (int k = 0; k < loop_count(stage); ++k) {
    if (is_around(stage, k)) out *= plan.held[index(k)];
  }
  // The vectors that all rows share, and one for what is spread over lanes.
  std::int64_t shared = plan.dot < 0 ? 1 : 1 + stage.dot_registers;
  for (const VectorAccess& access : stage.accesses) {
    if (access.is_written || plan.vector < 0 || !access.depends(plan.vector)) continue;
    if (!depends_on_any(stage, access, true)) continue;
    VectorPlan once = plan;
    once.written_out.assign(once.written_out.size(), false);
    const auto vectors = static_cast<std::int64_t>(distinct_loads(stage, once, access));
    if (vectors < out) shared += vectors;
  }
  return out + shared;
}

double cycles_of(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches) {
  return all_tiles(stage, plan, caches, 0) + panel_cycles(stage, plan) +
         reread_cycles(stage, plan, caches) + wait_cycles(stage, plan, caches) +
         first_read_cycles(stage, plan, caches);
}

}  // namespace solway::memory_planner
