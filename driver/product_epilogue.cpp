#include "driver/product_epilogue.h"

#include <algorithm>

#include "driver/fuse_stages.h"
#include "driver/reader_loops.h"
#include "driver/reference_choice.h"
#include "memory_planner/body_model.h"
#include "memory_planner/extract_stage.h"
#include "memory_planner/scratchpad.h"

namespace solway::driver {
namespace {

using memory_planner::BodyModel;
using memory_planner::PlannedStage;
using schedule::LoopId;
using schedule::State;

/// The only reader of a product, when it computes one element for each of its elements.
std::optional<OnlyRead> plain_reader(const State& state, const std::string& product) {
  if (!is_movable(state, product) || is_scheduled(state, product)) return std::nullopt;
  const auto read = only_read(state, product);
  if (!read) return std::nullopt;
  const schedule::Statement& s = state.program->statement(read->statement);
  const bool is_apart = !memory_planner::share_a_nest(state, product, s.stage);
  return is_apart && computes_plainly(state, s.stage) ? read : std::nullopt;
}

/// Where a product stores its results.
struct WrittenDims {
  std::vector<std::int64_t> extents;  ///< per dimension of the tensor in its layout
  std::vector<int> of_loop;           ///< per loop, the dimension that it moves along; -1: none
};

/// nullopt where not each spatial loop moves along a dimension of its own.
std::optional<WrittenDims> written_dims(const PlannedStage& stage, const std::string& product) {
  const auto& tensors = stage.model.tensors;
  const auto sums = std::find_if(tensors.begin(), tensors.end(), [&](const auto& tensor) {
    return tensor.name == product && tensor.direction == memory_planner::AccessDirection::Write;
  });
  if (sums == tensors.end()) return std::nullopt;
  WrittenDims out;
  out.of_loop.assign(stage.model.loops.size(), -1);
  for (std::size_t dim = 0; dim < sums->dims.size(); ++dim) {
    const auto& terms = sums->dims[dim].terms;
    out.extents.push_back(1);
    if (terms.empty()) continue;
    if (terms.size() != 1 || terms[0].growth != 1) return std::nullopt;
    const auto loop = static_cast<std::size_t>(terms[0].loop);
    if (out.of_loop[loop] >= 0) return std::nullopt;
    out.of_loop[loop] = static_cast<int>(dim);
    out.extents.back() = stage.model.loops[loop].extent;
  }
  for (std::size_t k = 0; k < out.of_loop.size(); ++k) {
    const auto& loop = stage.model.loops[k];
    const bool is_still = out.of_loop[k] < 0 && loop.extent > 1;
    if (loop.kind == dsl::AxisKind::Spatial && is_still) return std::nullopt;
  }
  return out;
}

}  // namespace

double best_cycles(const State& state, const std::string& stage, const Target& target,
                   const memory_planner::Room& room, memory_planner::PlanMemo& plans,
                   const memory_planner::Decided& decided) {
  return choose_references(state, stage, target, room, plans, decided).cycles;
}

std::optional<ProductEpilogue> product_epilogue(const State& state, const std::string& product,
                                                const Target& target,
                                                memory_planner::PlanMemo& plans,
                                                const memory_planner::Decided& decided) {
  if (!state.original->sizes.empty()) return std::nullopt;
  const auto read = plain_reader(state, product);
  if (!read) return std::nullopt;
  const PlannedStage stage = plans.stages().extract(state, product, {}, decided);
  if (!memory_planner::is_free(stage)) return std::nullopt;
  const BodyModel body = memory_planner::model_body(state, stage.model, target);
  if (!body.is_product) return std::nullopt;
  ProductEpilogue out;
  out.nest.reader = state.program->statement(read->statement).stage;
  const PlannedStage reader = plans.stages().extract(state, out.nest.reader);
  if (!memory_planner::is_free(reader)) return std::nullopt;
  const auto dims = written_dims(stage, product);
  if (!dims) return std::nullopt;
  const auto along = reader_loops(state, *read, dims->extents, Reach::Part);
  if (!along) return std::nullopt;
  std::vector<int> positions;
  for (std::size_t k = 0; k < stage.model.loops.size(); ++k) {
    const int dim = dims->of_loop[k];
    const LoopId id = dim < 0 ? kNoLoop : (*along)[static_cast<std::size_t>(dim)];
    out.nest.reader_loops.push_back(id);
    const bool is_part =
        id != kNoLoop && state.order.loop(id).extent() < stage.model.loops[k].extent;
    out.nest.is_part = out.nest.is_part || is_part;
    const auto found = std::find(reader.loops.begin(), reader.loops.end(), id);
    positions.push_back(
        found == reader.loops.end() ? -1 : static_cast<int>(found - reader.loops.begin()));
  }
  for (std::size_t k = 0; k < reader.loops.size(); ++k) {
    const bool is_along = std::find(along->begin(), along->end(), reader.loops[k]) != along->end();
    if (!is_along && reader.model.loops[k].extent > 1) return std::nullopt;
  }
  const BodyModel reader_body = memory_planner::model_body(state, reader.model, target);
  memory_planner::ProductWithEpilogue made =
      memory_planner::with_epilogue(stage, body, reader, reader_body, positions, target);
  out.nest.stage = std::move(made.stage);
  out.nest.vector = made.vector < 0 ? kNoLoop : reader.loops[static_cast<std::size_t>(made.vector)];
  out.body = std::move(made.body);
  return out;
}

std::optional<memory_planner::OptimalPlan> plan_together(const ProductEpilogue& fused,
                                                         const Target& target,
                                                         const memory_planner::Room& room,
                                                         memory_planner::PlanMemo& plans,
                                                         memory_planner::Means means) {
  const PlannedStage& stage = fused.nest.stage;
  const memory_planner::CostInputs in{&stage.model, &fused.body, &target,
                                      target.engine_or_null(target.default_scope)};
  means.loops_of_c = false;
  memory_planner::OptimalPlan found = plans.plan(in, room, means);
  const bool is_cut = std::any_of(found.plan.outer.begin(), found.plan.outer.end(), [&](int k) {
    return stage.model.loops[static_cast<std::size_t>(k)].kind == dsl::AxisKind::Spatial;
  });
  const bool is_plan =
      found.plan.fits && found.plan.micro_kernel && (is_cut || !found.plan.parallel.empty());
  if (!is_plan) return std::nullopt;
  return found;
}

double cycles_apart(const State& state, const ProductEpilogue& fused, const Target& target,
                    const memory_planner::Room& room, memory_planner::PlanMemo& plans,
                    const memory_planner::Decided& decided) {
  return best_cycles(state, fused.nest.stage.model.name, target, room, plans, decided) +
         best_cycles(state, fused.nest.reader, target, room, plans);
}

}  // namespace solway::driver
