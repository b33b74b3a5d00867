#include "memory_planner/epilogue.h"

#include <algorithm>

#include "memory_planner/compute_cost.h"
#include "memory_planner/nest_plan.h"

namespace solway::memory_planner {
namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

/// The reader by itself, on one core, staged, its loop `vector` in vectors.
NestPlan whole(const StageModel& reader, int vector) {
  NestPlan out;
  for (const LoopModel& loop : reader.loops) out.cuts.push_back({loop.extent, loop.extent, 1});
  out.depths.assign(reader.tensors.size(), 1);
  out.vector = vector;
  if (vector >= 0) out.cuts[at(vector)].held = out.cuts[at(vector)].part;
  return out;
}

/// The loop along which all that the reader writes lies side by side; -1 without vectors.
int vector_loop(const StageModel& reader, const BodyModel& body) {
  if (body.lanes <= 1) return -1;
  for (int k = 0; k < static_cast<int>(reader.loops.size()); ++k) {
    if (reader.loops[at(k)].extent < body.lanes) continue;
    const bool is_contiguous =
        std::all_of(reader.tensors.begin(), reader.tensors.end(), [&](const TensorModel& t) {
          return t.direction == AccessDirection::Read ||
                 lane_access(t, k) == LaneAccess::Contiguous;
        });
    if (is_contiguous) return k;
  }
  return -1;
}

/// A tensor of the reader, by the loops of the product.
TensorModel renamed(TensorModel tensor, const std::vector<int>& loops) {
  tensor.is_epilogue = true;
  tensor.elsewhere.clear();
  for (DimModel& dim : tensor.dims) {
    std::vector<IndexTerm> terms;
    for (const IndexTerm& term : dim.terms) {
      const auto mine = std::find(loops.begin(), loops.end(), term.loop);
      if (mine == loops.end()) continue;  // a loop of one iteration
      terms.push_back({static_cast<int>(mine - loops.begin()), term.growth});
    }
    dim.terms = std::move(terms);
  }
  return tensor;
}

}  // namespace

ProductWithEpilogue with_epilogue(const PlannedStage& product, const BodyModel& body,
                                  const PlannedStage& reader, const BodyModel& reader_body,
                                  const std::vector<int>& loops, const Target& target) {
  ProductWithEpilogue out{product, body, -1};
  for (TensorModel& tensor : out.stage.model.tensors) {
    if (tensor.direction == AccessDirection::Write) tensor.is_local = true;
  }
  for (std::size_t t = 0; t < reader.model.tensors.size(); ++t) {
    const TensorModel& tensor = reader.model.tensors[t];
    if (tensor.name == product.model.name) continue;
    out.stage.model.tensors.push_back(renamed(tensor, loops));
    out.body.accesses.push_back(0);
    out.body.shapes.push_back(reader_body.shapes[t]);
  }
  double elements = 1;
  for (const LoopModel& loop : reader.model.loops) elements *= static_cast<double>(loop.extent);
  const auto cycles = [&](int vector) {
    return compute_cycles(reader.model, reader_body, whole(reader.model, vector), target);
  };
  const int vector = vector_loop(reader.model, reader_body);
  if (vector >= 0 && cycles(vector) < cycles(-1)) out.vector = vector;
  out.body.epilogue_cycles = cycles(out.vector) / elements;
  return out;
}

bool has_epilogue(const StageModel& stage) {
  return std::any_of(stage.tensors.begin(), stage.tensors.end(),
                     [](const TensorModel& tensor) { return tensor.is_epilogue; });
}

double epilogue_cycles(const StageModel& stage, const BodyModel& body, const NestPlan& plan) {
  if (body.epilogue_cycles == 0) return 0;
  double out = body.epilogue_cycles;
  for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
    if (stage.loops[at(k)].kind == dsl::AxisKind::Reduce) continue;
    out *= static_cast<double>(busiest_extent(stage, plan, k));
  }
  return out;
}

}  // namespace solway::memory_planner
