#include "schedule/legality.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "schedule/buffer_slots.h"
#include "schedule/flow.h"
#include "schedule/program_legality.h"
#include "schedule/region.h"
#include "schedule/shared_reads.h"
#include "schedule/sizes.h"
#include "schedule/tensorize.h"
#include "schedule/violation.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

bool has_buffers(const Program& program) { return !program.buffers.empty(); }

/// No flow through a core's own buffers leaves an iteration of parallel loop `id`.
void require_private_buffers(const State& state, LoopId id, const Request& request) {
  const Program& program = *state.program;
  const auto domains = program.domains();
  const isl::union_map time = time_of(program.ctx(), state.order, domains);
  const isl::union_map iteration =
      prefix_of(program.ctx(), state.order, id, LastValue::Keep, domains);
  isl::union_map crossing, accesses;
  try {
    const IslBudget budget(program.ctx(), kProgramBudget);
    const ElementProgram elements = elementwise(program, time);
    isl::union_set buffers = isl::union_set::empty(program.ctx());
    for (const auto& [name, buffer] : program.buffers) {
      buffers = buffers.unite(program.array(name).extent.to_union_set());
    }
    accesses = elements.landings.intersect_range(buffers);
    for (const isl::union_map& reads : elements.reads) {
      accesses = accesses.unite(reads.intersect_range(buffers));
    }
    isl::union_map position = elements.time.domain().identity();
    for (const auto& [name, s] : program.statements) {
      if (!s.copy) continue;
      position = position.subtract_domain(s.copy->elements.wrap().to_union_set())
                     .unite(s.copy->elements.domain_map());
    }
    position = position.subtract_domain(elements.users.domain()).unite(elements.users);
    const isl::union_map core = position.apply_range(iteration);
    const isl::union_map flow = last_writers(elements, accesses).reverse();
    const isl::union_map elsewhere =
        flow.subtract_domain(core.domain()).subtract_range(core.domain());
    crossing = flow.subtract(elsewhere).subtract(core.apply_range(core.reverse()));
    if (crossing.is_empty()) return;
    accesses = position.reverse().apply_range(accesses);
    crossing = position.reverse().apply_range(crossing).apply_range(position);
  } catch (const isl::exception_quota&) {
    throw undecided(request, kProgramBudget);
  }
  throw private_buffer_violation(program, with_smallest_sizes(crossing), accesses,
                                 state.order.loop(id), request);
}

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

/// The pairs that lanes must keep apart, in both directions. A lane may read what a later lane of
/// the same statement overwrites, as in A[i] = A[i + 1].
isl::union_map lane_conflicts_of(const State& state, LoopId id) {
  const Program& program = *state.program;
  const isl::union_map writes = writes_of(program, Storage::Main);
  const isl::union_map raw = writes.apply_range(reads_of(program, Storage::Main).reverse());
  const isl::union_map waw = writes.apply_range(writes.reverse());
  const isl::union_map war = raw.reverse().subtract(in_one_vector(state, id));
  return conflicts_of(program, Storage::Buffers)
      .unite(raw)
      .unite(war)
      .unite(waw)
      .subtract(reorderable_pairs_of(program));
}

}  // namespace

void require_order_legal(const State& state, const Request& request, Storage storage) {
  const Program& program = *state.program;
  const isl::union_map time = time_of(program.ctx(), state.order, program.domains());
  isl::union_map violated, at_once;
  try {
    const IslBudget budget(program.ctx(), kOrderBudget);
    const auto against = [&](Storage storage) {
      const isl::union_map needed = dependences_of(program, storage);
      return needed.is_empty() ? needed : not_in_order(needed, time);
    };
    violated = at_once = against(Storage::Main);
    if (violated.is_empty()) {
      if (storage == Storage::Main || !has_buffers(program)) return;
      violated = against(Storage::Buffers);
      if (violated.is_empty()) violated = not_in_order(reply_dependences_of(program), time);
      if (violated.is_empty()) return;
      at_once = violated.intersect(time.apply_range(time.reverse()));
    }
    if (!at_once.is_empty()) violated = at_once;
  } catch (const isl::exception_quota&) {
    throw undecided(request, kOrderBudget);
  }
  if (!at_once.is_empty()) {
    throw order_violation(program, with_smallest_sizes(violated), state.order, request);
  }
  Program reordered = program;
  reordered.reference = time;
  require_program_legal(*state.original, reordered, request);
}

void require_no_race(const State& state, LoopId id, const Request& request) {
  const Program& program = *state.program;
  const Loop& loop = state.order.loop(id);
  const bool cores = loop.mark == LoopMark::Parallel;
  const auto domains = program.domains();
  const isl::union_map outer = prefix_of(program.ctx(), state.order, id, LastValue::Drop, domains);
  const isl::union_map inner = prefix_of(program.ctx(), state.order, id, LastValue::Keep, domains);
  isl::union_map crossing;
  std::optional<std::int64_t> distance;
  try {
    const IslBudget budget(program.ctx(), kOrderBudget);
    const isl::union_map other_iterations =
        outer.apply_range(outer.reverse()).subtract(inner.apply_range(inner.reverse()));
    const isl::union_map conflicts =
        cores ? conflicts_of(program, Storage::Main) : lane_conflicts_of(state, id);
    crossing = in_order(conflicts.intersect(other_iterations), program.reference);
    if (!cores && !crossing.is_empty()) distance = shortest_distance(crossing, loop);
  } catch (const isl::exception_quota&) {
    throw undecided(request, kOrderBudget);
  }
  if (!crossing.is_empty()) {
    throw race_violation(program, with_smallest_sizes(crossing), loop, distance, request);
  }
  if (cores && has_buffers(program)) require_private_buffers(state, id, request);
}

void require_marks_legal(const State& state, const Request& request) {
  for (const auto& [id, loop] : state.order.loops) {
    if (loop.mark == LoopMark::Parallel || loop.mark == LoopMark::Vectorized) {
      require_no_race(state, id, request);
    }
  }
  require_intrinsics(state, request);
  require_shared_reads_legal(state, request);
}

void adopt_program(State& state, std::shared_ptr<Program> program, const Request& request,
                   unsigned long budget) {
  renumber_slots(*program, state.order);
  take_as_reference(*program, state.order);
  require_program_legal(*state.original, *program, request, budget);
  state.program = std::move(program);
  require_marks_legal(state, request);
}

}  // namespace solway::schedule
