#include "memory_planner/vector_stage.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "memory_planner/access_dims.h"
#include "memory_planner/lane_steps.h"
#include "memory_planner/reference_groups.h"
#include "memory_planner/vector_body_cost.h"
#include "schedule/compute_root.h"
#include "schedule/region.h"
#include "support/fast_dots.h"
#include "support/half_type.h"
#include "support/isl_context.h"
#include "support/isl_ext.h"

namespace solway::memory_planner {
namespace {

using schedule::Access;
using schedule::LoopId;
using schedule::LoopMark;
using schedule::State;
using schedule::Statement;
using schedule::StatementKind;

/// Operations of isl to see where the loops of a statement start.
constexpr unsigned long kStartsBudget = 200'000;

std::vector<const Statement*> computing(const State& state, const std::string& stage) {
  std::vector<const Statement*> out;
  for (const std::string& name : schedule::statements_of(state, stage)) {
    const Statement& s = state.program->statement(name);
    if (!s.serves_buffer() && s.kind != StatementKind::Init) out.push_back(&s);
  }
  return out;
}

double iterations_of(const State& state, const Statement& s) {
  double out = 1;
  for (const LoopId id : state.order.placement_of(s.name).path) {
    out *= static_cast<double>(state.order.loop(id).extent());
  }
  return out;
}

/// The statement that runs most often; of several, the last.
const Statement& main_of(const State& state, const std::vector<const Statement*>& all) {
  const Statement* out = all.front();
  for (const Statement* s : all) {
    if (iterations_of(state, *s) >= iterations_of(state, *out)) out = s;
  }
  return *out;
}

/// Whether statements of another stage stand inside a loop.
bool runs_others(const State& state, const std::string& stage, LoopId id) {
  const auto& placements = state.order.placements;
  return std::any_of(placements.begin(), placements.end(), [&](const schedule::Placement& p) {
    const bool is_inside = std::find(p.path.begin(), p.path.end(), id) != p.path.end();
    return is_inside && state.program->statement(p.statement).stage != stage;
  });
}

/// The fewest lanes of the element types that a statement touches, and of what it computes with.
int lanes_of(const State& state, const Statement& s, const Target& target, std::string& lack) {
  int out = INT32_MAX;
  const auto take = [&](const isl::map& relation) {
    const DType type =
        state.program->array(isl_ext::tuple_name(relation, isl_ext::Dim::Range)).type;
    const int lanes = target.lanes(type);
    if (lanes < 2 && lack.empty()) {
      lack = "the target has no vectors of " + std::string(to_string(type));
    }
    out = std::min(out, lanes);
  };
  for (const schedule::Write& write : s.writes) take(write.relation);
  for (const schedule::Operand& operand : s.reads) take(operand.relation);
  return lack.empty() ? out : 1;
}

bool has_masks(const VectorStage& stage, const Target& target) {
  const int least = target.masked_bytes();
  return least > 0 &&
         std::all_of(stage.accesses.begin(), stage.accesses.end(),
                     [&](const VectorAccess& access) { return access.element_bytes >= least; });
}

/// Whether the element follows from the iteration, and from no data.
bool is_affine(const State& state, const Access& access) {
  return access.is_write || state.program->statement(access.statement).reads[access.slot].is_exact;
}

/// Of an access in a stage of so many statements: VectorAccess::steps.
std::optional<std::int64_t> step_in_stage(const State& state, const Access& access, LoopId loop,
                                          std::size_t statements) {
  const auto step = step_of(state, access, loop, 0);
  const bool is_update = state.program->statement(access.statement).kind == StatementKind::Update;
  const bool may_be_cut = !is_update && !access.is_write && statements == 1;
  return !step && may_be_cut ? usual_step_of(state, access, loop) : step;
}

VectorAccess describe_access(const State& state, const Access& access, const VectorStage& stage) {
  const std::string array = isl_ext::tuple_name(access.relation, isl_ext::Dim::Range);
  VectorAccess out;
  out.array = array;
  out.is_written = access.is_write;
  out.is_near = state.program->buffers.count(array) != 0;
  out.element_bytes = size_bytes(state.program->array(array).type);
  out.is_half = is_half(state.program->array(array).type);
  for (const LoopId id : stage.ids) {
    out.steps.push_back(
        step_in_stage(state, access, id, static_cast<std::size_t>(stage.statements)));
    out.block_steps.push_back(out.steps.back() || stage.lanes < 2
                                  ? out.steps.back()
                                  : step_of(state, access, id, stage.lanes));
  }
  if (is_affine(state, access)) out.dims = access_dims(state, {access}, stage.ids);
  return out;
}

/// The operands of a statement that belong to references of a stage to a tensor.
std::set<std::size_t> operands_of(const std::vector<schedule::Reference>& all,
                                  const std::vector<int>& numbers, const std::string& statement) {
  std::set<std::size_t> out;
  for (const int number : numbers) {
    for (const auto& [name, slot] : all[static_cast<std::size_t>(number)].operands) {
      if (name == statement) out.insert(slot);
    }
  }
  return out;
}

/// Sets VectorAccess::references where a statement that sums reads an array at several places.
void tell_references_apart(const State& state, const Statement& s, VectorStage& stage) {
  std::map<std::string, int> reads;
  for (std::size_t slot = s.writes.size(); slot < s.reads.size(); ++slot) {
    ++reads[isl_ext::tuple_name(s.reads[slot].relation, isl_ext::Dim::Range)];
  }
  for (const auto& [array, count] : reads) {
    if (count < 2 || state.program->home_of(array) != array) continue;
    const auto groups = reference_groups(state, stage.name, array);
    if (groups.size() < 2) continue;
    const auto all = schedule::references_of(state, stage.name, array);
    for (const std::vector<int>& group : groups) {
      for (const std::size_t slot : operands_of(all, group, s.name)) {
        stage.accesses[slot - s.writes.size()].references = group;
      }
    }
  }
}

/// A byte that is made int32, or a bfloat16 that is made float32.
bool is_widened(const dsl::Expr& e, DType wide) {
  if (e->kind != dsl::ExprKind::Cast || e->type != wide) return false;
  const dsl::Expr& read = e->operands[0];
  if (read->kind != dsl::ExprKind::Read) return false;
  if (wide == DType::Float32) return read->type == DType::BFloat16;
  return wide == DType::Int32 && (read->type == DType::Int8 || read->type == DType::UInt8);
}

bool adds_products_of_groups(const State& state, const Statement& s) {
  if (s.kind != StatementKind::Update || s.reduce != ReduceOp::Sum || s.writes.size() != 1) {
    return false;
  }
  const std::string to = isl_ext::tuple_name(s.writes[0].relation, isl_ext::Dim::Range);
  const dsl::Expr& e = s.writes[0].value;
  const DType wide = state.program->array(to).type;
  return e->kind == dsl::ExprKind::Binary && e->binary == BinaryOp::Mul &&
         is_widened(e->operands[0], wide) && is_widened(e->operands[1], wide);
}

bool has_dots_of_bytes(const VectorUnit& unit) {
  return std::any_of(unit.dots.begin(), unit.dots.end(),
                     [](const DotForm& form) { return size_bytes(form.a) == 1; });
}

/// Sets VectorStage::dots and what they take. That bytes of other signs are turned is not counted:
/// copies of them are small (lowering/form_dots.h).
void find_dots(const State& state, const Statement& s, const Target& target, VectorStage& stage) {
  if (!adds_products_of_groups(state, s) || !target.vector || target.vector->dots.empty()) return;
  const dsl::Expr& product = s.writes[0].value;
  const DType a = product->operands[0]->operands[0]->type;
  const DType b = product->operands[1]->operands[0]->type;
  stage.dot_registers = target.vector->has_dot(a, b) || target.vector->has_dot(b, a) ? 0 : 1;
  stage.dot_chain_cycles = target.vector->fma_latency_cycles;
  if (a == DType::BFloat16) {
    if (!has_fast_dots(target)) return;
    stage.dot_registers = 0;
    stage.dot_terms = 2;
    stage.dot_cycles = fast_dot_cycles(target);
    stage.dot_chain_cycles *= 2;  // one product after the other
  } else if (!has_dots_of_bytes(*target.vector)) {
    return;
  }
  stage.dots.assign(stage.ids.size(), false);
  for (std::size_t k = 0; k < stage.ids.size(); ++k) {
    const LoopModel& loop = stage.loops[k];
    stage.dots[k] =
        loop.kind == dsl::AxisKind::Reduce && loop.extent >= stage.dot_terms && stage.around[k];
  }
  for (std::size_t slot = s.writes.size(); slot < s.reads.size(); ++slot) {
    const schedule::Operand& operand = s.reads[slot];
    const Access access{s.name, false, slot, operand.relation, operand.index};
    std::vector<bool>& groups = stage.accesses[slot - s.writes.size()].groups;
    groups.assign(stage.ids.size(), false);
    for (std::size_t k = 0; k < stage.ids.size(); ++k) {
      groups[k] = stage.dots[k] && step_of(state, access, stage.ids[k], stage.dot_terms) == 1;
    }
  }
}

/// Whether the first iteration of a loop is not the same wherever the others stand.
bool starts_late(const isl::set& iterations, int loop) {
  const isl::set from_start = isl_ext::fix(iterations, loop, 0);
  return !isl_ext::project_out(iterations, loop, 1)
              .is_subset(isl_ext::project_out(from_start, loop, 1));
}

/// Of statements that leave out iterations; what takes too long to know is not so.
std::vector<bool> late_starts(const State& state, const Statement& s, const VectorStage& stage) {
  std::vector<bool> out(stage.ids.size(), false);
  if (s.kind != StatementKind::Update) return out;
  std::vector<LoopId> around;
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (stage.around[k]) around.push_back(stage.ids[k]);
  }
  const IslBudget budget(state.program->ctx(), kStartsBudget);
  try {
    const isl::set iterations =
        schedule::values_of(state, s.name, around).as_map().intersect_domain(s.domain).range();
    int position = 0;
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (!stage.around[k]) continue;
      const bool may_be_lanes = stage.loops[k].kind == dsl::AxisKind::Spatial;
      out[k] = may_be_lanes && starts_late(iterations, position);
      ++position;
    }
  } catch (const isl::exception_quota&) {
    out.assign(out.size(), false);
  }
  return out;
}

/// Whether a statement writes one array, for which a buffer stands already.
bool writes_to_buffer(const State& state, const Statement& s) {
  return s.writes.size() == 1 && state.program->buffers.count(isl_ext::tuple_name(
                                     s.writes[0].relation, isl_ext::Dim::Range)) != 0;
}

bool can_hold(const State& state, const std::string& stage, const Statement& s) {
  if (s.writes.size() != 1 || writes_to_buffer(state, s)) return false;
  const auto& stages = state.program->stages;
  const auto at = std::find_if(stages.begin(), stages.end(),
                               [&](const dsl::Tensor& t) { return t->name == stage; });
  return at != stages.end() && !(*at)->is_update() && !(*at)->self;
}

/// The loops of a stage, where its sums have free order those of its terms in the order in which
/// all operands lie in memory, as far as they agree.
std::vector<LoopId> in_order_of_memory(const State& state, const std::string& stage,
                                       const Statement& s) {
  std::vector<LoopId> out = state.stage_loops.at(stage);
  if (s.kind != StatementKind::Update || !s.reduce) return out;
  const std::vector<LoopId>& path = state.order.placement_of(s.name).path;
  std::vector<std::size_t> places;  // of the loops over terms
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (std::find(path.begin(), path.end(), out[k]) == path.end()) continue;
    if (state.order.loop(out[k]).kind != dsl::AxisKind::Reduce) continue;
    if (state.order.loop(out[k]).mark != LoopMark::Serial || runs_others(state, stage, out[k])) {
      return state.stage_loops.at(stage);
    }
    places.push_back(k);
  }
  const auto lies_outside = [&](LoopId a, LoopId b) {
    bool is_known = false;
    for (std::size_t slot = s.writes.size(); slot < s.reads.size(); ++slot) {
      const schedule::Operand& operand = s.reads[slot];
      const Access access{s.name, false, slot, operand.relation, operand.index};
      const auto of_a = step_of(state, access, a, 0);
      const auto of_b = step_of(state, access, b, 0);
      if (!of_a || !of_b) return false;
      if (*of_a == 0 || *of_b == 0) continue;
      if (std::abs(*of_a) <= std::abs(*of_b)) return false;
      is_known = true;
    }
    return is_known;
  };
  for (std::size_t n = 1; n < places.size(); ++n) {
    for (std::size_t m = n; m > 0 && lies_outside(out[places[m]], out[places[m - 1]]); --m) {
      std::swap(out[places[m]], out[places[m - 1]]);
    }
  }
  return out;
}

/// Whether a loop is the inner one of a split of a loop whose extent is known when it runs.
bool is_cut_block(const State& state, LoopId id) {
  return std::any_of(state.log.begin(), state.log.end(), [&](const schedule::Step& step) {
    if (step.primitive != "split" || step.results.back() != id) return false;
    const auto outer = state.order.loops.find(step.results.front());
    return outer != state.order.loops.end() && outer->second.depends_on_sizes;
  });
}

}  // namespace

bool VectorAccess::depends(int loop) const {
  const auto k = static_cast<std::size_t>(loop);
  return !steps[k] || *steps[k] != 0;
}

bool VectorAccess::goes_on(int outer, int inner, std::int64_t iterations) const {
  const auto& of_outer = steps[static_cast<std::size_t>(outer)];
  const auto& of_inner = steps[static_cast<std::size_t>(inner)];
  return of_outer && of_inner && *of_outer == *of_inner * iterations;
}

bool reads_evenly(const State& state, const std::string& stage, LoopId loop) {
  const std::vector<const Statement*> statements = computing(state, stage);
  if (statements.empty()) return true;
  const Statement& s = main_of(state, statements);
  const bool is_update = s.kind == StatementKind::Update;
  for (std::size_t slot = is_update ? s.writes.size() : 0; slot < s.reads.size(); ++slot) {
    const schedule::Operand& operand = s.reads[slot];
    const Access access{s.name, false, slot, operand.relation, operand.index};
    if (!step_in_stage(state, access, loop, statements.size())) return false;
  }
  return true;
}

VectorStage describe_stage(const State& state, const std::string& stage, const Target& target) {
  const std::vector<const Statement*> statements = computing(state, stage);
  VectorStage out;
  out.name = stage;
  out.ids = state.stage_loops.at(stage);
  out.statements = static_cast<int>(statements.size());
  if (statements.empty()) {
    out.no_vector = "it computes nothing";
    return out;
  }
  const Statement& s = main_of(state, statements);
  if (statements.size() == 1) out.ids = in_order_of_memory(state, stage, s);
  out.statement = s.name;
  const std::vector<LoopId>& path = state.order.placement_of(s.name).path;
  for (const LoopId id : out.ids) {
    const schedule::Loop& loop = state.order.loop(id);
    const bool is_fixed = loop.mark != LoopMark::Serial || runs_others(state, stage, id);
    out.loops.push_back({loop.name, loop.extent(), loop.kind,
                         is_fixed ? Tiling::Outside : Tiling::Free,
                         loop.mark == LoopMark::Parallel});
    out.around.push_back(std::find(path.begin(), path.end(), id) != path.end());
    out.sized.push_back(loop.depends_on_sizes);
    out.cut_blocks.push_back(is_cut_block(state, id));
  }
  out.is_update = s.kind == StatementKind::Update;
  out.has_free_order = out.is_update && s.reduce.has_value();
  const VectorBodyCost cost = cost_of_body(s, target);
  out.vector_cycles = cost.cycles;
  out.chain_cycles = cost.chain_cycles;
  out.carried = cost.carried;
  out.lanes = lanes_of(state, s, target, out.no_vector);
  out.is_scalable = target.vector && target.vector->is_scalable;
  for (std::size_t slot = 0; slot < s.reads.size(); ++slot) {
    if (out.is_update && slot < s.writes.size()) continue;  // the accumulators
    const schedule::Operand& operand = s.reads[slot];
    out.accesses.push_back(
        describe_access(state, {s.name, false, slot, operand.relation, operand.index}, out));
  }
  for (std::size_t slot = 0; slot < s.writes.size(); ++slot) {
    const schedule::Write& write = s.writes[slot];
    out.accesses.push_back(
        describe_access(state, {s.name, true, slot, write.relation, write.index}, out));
    out.result = out.accesses.back().array;
  }
  if (out.has_free_order && !out.has_sizes()) tell_references_apart(state, s, out);
  out.has_masks = has_masks(out, target);
  out.has_states = out.is_update && s.combiner && s.combiner->is_commutative && !out.is_scalable &&
                   !out.has_sizes();
  out.starts_late = late_starts(state, s, out);
  out.can_hold = can_hold(state, stage, s);
  find_dots(state, s, target, out);
  out.is_near = writes_to_buffer(state, s);
  return out;
}

}  // namespace solway::memory_planner
