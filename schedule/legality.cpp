#include "schedule/legality.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "schedule/lane_buffers.h"
#include "schedule/other_iterations.h"
#include "schedule/private_buffers.h"
#include "schedule/region.h"
#include "schedule/shared_reads.h"
#include "schedule/shared_scope.h"
#include "schedule/tensorize.h"
#include "schedule/violation.h"
#include "schedule/widened_reads.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

bool has_buffers(const Program& program) { return !program.buffers.empty(); }

/// The least number of iterations of `loop` between the two instances of a pair.
std::optional<std::int64_t> shortest_distance(const isl::union_map& pairs, const Loop& loop) {
  isl::union_map values = isl::union_map::empty(pairs.ctx());
  for (const auto& [name, value] : loop.value) values = values.unite(value.as_map().to_union_map());
  std::optional<std::int64_t> out;
  const isl::union_map between = values.reverse().apply_range(pairs).apply_range(values);
  for (const isl::union_map& one : {between, between.reverse()}) {
    for (const isl::set& apart : isl_ext::sorted_sets(one.deltas())) {
      const auto least = isl_ext::try_dim_min(isl_ext::bound(apart, 0, 1, INT64_MAX), 0);
      if (least && (!out || *least < *out)) out = least;
    }
  }
  return out;
}

/// { S[i] -> S[i'] } between iterations of loop `id` that lie in one vector statement: of a
/// statement that stores once, with equal values of all other loops around it. Every lane is read
/// there before one is stored, and lanes that run one by one keep their order.
isl::union_map in_one_vector(const State& state, LoopId id) {
  const Program& program = *state.program;
  isl::union_map out = isl::union_map::empty(program.ctx());
  for (const auto& [name, s] : program.statements) {
    if (s.kind != StatementKind::Compute || s.writes.size() != 1) continue;
    std::vector<LoopId> others = state.order.placement_of(name).path;
    const auto at = std::find(others.begin(), others.end(), id);
    if (at == others.end()) continue;
    others.erase(at);
    const isl::map values = values_of(state, name, others).as_map().intersect_domain(s.domain);
    out = out.unite(values.apply_range(values.reverse()).to_union_map());
  }
  return out;
}

/// Conflicts through buffers, but for those of which each lane of loop `id` has its own.
isl::union_map shared_buffer_conflicts_of(const State& state, const Program& program, LoopId id) {
  isl::union_map writes = writes_of(program, Storage::Buffers);
  for (const std::string& name : lane_buffers(state, id)) {
    writes = writes.subtract_range(program.array(name).extent.to_union_set());
  }
  const isl::union_map raw = writes.apply_range(reads_of(program, Storage::Buffers).reverse());
  return raw.unite(raw.reverse()).unite(writes.apply_range(writes.reverse()));
}

/// The pairs that lanes must keep apart, in both directions, of `program`, which has the statements
/// under the loop. A lane may read what a later lane of the same statement overwrites, as in
/// A[i] = A[i + 1].
isl::union_map lane_conflicts_of(const State& state, const Program& program, LoopId id) {
  const isl::union_map writes = writes_of(program, Storage::Main);
  const isl::union_map raw = writes.apply_range(reads_of(program, Storage::Main).reverse());
  const isl::union_map waw = writes.apply_range(writes.reverse());
  const isl::union_map war = raw.reverse().subtract(in_one_vector(state, id));
  return shared_buffer_conflicts_of(state, program, id)
      .unite(raw)
      .unite(war)
      .unite(waw)
      .subtract(reorderable_pairs_of(program));
}

/// Dependences that an order breaks.
struct BrokenOrder {
  isl::union_map pairs;
  bool is_reuse = false;  ///< of the storage of buffers alone: the program test decides
};

std::optional<BrokenOrder> broken_order(const State& state, const isl::union_map& time,
                                        const Request& request, Storage storage) {
  const Program& program = *state.program;
  const auto broken = [&](const isl::union_map& needed) -> std::optional<isl::union_map> {
    if (needed.is_empty()) return std::nullopt;
    const isl::union_map out = not_in_order(needed, time);
    return out.is_empty() ? std::nullopt : std::optional(out);
  };
  const auto broken_in = [&](Storage where) {
    const isl::union_map needed = state.known->of(program, where);
    const IslBudget budget(program.ctx(), kOrderBudget);
    return broken(needed);
  };
  try {
    const auto violated = broken_in(Storage::Main);
    if (violated) return BrokenOrder{*violated};
    if (storage == Storage::Main || !has_buffers(program)) return std::nullopt;
    auto reused = broken_in(Storage::Buffers);
    const IslBudget budget(program.ctx(), kOrderBudget);
    if (!reused) reused = broken(reply_dependences_of(program));
    if (!reused) return std::nullopt;
    const isl::union_map at_once = reused->intersect(time.apply_range(time.reverse()));
    if (!at_once.is_empty()) return BrokenOrder{at_once};
    return BrokenOrder{*reused, true};
  } catch (const isl::exception_quota&) {
    throw undecided(request, kOrderBudget);
  }
}

/// Pairs of conflicting instances in different iterations of a marked loop.
struct Race {
  isl::union_map crossing;
  std::optional<std::int64_t> distance;
};

/// Whether each pair lies within one iteration of loop `id` and of those around it: most often all
/// do, and that is quick to see, as pairs of iterations are many more. False says nothing.
bool lie_within(const State& state, LoopId id, const isl::union_map& conflicts) {
  const Program& program = *state.program;
  const isl::union_map inner =
      prefix_of(program.ctx(), state.order, id, LastValue::Keep, program.domains());
  try {
    const IslBudget budget(program.ctx(), kOrderBudget);
    const isl::union_map apart = conflicts.apply_domain(inner).apply_range(inner);
    return apart.is_subset(apart.domain().identity());
  } catch (const isl::exception_quota&) {
    return false;
  }
}

/// `conflicts` are those of cores or of lanes, whichever run the loop's iterations.
std::optional<Race> find_race(const State& state, LoopId id, const isl::union_map& conflicts,
                              const Request& request) {
  const Program& program = *state.program;
  const Loop& loop = state.order.loop(id);
  const bool cores = loop.mark == LoopMark::Parallel;
  try {
    const IslBudget budget(program.ctx(), kOrderBudget);
    Race out;
    out.crossing = in_order(in_other_iterations(conflicts, state, id), program.reference);
    if (out.crossing.is_empty()) return std::nullopt;
    if (!cores) out.distance = shortest_distance(out.crossing, loop);
    return out;
  } catch (const isl::exception_quota&) {
    throw undecided(request, kOrderBudget);
  }
}

std::set<std::string> statements_under(const Loop& loop) {
  std::set<std::string> out;
  for (const auto& [name, value] : loop.value) out.insert(name);
  return out;
}

/// The program with these statements alone.
Program only(const Program& program, const std::set<std::string>& statements) {
  Program out = program;
  std::erase_if(out.statements, [&](const auto& s) { return statements.count(s.first) == 0; });
  return out;
}

/// Looks at the marks of one schedule, with one flow for all of them.
class MarkTest {
 public:
  MarkTest(const State& state, const Request& request, const FoundProgram* found)
      : state_(state), request_(request), found_(found) {}

  bool holds(LoopId id) {
    if (is_around_whole(id)) return true;
    const isl::union_map all = conflicts(id);
    const bool is_whole = lie_within(state_, id, all);
    if (!is_whole && find_race(state_, id, all, request_)) return false;
    if (leaves(id)) return false;
    if (is_whole && state_.order.loop(id).mark == LoopMark::Parallel) whole_.push_back(id);
    return true;
  }

  void require(LoopId id) {
    const Program& program = *state_.program;
    const Loop& loop = state_.order.loop(id);
    const isl::union_map all = conflicts(id);
    const auto race =
        lie_within(state_, id, all) ? std::nullopt : find_race(state_, id, all, request_);
    if (race) {
      throw race_violation(program, with_smallest_sizes(race->crossing), loop, race->distance,
                           request_);
    }
    if (const auto left = leaves(id)) {
      throw private_buffer_violation(program, with_smallest_sizes(left->flow), left->accesses, loop,
                                     request_);
    }
  }

 private:
  /// What iterations that run at once must not do in different ones of them.
  isl::union_map conflicts(LoopId id) {
    try {
      const IslBudget budget(state_.program->ctx(), kOrderBudget);
      std::set<std::string> names = statements_under(state_.order.loop(id));
      if (state_.order.loop(id).mark != LoopMark::Parallel) {
        return lane_conflicts_of(state_, only(*state_.program, names), id);
      }
      if (!of_cores_ || names != of_cores_->first) {
        isl::union_map found = conflicts_of(only(*state_.program, names), Storage::Main);
        of_cores_.emplace(std::move(names), std::move(found));
      }
      return of_cores_->second;
    } catch (const isl::exception_quota&) {
      throw undecided(request_, kOrderBudget);
    }
  }

  /// What leaves an iteration through a buffer of its core, or of its lane.
  std::optional<LeftIteration> leaves(LoopId id) {
    if (state_.order.loop(id).mark == LoopMark::Parallel) {
      const std::set<std::string> own = own_buffers(*state_.program);
      if (own.empty()) return std::nullopt;
      if (!flow_) flow_ = flow_of(own);
      return left_iteration(state_, id, *flow_, request_);
    }
    const std::set<std::string> own = lane_buffers(state_, id);
    if (own.empty()) return std::nullopt;
    return left_iteration(state_, id, flow_of(own), request_);
  }

  /// Whether a parallel loop stands around one of which it is known that nothing passes from one
  /// iteration to another, with nothing under it but what is under that one.
  bool is_around_whole(LoopId id) const {
    const Loop& loop = state_.order.loop(id);
    if (loop.mark != LoopMark::Parallel) return false;
    const std::set<std::string> names = statements_under(loop);
    return std::any_of(whole_.begin(), whole_.end(), [&](LoopId inner) {
      return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
        const std::vector<LoopId>& path = state_.order.placement_of(name).path;
        const auto at = std::find(path.begin(), path.end(), id);
        return std::find(at, path.end(), inner) != path.end();
      });
    });
  }

  BufferFlow flow_of(const std::set<std::string>& buffers) const {
    if (found_ == nullptr) return buffer_flow_of(state_, buffers, request_);
    return buffer_flow_of(*state_.program, buffers, found_->elements, found_->flow);
  }

  const State& state_;
  const Request& request_;
  const FoundProgram* found_;
  std::optional<BufferFlow> flow_;
  std::vector<LoopId> whole_;  ///< parallel loops whose iterations nothing leaves
  /// Conflicts of the statements under a parallel loop, the same for all loops around these.
  std::optional<std::pair<std::set<std::string>, isl::union_map>> of_cores_;
};

bool runs_at_once(const Loop& loop) {
  return loop.mark == LoopMark::Parallel || loop.mark == LoopMark::Vectorized;
}

/// The marked loops, those before that stand in others.
std::vector<LoopId> run_at_once_inside_out(const Order& order) {
  std::map<LoopId, std::size_t> depths;
  for (const Placement& placement : order.placements) {
    for (std::size_t k = 0; k < placement.path.size(); ++k) {
      std::size_t& depth = depths[placement.path[k]];
      depth = std::max(depth, k);
    }
  }
  std::vector<LoopId> out;
  for (const auto& [id, loop] : order.loops) {
    if (runs_at_once(loop)) out.push_back(id);
  }
  std::stable_sort(out.begin(), out.end(),
                   [&](LoopId a, LoopId b) { return depths[a] > depths[b]; });
  return out;
}

}  // namespace

void require_order_legal(const State& state, const Request& request, Storage storage) {
  const Program& program = *state.program;
  const isl::union_map time = time_of(program.ctx(), state.order, program.domains());
  const auto broken = broken_order(state, time, request, storage);
  if (!broken) return;
  if (!broken->is_reuse) {
    throw order_violation(program, with_smallest_sizes(broken->pairs), state.order, request);
  }
  Program reordered = program;
  reordered.reference = time;
  require_program_legal(*state.original, reordered, request);
}

OrderVerdict judge_order(const State& state, const Request& request) {
  const Program& program = *state.program;
  const isl::union_map time = time_of(program.ctx(), state.order, program.domains());
  const auto broken = broken_order(state, time, request, Storage::All);
  if (!broken) return OrderVerdict::Legal;
  if (!broken->is_reuse) return OrderVerdict::BreaksDependence;
  Program reordered = program;
  reordered.reference = time;
  return is_program_legal(*state.original, reordered, request) ? OrderVerdict::Legal
                                                               : OrderVerdict::Illegal;
}

bool is_order_legal(const State& state, const Request& request) {
  return judge_order(state, request) == OrderVerdict::Legal;
}

void require_no_race(const State& state, LoopId id, const Request& request) {
  MarkTest(state, request, nullptr).require(id);
  require_shared_filled_outside(state, request);
}

void require_marks_legal(const State& state, const Request& request, const FoundProgram* found) {
  MarkTest test(state, request, found);
  for (const auto& [id, loop] : state.order.loops) {
    if (runs_at_once(loop)) test.require(id);
  }
  require_intrinsics(state, request);
  require_shared_filled_outside(state, request);
  require_shared_reads_legal(state, request);
  require_widened_reads_legal(state, request);
}

bool is_mark_legal(const State& state, LoopId id, const Request& request) {
  return MarkTest(state, request, nullptr).holds(id) && is_shared_filled_outside(state);
}

bool are_marks_legal(const State& state, const Request& request, const FoundProgram* found) {
  MarkTest test(state, request, found);
  for (const LoopId id : run_at_once_inside_out(state.order)) {
    if (!test.holds(id)) return false;
  }
  if (!is_shared_filled_outside(state)) return false;
  require_intrinsics(state, request);
  require_shared_reads_legal(state, request);
  require_widened_reads_legal(state, request);
  return true;
}

}  // namespace solway::schedule
