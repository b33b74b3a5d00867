#include "memory_planner/body_model.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "dsl/reducer.h"
#include "memory_planner/detail/expression_walk.h"
#include "memory_planner/iteration_samples.h"
#include "schedule/region.h"
#include "schedule/statement.h"
#include "support/isl_ext.h"

namespace solway::memory_planner {
namespace {

std::vector<const Statement*> computing(const schedule::State& state, const std::string& stage) {
  std::vector<const Statement*> out;
  for (const std::string& name : schedule::statements_of(state, stage)) {
    const Statement& s = state.program->statement(name);
    if (!s.serves_buffer() && s.kind != StatementKind::Init) out.push_back(&s);
  }
  return out;
}

/// What numbers take where selects are weighed, and which iterations run.
void count_exactly(const Statement& main, const StageModel& stage, const Target& target, DType type,
                   BodyModel& out) {
  const IterationSamples samples = sample_iterations(main);
  out.filled = samples.filled;
  out.entered = samples.entered;
  BodyModel numbers;
  numbers.issue_cycles = numbers.number_cycles = 0;
  Walk walk(target, type, numbers);
  walk.weigh(main, samples.inside);
  out.number_chain_cycles = 0;
  for (const schedule::Write& write : main.writes) {
    out.number_chain_cycles = std::max(*out.number_chain_cycles, walk.value(write.value));
  }
  out.number_cycles = numbers.number_cycles;
  for (const TensorModel& tensor : stage.tensors) {
    double count = 0;
    for (const schedule::Operand& operand : main.reads) {
      const auto read = walk.read_shares().find(operand.read.get());
      const std::string array = isl_ext::tuple_name(operand.relation, isl_ext::Dim::Range);
      if (read != walk.read_shares().end() && array == tensor.name) count += read->second;
    }
    out.number_accesses.push_back(count);
  }
}

/// What vectors along each loop take, where the loop is one of the statement as it was written.
void count_within_loops(const Statement& main, const StageModel& stage, const Target& target,
                        DType type, BodyModel& out) {
  for (const LoopModel& loop : stage.loops) {
    out.within.push_back({out.issue_cycles, out.chain_cycles});
    const auto axis = std::find_if(main.axes.begin(), main.axes.end(),
                                   [&](const dsl::Axis& one) { return one->name == loop.name; });
    if (axis == main.axes.end()) continue;
    BodyModel own;
    own.issue_cycles = own.number_cycles = 0;
    Walk walk(target, type, own);
    walk.within(axis->get());
    for (const schedule::Write& write : main.writes) {
      own.chain_cycles = std::max(own.chain_cycles, walk.value(write.value));
    }
    out.within.back() = {std::max(1.0, own.issue_cycles), own.chain_cycles};
  }
}

BodyModel model_statement(const schedule::State& state, const StageModel& stage,
                          const Statement& main, const Target& target, Iterated iterated) {
  BodyModel out;
  out.issue_cycles = out.number_cycles = 0;
  const auto type_of = [&](const isl::map& relation) {
    return state.program->array(isl_ext::tuple_name(relation, isl_ext::Dim::Range)).type;
  };
  const DType type = type_of(main.writes.at(0).relation);
  Walk walk(target, type, out);
  out.cuts_rows = target.is_emulated() && stores_by_axes(main);
  for (const schedule::Write& write : main.writes) {
    const double ready = out.cuts_rows ? walk.either(write.value) : walk.value(write.value);
    out.chain_cycles = std::max(out.chain_cycles, ready);
  }
  if (iterated == Iterated::Exactly) count_exactly(main, stage, target, type, out);
  if (main.kind == StatementKind::Compute && !out.cuts_rows) {
    count_within_loops(main, stage, target, type, out);
  }
  if (main.kind == StatementKind::Update) {
    out.is_reduction = true;
    const Cost cost = main.reduce ? walk.combine(*main.reduce) : walk.combine(*main.combiner);
    const dsl::Expr& term = main.writes[0].value;
    const bool is_fused = main.reduce == ReduceOp::Sum && term->kind == ExprKind::Binary &&
                          term->binary == BinaryOp::Mul;
    if (!is_fused) {
      out.issue_cycles += cost.issue;
      out.number_cycles += cost.of_number();
    }
    out.accumulate_cycles = cost.latency;
  }
  out.issue_cycles = std::max(out.issue_cycles, 1.0);
  out.number_cycles = std::max(out.number_cycles, 1.0);
  for (const schedule::Operand& operand : main.reads) {
    if (type_of(operand.relation) != type) walk.refuse("values of several types");
    if (!operand.is_exact) walk.refuse("an index that depends on data");
  }
  if (!is_float(type)) walk.refuse("values of a type without a vector form");
  if (out.no_vector.empty()) out.lanes = target.lanes(type);
  out.is_product = out.no_vector.empty() && adds_products(main, type);
  for (const TensorModel& tensor : stage.tensors) {
    const bool is_written = main.writes_to(tensor.name);
    int count = is_written ? 1 : 0;
    if (!is_written) {
      const auto reads = schedule::accesses_of(state, stage.name, tensor.name,
                                               schedule::AccessKind::Reads, tensor.references);
      count = static_cast<int>(
          std::count_if(reads.begin(), reads.end(),
                        [&](const schedule::Access& read) { return read.statement == main.name; }));
    }
    out.accesses.push_back(count);
    out.shapes.push_back(state.program->array(tensor.name).shape);
  }
  return out;
}

/// The stage as one of its statements sees it.
StatementModel alone(const schedule::State& state, const StageModel& stage, const Statement& s,
                     const Target& target, Iterated iterated) {
  StatementModel out{stage, model_statement(state, stage, s, target, iterated), {}};
  const std::vector<schedule::LoopId>& path = state.order.placement_of(s.name).path;
  const std::vector<schedule::LoopId>& loops = state.stage_loops.at(stage.name);
  for (std::size_t k = 0; k < loops.size(); ++k) {
    out.around.push_back(std::find(path.begin(), path.end(), loops[k]) != path.end());
    if (out.around.back()) continue;
    out.stage.loops[k].extent = 1;
    out.stage.loops[k].kind = dsl::AxisKind::Spatial;
  }
  for (TensorModel& tensor : out.stage.tensors) {
    if (!s.writes_to(tensor.name)) tensor.direction = AccessDirection::Read;
  }
  return out;
}

}  // namespace

bool adds_products(const Statement& s, DType type) {
  if (s.kind != StatementKind::Update || s.reduce != ReduceOp::Sum || s.combiner) return false;
  if (s.is_merge() || s.writes.size() != 1) return false;
  const dsl::Expr& term = s.writes[0].value;
  return term->kind == ExprKind::Binary && term->binary == BinaryOp::Mul &&
         std::all_of(term->operands.begin(), term->operands.end(),
                     [](const dsl::Expr& e) { return e->kind == ExprKind::Read; }) &&
         (type == DType::Float32 || type == DType::Float64);
}

BodyModel model_body(const schedule::State& state, const StageModel& stage, const Target& target,
                     Iterated iterated) {
  const std::vector<const Statement*> all = computing(state, stage.name);
  BodyModel out = model_statement(state, stage, *all.front(), target, iterated);
  if (all.size() == 1) return out;
  out.is_product = false;
  for (const Statement* s : all) {
    out.statements.push_back(alone(state, stage, *s, target, iterated));
    const BodyModel& own = out.statements.back().body;
    out.is_reduction = out.is_reduction || own.is_reduction;
    out.lanes = std::min(out.lanes, own.lanes);
    if (out.no_vector.empty()) out.no_vector = own.no_vector;
    if (out.statements.size() == 1) continue;
    for (std::size_t t = 0; t < own.accesses.size(); ++t) out.accesses[t] += own.accesses[t];
  }
  return out;
}

}  // namespace solway::memory_planner
