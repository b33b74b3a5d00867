#include "schedule/private_buffers.h"

#include "schedule/violation.h"
#include "support/isl_context.h"

namespace solway::schedule {
namespace {

isl::union_set cells_of(const Program& program, const std::set<std::string>& buffers) {
  isl::union_set out = isl::union_set::empty(program.ctx());
  for (const std::string& name : buffers) {
    out = out.unite(program.array(name).extent.to_union_set());
  }
  return out;
}

/// What reads buffers, and where each instance runs.
BufferFlow accesses_of_buffers(const Program& program, const isl::union_set& cells,
                               const ElementProgram& elements) {
  BufferFlow out;
  out.accesses = elements.landings.intersect_range(cells);
  for (const isl::union_map& reads : elements.reads) {
    out.accesses = out.accesses.unite(reads.intersect_range(cells));
  }
  out.position = elements.time.domain().identity();
  for (const auto& [name, s] : program.statements) {
    if (!s.copy) continue;
    out.position = out.position.subtract_domain(s.copy->elements.wrap().to_union_set())
                       .unite(s.copy->elements.domain_map());
  }
  out.position = out.position.subtract_domain(elements.users.domain()).unite(elements.users);
  return out;
}

}  // namespace

BufferFlow buffer_flow_of(const State& state, const std::set<std::string>& buffers,
                          const Request& request) {
  const Program& program = *state.program;
  const isl::union_map time = time_of(program.ctx(), state.order, program.domains());
  try {
    const IslBudget budget(program.ctx(), kProgramBudget);
    const ElementProgram elements = elementwise(program, time);
    BufferFlow out = accesses_of_buffers(program, cells_of(program, buffers), elements);
    out.flow = last_writers(elements, out.accesses).reverse();
    return out;
  } catch (const isl::exception_quota&) {
    throw undecided(request, kProgramBudget);
  }
}

BufferFlow buffer_flow_of(const Program& program, const std::set<std::string>& buffers,
                          const ElementProgram& elements, const FoundFlow& found) {
  const isl::union_set cells = cells_of(program, buffers);
  BufferFlow out = accesses_of_buffers(program, cells, elements);
  isl::union_map from =
      found.landed.intersect_domain(elements.landings.intersect_range(cells).domain());
  for (std::size_t k = 0; k < found.sources.direct.size(); ++k) {
    from = from.unite(found.sources.direct[k].intersect_domain(
        elements.reads[k].intersect_range(cells).domain()));
  }
  out.flow = from.reverse();
  return out;
}

namespace {

/// Whether all that flows stays within an iteration; false where that does not show: pairs of
/// iterations are fewer than those of instances. `core` is { instance -> [iteration] }.
bool stays_within(const isl::union_map& flow, const isl::union_map& core) {
  const isl::union_set instances = core.domain();
  const isl::union_map begun = flow.intersect_domain(instances);
  if (!begun.range().is_subset(instances)) return false;
  if (!flow.intersect_range(instances).domain().is_subset(instances)) return false;
  const isl::union_map iterations = begun.apply_domain(core).apply_range(core);
  return iterations.is_subset(iterations.domain().identity());
}

}  // namespace

std::optional<LeftIteration> left_iteration(const State& state, LoopId id, const BufferFlow& all,
                                            const Request& request) {
  const Program& program = *state.program;
  const isl::union_map iteration =
      prefix_of(program.ctx(), state.order, id, LastValue::Keep, program.domains());
  try {
    const IslBudget budget(program.ctx(), kProgramBudget);
    const isl::union_map core = all.position.apply_range(iteration);
    if (stays_within(all.flow, core)) return std::nullopt;
    const isl::union_map elsewhere =
        all.flow.subtract_domain(core.domain()).subtract_range(core.domain());
    const isl::union_map crossing =
        all.flow.subtract(elsewhere).subtract(core.apply_range(core.reverse()));
    if (crossing.is_empty()) return std::nullopt;
    return LeftIteration{all.position.reverse().apply_range(crossing).apply_range(all.position),
                         all.position.reverse().apply_range(all.accesses)};
  } catch (const isl::exception_quota&) {
    throw undecided(request, kProgramBudget);
  }
}

}  // namespace solway::schedule
