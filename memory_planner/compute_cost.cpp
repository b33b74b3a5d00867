#include "memory_planner/compute_cost.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "memory_planner/cut_rows.h"
#include "memory_planner/epilogue.h"
#include "memory_planner/micro_kernel_cost.h"
#include "memory_planner/slants.h"

namespace solway::memory_planner {
namespace {

// Of generated code, by the emulator's clock: what stands beside loads and arithmetic.
constexpr double kRoundCycles = 2;          // a loop's counter and branch
constexpr double kSpreadCycles = 0.8;       // more for a load that is spread: its address
constexpr double kFirstLoads = 6;           // of products: four lines ahead of its use stands each
                                            // load, so that these stand before all arithmetic
constexpr double kInTheWay = 0.02;          // of each load that is issued beside arithmetic
constexpr double kBesideLoads = 0.65;       // of the loads before products, where vectors have
                                            // registers of their own
constexpr double kOfCopies = 0.125;         // of each load of further copies of products: the first
                                            // ones of a copy stand before one line
constexpr double kBesideArithmetic = 0.5;   // of all loads of other sums there: they are issued
                                            // beside arithmetic of other vectors
constexpr std::int64_t kReachBytes = 256;   // of loads from one address, where offsets are short
constexpr double kCodeBytes = 8;            // of a load or an operation: with what stands beside it
constexpr double kNestCycles = 20;          // to enter a nest whose sums registers hold
constexpr double kCutRowCycles = 40;        // for each sum of a row that is cut: its ends, once
constexpr double kLanesCycles = 40;         // the lanes of a vector, combined and stored
constexpr double kGatherCycles = 2;         // per lane: a load and its place in the vector
constexpr double kShuffledCycles = 3;       // of two loads and a shuffle, for every second element
constexpr int kShuffledLanes = 4;           // of vectors that are shuffled so
constexpr double kOfChain = 0.5;            // of numbers: of what a term waits for beside its sum
constexpr double kAlone = 0.3;              // of numbers: the part that is not issued in pairs
constexpr std::int64_t kVectorsAtOnce = 4;  // vectors that vectorize writes out, or in a round

std::size_t at(int k) { return static_cast<std::size_t>(k); }

/// Whether integers and vectors have registers of their own, so that what a loop loads and where
/// from do not compete for them.
bool has_own_registers(const Target& target) {
  return target.timing && target.timing->shared_registers == 0;
}

/// Whether lanes lie two elements apart: code generation takes them out of two vectors.
bool is_every_second(const TensorModel& tensor, int loop) {
  for (std::size_t k = 0; k < tensor.dims.size(); ++k) {
    for (const IndexTerm& term : tensor.dims[k].terms) {
      if (term.loop == loop && (k + 1 != tensor.dims.size() || term.growth != 2)) return false;
    }
  }
  return depends(tensor, loop);
}

/// Cycles to load a vector of elements that do not lie side by side.
double gather_cycles(const TensorModel& tensor, int loop, int lanes) {
  const bool is_shuffled = lanes == kShuffledLanes && is_every_second(tensor, loop);
  return is_shuffled ? kShuffledCycles : lanes * kGatherCycles;
}

/// Cycles of what loads that which one step of the innermost loops reads.
struct Loads {
  double plain = 0;     ///< a load each, of a vector or of a number that is spread
  double gathered = 0;  ///< vectors whose elements do not lie side by side
  double all() const { return plain + gathered; }
};

Loads loads_of(const StageModel& stage, const BodyModel& body, const NestPlan& plan,
               const Target& target) {
  const bool are_spread_beside = has_own_registers(target) || body.is_product;
  const double spread = are_spread_beside ? 1 : 1 + kSpreadCycles;
  Loads out;
  if (plan.vector < 0 && !body.number_accesses.empty()) {
    out.plain = std::accumulate(body.number_accesses.begin(), body.number_accesses.end(), 0.0);
    return out;
  }
  for (std::size_t t = 0; t < stage.tensors.size(); ++t) {
    const TensorModel& tensor = stage.tensors[t];
    if (tensor.direction != AccessDirection::Read) continue;
    double places = body.accesses[t];
    for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
      if (k != plan.vector && depends(tensor, k))
        places *= static_cast<double>(plan.cuts[at(k)].held);
    }
    if (plan.vector < 0) {
      out.plain += places;
      continue;
    }
    const double vectors =
        std::ceil(static_cast<double>(plan.cuts[at(plan.vector)].held) / body.lanes);
    switch (lane_access(tensor, plan.vector)) {
      case LaneAccess::Same:
        out.plain += places * spread;
        break;
      case LaneAccess::Contiguous:
        out.plain += places * vectors;
        break;
      case LaneAccess::Gathered:
        out.gathered += places * vectors * gather_cycles(tensor, plan.vector, body.lanes);
        break;
    }
  }
  return out;
}

/// Addresses that a step adds to, where offsets of loads are short: of each place that registers
/// hold results of, unless instructions reach all of them from one.
double addresses_of(const StageModel& stage, const NestPlan& plan, const Target& target) {
  if (!has_own_registers(target)) return 0;
  const Tiles tiles = tiles_of(plan);
  double out = 0;
  for (const TensorModel& tensor : stage.tensors) {
    if (tensor.direction != AccessDirection::Read) continue;
    double places = 1;
    for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
      const bool is_spatial = stage.loops[at(k)].kind == dsl::AxisKind::Spatial;
      const std::int64_t held = plan.cuts[at(k)].held;
      if (!is_spatial || k == plan.vector || held == 1 || !depends(tensor, k)) continue;
      const std::int64_t apart = stride_elems(tensor, k, tiles) * tensor.element_bytes;
      if (apart * (held - 1) >= kReachBytes) places *= static_cast<double>(held);
    }
    out += places;
  }
  return out;
}

/// Cycles in which the code of further copies of a step is fetched, once.
double fetch_cycles(double instructions, double copies, const Target& target) {
  const auto& cache = target.timing->instruction_cache;
  if (!cache) return 0;
  const double lines = instructions * (copies - 1) / copies * kCodeBytes / cache->line_bytes;
  return lines * cache->main_cycles;
}

/// Of the loads of a step of products, the cycles that are not hidden beside arithmetic: what its
/// first sums use is loaded before them.
double loads_seen(const Loads& loads, double copies, const Target& target) {
  const bool is_apart = has_own_registers(target);
  const double before = std::min(loads.plain, kFirstLoads) * (is_apart ? kBesideLoads : 1);
  const double of_copies = loads.plain * (copies - 1) / copies * kOfCopies;
  const double gathered = loads.gathered * (is_apart ? kBesideArithmetic : 1);
  return before + of_copies + gathered + kInTheWay * loads.plain;
}

/// Cycles of main memory for tensors that are not staged, per step of the innermost loops.
double direct_cycles(const StageModel& stage, const BodyModel& body, const NestPlan& plan,
                     const Target& target) {
  double out = 0;
  for (std::size_t t = 0; t < stage.tensors.size(); ++t) {
    if (plan.depths[t] != 0) continue;
    double places = body.accesses[t];
    for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
      if (depends(stage.tensors[t], k)) places *= static_cast<double>(plan.cuts[at(k)].held);
    }
    const AccessDirection direction = stage.tensors[t].direction;
    const bool is_twice = direction == AccessDirection::Write && body.is_reduction;
    const int cores = plan.parallel.empty() ? 1 : target.cores.count;
    out += places * main_memory_cycles(target, direction, cores) * (is_twice ? 2 : 1);
  }
  return out;
}

/// What the busiest core does.
struct Work {
  double steps = 1;        ///< of the innermost loops that are not held
  double nests = 1;        ///< entries of nests whose sums registers hold
  double last_rounds = 1;  ///< of the innermost loop of a reduction
  double vectors = 1;      ///< results of a step; numbers without a vector loop
  double rest = 0;         ///< results that fill no vector
  double repeats = 1;      ///< updates of each result in a step: loops of a reduction, unrolled
};

Work work_of(const StageModel& stage, const BodyModel& body, const NestPlan& plan) {
  Work out;
  for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
    const LoopCut& cut = plan.cuts[at(k)];
    const LoopModel& loop = stage.loops[at(k)];
    const std::int64_t mine = busiest_extent(stage, plan, k);
    const std::int64_t whole_rounds = (mine + cut.held - 1) / cut.held;
    const auto rounds = static_cast<double>(whole_rounds);
    out.steps *= rounds;
    if (loop.kind == dsl::AxisKind::Reduce) {
      const std::int64_t tiles = (cut.part + cut.tile - 1) / cut.tile;
      out.nests *= static_cast<double>(tiles);
      out.repeats *= static_cast<double>(cut.held);
      continue;
    }
    out.nests *= rounds;
    if (k == plan.vector) continue;
    out.vectors *= static_cast<double>(cut.held);
  }
  out.steps *= body.filled;
  out.nests *= body.entered;
  const std::vector<int> terms = reduction_order(stage, plan);
  if (!terms.empty()) {
    const LoopCut& cut = plan.cuts[at(terms.back())];
    const std::int64_t last = (cut.tile + cut.held - 1) / cut.held;
    const double filled = body.entered > 0 ? body.filled / body.entered : 1;
    out.last_rounds = std::max(1.0, filled * static_cast<double>(last));
  }
  if (plan.vector >= 0) {
    const std::int64_t held = plan.cuts[at(plan.vector)].held;
    out.rest = out.vectors * static_cast<double>(held % body.lanes);
    const std::int64_t full = held / body.lanes;
    out.vectors *= static_cast<double>(full);
  }
  return out;
}

}  // namespace

double main_memory_cycles(const Target& target, AccessDirection direction, int cores) {
  const Timing& timing = *target.timing;
  const double queue = static_cast<double>(cores) * timing.main_access_cycles;
  const bool is_read = direction == AccessDirection::Read;
  return std::max<double>(is_read ? timing.main_load_cycles : timing.main_store_cycles, queue);
}

LaneAccess lane_access(const TensorModel& tensor, int loop) {
  if (!depends(tensor, loop)) return LaneAccess::Same;
  for (std::size_t k = 0; k < tensor.dims.size(); ++k) {
    for (const IndexTerm& term : tensor.dims[k].terms) {
      if (term.loop != loop) continue;
      if (k + 1 != tensor.dims.size() || term.growth != 1) return LaneAccess::Gathered;
    }
  }
  return LaneAccess::Contiguous;
}

std::int64_t held_vectors(const StageModel& stage, const BodyModel& body, const NestPlan& plan,
                          const Target& target) {
  std::int64_t vectors = 1;
  for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
    const LoopCut& cut = plan.cuts[at(k)];
    if (cut.held == 1 || stage.loops[at(k)].kind == dsl::AxisKind::Reduce) continue;
    if (cut.tile % cut.held != 0 || cut.part % cut.tile != 0 ||
        stage.loops[at(k)].extent % cut.part != 0) {
      // A last tile that the held loops do not fill.
      if (stage.loops[at(k)].extent % cut.held != 0 || cut.part % cut.held != 0 ||
          cut.tile % cut.held != 0) {
        return 0;
      }
    }
    if (k == plan.vector) {
      if (cut.held % body.lanes != 0 || cut.held / body.lanes > kVectorsAtOnce) return 0;
      vectors *= cut.held / body.lanes;
    } else {
      vectors *= cut.held;
    }
  }
  const int registers = target.vector ? target.vector->registers : 32;
  return vectors <= registers * 5 / 8 ? vectors : 0;
}

namespace {

/// The plan of the loops around one statement.
NestPlan plan_around(const StatementModel& statement, const NestPlan& plan) {
  NestPlan out = plan;
  for (std::size_t k = 0; k < statement.around.size(); ++k) {
    if (!statement.around[k]) out.cuts[k] = {};
  }
  return out;
}

/// When the value of a term is there, of vectors or of numbers.
double ready_cycles(const BodyModel& body, const NestPlan& plan) {
  const bool is_weighed = plan.vector < 0 && body.number_chain_cycles.has_value();
  return is_weighed ? *body.number_chain_cycles : body.chain_cycles;
}

/// Where each term finds its sum in memory, and stores it there; and where nothing is summed up.
double in_memory_cycles(const StageModel& stage, const BodyModel& body, const NestPlan& plan,
                        const Target& target) {
  const Work work = work_of(stage, body, plan);
  const double loads = loads_of(stage, body, plan, target).all();
  const double direct = direct_cycles(stage, body, plan, target);
  const double load_latency = target.vector ? target.vector->load_latency_cycles : 1;
  const double issue = plan.vector < 0 ? body.number_cycles : body.issue_cycles;
  const double ready = ready_cycles(body, plan);
  // What is loaded must be there before it is used; vectors of a round wait together.
  const double sums = body.is_reduction ? 1 : 0;
  const double results = work.vectors + work.rest;
  const auto one = [&](double arithmetic, double chain, double at_once) {
    return std::max(loads / results + arithmetic + 1 + sums,
                    (load_latency + chain + sums * body.accumulate_cycles + 1) / at_once) +
           (plan.vector < 0 ? 0 : kRoundCycles / at_once);
  };
  const double at_once =
      plan.vector < 0 ? 1 : std::clamp(work.vectors, 1.0, static_cast<double>(kVectorsAtOnce));
  const WithinLoop each = plan.vector < 0 || body.within.empty() ? WithinLoop{issue, ready}
                                                                 : body.within[at(plan.vector)];
  const double before = issue - each.issue_cycles;  // the loop of vectors
  const double number = one(body.number_cycles, ready, 1);
  const double step = before + work.vectors * one(each.issue_cycles, each.chain_cycles, at_once) +
                      work.rest * number + kRoundCycles + direct;
  if (plan.vector < 0) return work.steps * step;
  const LoopCut& cut = plan.cuts[at(plan.vector)];
  const auto row = [&](std::int64_t count) {
    if (count == cut.held) return step;
    const std::int64_t in_row = cut.held / body.lanes + cut.held % body.lanes;
    const double rows = results / static_cast<double>(in_row);
    const std::int64_t vectors = count / body.lanes;
    const std::int64_t together = vectors / kVectorsAtOnce * kVectorsAtOnce;
    const double alone = one(each.issue_cycles, each.chain_cycles, 1);
    const double several = one(each.issue_cycles, each.chain_cycles, kVectorsAtOnce);
    return before + kRoundCycles + direct +
           rows * (static_cast<double>(together) * several +
                   static_cast<double>(vectors - together) * alone +
                   static_cast<double>(count % body.lanes) * number);
  };
  return work.steps * step * share_of_cut_rows(stage, plan, row);
}

double in_registers_cycles(const StageModel& stage, const BodyModel& body, const NestPlan& plan,
                           const Target& target) {
  const Work work = work_of(stage, body, plan);
  const Loads loaded = loads_of(stage, body, plan, target);
  const double loads = loaded.all();
  const double direct = direct_cycles(stage, body, plan, target);
  const double load_latency = target.vector ? target.vector->load_latency_cycles : 1;
  const double issue = plan.vector < 0 ? body.number_cycles : body.issue_cycles;
  const double ready = ready_cycles(body, plan);
  if (runs_across(stage, plan)) {
    const LoopCut& cut = plan.cuts[at(plan.vector)];
    const double vectors = std::floor(static_cast<double>(cut.held) / body.lanes);
    const double at_once = std::min(vectors, static_cast<double>(kVectorsAtOnce));
    const double wait = load_latency + body.chain_cycles + body.accumulate_cycles;
    const double each = std::max(loads / vectors + issue, wait / at_once) + kRoundCycles / at_once;
    const double rest =
        static_cast<double>(cut.held % body.lanes) * (body.number_cycles + wait + kRoundCycles);
    const double combined = kLanesCycles + 3 * body.accumulate_cycles;
    return work.steps * (vectors * each + rest + combined + kRoundCycles + direct);
  }
  if (body.is_reduction && held_vectors(stage, body, plan, target) > 0) {
    const double arithmetic = work.vectors * work.repeats * issue;
    double all = 0;
    double fetching = 0;
    if (plan.vector < 0) {  // loads of numbers stand between their arithmetic
      all = std::max(loads, arithmetic) + kAlone * std::min(loads, arithmetic) +
            kOfChain * (work.vectors * work.repeats - 1) *
                std::max(0.0, ready - body.accumulate_cycles);
    } else if (body.is_product) {
      const double addresses = addresses_of(stage, plan, target);
      const double issued = (loaded.plain + arithmetic + addresses) / 2;  // two in each cycle
      all = std::max({loaded.plain, arithmetic, issued}) + loads_seen(loaded, work.repeats, target);
      fetching = fetch_cycles(loads + arithmetic, work.repeats, target);
    } else {  // those of vectors before it
      all = arithmetic + (has_own_registers(target) ? kBesideArithmetic : 1) * loads;
    }
    const double chain = body.accumulate_cycles * work.repeats;
    const double step = std::max(all, chain) + kRoundCycles * (1 + 1 / work.last_rounds);
    return work.steps * (step + direct) + work.nests * (kNestCycles + 3 * work.vectors) + fetching;
  }
  return in_memory_cycles(stage, body, plan, target);
}

/// The same where slanted sides cut all tiles that registers hold: vectors and numbers of a row
/// have their sums one after the other (lowering/sums_inside.h). A row that is cut is half as long.
double cut_cycles(const StageModel& stage, const BodyModel& body, const NestPlan& plan,
                  const Target& target) {
  NestPlan rows = plan;
  for (std::size_t k = 0; k < rows.cuts.size(); ++k) {
    if (static_cast<int>(k) != plan.vector) rows.cuts[k].held = 1;
  }
  if (!body.is_reduction) return in_memory_cycles(stage, body, rows, target);
  const Work work = work_of(stage, body, rows);
  const double load_latency = target.vector ? target.vector->load_latency_cycles : 1;
  double sums = 1;
  if (plan.vector >= 0) {
    const auto held = static_cast<double>(plan.cuts[at(plan.vector)].held);
    const double numbers = std::min(held, body.lanes - 1.0);  // of two rows
    sums = numbers + (held - numbers) / body.lanes;
  }
  const double term = body.is_product ? 0 : ready_cycles(body, plan);
  const double each = load_latency + term + body.accumulate_cycles + kRoundCycles / 2;
  return sums * (work.steps * each + work.nests * kCutRowCycles);
}

/// What the busiest core does: it has the longest rows, or one of a grid the whole tiles of a
/// square or half of them and the diagonal.
double statement_cycles(const StageModel& stage, const BodyModel& body, const NestPlan& plan,
                        const Target& target, const CutShare& share) {
  const double whole = in_registers_cycles(stage, body, plan, target);
  const bool is_counted = body.number_chain_cycles.has_value();  // each of its iterations
  if (share.cut == 0 || is_counted) return whole;
  const double both =
      (share.filled - share.cut) * whole + share.cut * cut_cycles(stage, body, plan, target);
  return share.filled < 1 ? std::max(whole, both) : both;
}

}  // namespace

double compute_cycles(const StageModel& stage, const BodyModel& body, const NestPlan& plan,
                      const Target& target) {
  double out = epilogue_cycles(stage, body, plan);
  if (plan.micro_kernel) return out + compute_by_micro_kernel(stage, plan, target);
  Tiles held;
  Tiles mine;
  for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
    held.push_back(plan.cuts[at(k)].held);
    mine.push_back(busiest_extent(stage, plan, k));
  }
  const CutShare cut = cut_share(stage, held, mine);
  if (body.statements.empty()) return out + statement_cycles(stage, body, plan, target, cut);
  for (const StatementModel& s : body.statements) {
    out += statement_cycles(s.stage, s.body, plan_around(s, plan), target, cut);
  }
  return out;
}

}  // namespace solway::memory_planner
