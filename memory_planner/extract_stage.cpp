#include "memory_planner/extract_stage.h"

#include <algorithm>
#include <map>

#include "memory_planner/access_dims.h"
#include "schedule/region.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::memory_planner {
namespace {

using schedule::ArrayKind;
using schedule::LoopId;
using schedule::LoopMark;
using schedule::State;
using schedule::Statement;

/// The one statement that is neither an initialisation nor a transfer.
const Statement& main_statement(const State& state, const std::string& stage,
                                const SourceLoc& where) {
  const Statement* out = nullptr;
  for (const std::string& name : schedule::statements_of(state, stage)) {
    const Statement& s = state.program->statement(name);
    if (s.is_transfer() || s.kind == schedule::StatementKind::Init) continue;
    if (out != nullptr) {
      throw UnsupportedError(
          {where, "auto_buffer cannot plan '" + stage + "'",
           "it holds a reduction inside a larger expression, and a tile of it would be two nests",
           "compute the reduction as a tensor of its own and read it: each stage is then planned "
           "by itself"});
    }
    out = &s;
  }
  if (out == nullptr) {
    throw UnsupportedError({where, "auto_buffer cannot plan '" + stage + "'",
                            "it has no statement that computes", "leave it out"});
  }
  return *out;
}

std::map<LoopId, Tiling> fixed_by_user(const State& state, const std::string& stage) {
  std::map<LoopId, Tiling> out;
  for (const schedule::Step& step : state.log) {
    if (step.stage != stage || step.primitive != "split" || step.results.size() != 2) continue;
    out[step.results[0]] = Tiling::Outside;
    out[step.results[1]] = Tiling::Inside;
    const auto outer = state.order.loops.find(step.results[0]);
    const bool is_parallel =
        outer != state.order.loops.end() && outer->second.mark == LoopMark::Parallel;
    if (is_parallel) out[step.results[1]] = Tiling::Free;
  }
  for (const LoopId id : state.stage_loops.at(stage)) {
    const LoopMark mark = state.order.loop(id).mark;
    if (mark == LoopMark::Parallel) out[id] = Tiling::Outside;
    if (mark == LoopMark::Vectorized || mark == LoopMark::Unrolled) out[id] = Tiling::Inside;
  }
  return out;
}

void add_tensor(const State& state, const std::string& stage, const std::string& array,
                AccessDirection direction, PlannedStage& out) {
  const schedule::Array& info = state.program->array(array);
  if (info.kind == ArrayKind::Buffer) return;
  const auto kind = direction == AccessDirection::Write ? schedule::AccessKind::Writes
                                                        : schedule::AccessKind::Reads;
  TensorModel tensor;
  tensor.name = array;
  tensor.element_bytes = size_bytes(info.type);
  tensor.direction = direction;
  tensor.dims = access_dims(state, schedule::accesses_of(state, stage, array, kind), out.loops);
  out.model.tensors.push_back(std::move(tensor));
}

}  // namespace

PlannedStage extract_stage(const State& state, const std::string& stage, const SourceLoc& where) {
  const Statement& main = main_statement(state, stage, where);
  PlannedStage out;
  out.model.name = stage;
  out.loops = state.stage_loops.at(stage);
  const std::map<LoopId, Tiling> fixed = fixed_by_user(state, stage);
  for (const LoopId id : out.loops) {
    const schedule::Loop& loop = state.order.loop(id);
    const auto at = fixed.find(id);
    out.model.loops.push_back({loop.name, loop.extent(), loop.kind,
                               at == fixed.end() ? Tiling::Free : at->second,
                               loop.mark == LoopMark::Parallel});
  }
  std::vector<std::string> written;
  for (const schedule::Write& write : main.writes) {
    written.push_back(isl_ext::tuple_name(write.relation, isl_ext::Dim::Range));
  }
  std::vector<std::string> seen = written;
  for (const schedule::Operand& operand : main.reads) {
    const std::string array = isl_ext::tuple_name(operand.relation, isl_ext::Dim::Range);
    if (std::find(seen.begin(), seen.end(), array) != seen.end()) continue;
    seen.push_back(array);
    add_tensor(state, stage, array, AccessDirection::Read, out);
  }
  for (const std::string& array : written) {
    add_tensor(state, stage, array, AccessDirection::Write, out);
  }
  out.keeps_order = std::any_of(state.log.begin(), state.log.end(), [&](const auto& step) {
    return step.stage == stage && step.primitive == "reorder";
  });
  return out;
}

}  // namespace solway::memory_planner
