#include "driver/left_out.h"

#include <algorithm>

#include "memory_planner/nest_plan.h"
#include "support/isl_ext.h"

namespace solway::driver {
namespace {

using memory_planner::PlannedStage;
using memory_planner::TensorModel;
using schedule::State;

/// Whether a statement of the stage reads elements of an array that depend on data.
bool is_read_at_data(const State& state, const std::string& stage, const std::string& array) {
  const std::vector<std::string> names = schedule::statements_of(state, stage);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const auto& reads = state.program->statement(name).reads;
    return std::any_of(reads.begin(), reads.end(), [&](const schedule::Operand& operand) {
      return !operand.is_exact &&
             isl_ext::tuple_name(operand.relation, isl_ext::Dim::Range) == array;
    });
  });
}

bool is_constant(const State& state, const std::string& array) {
  const dsl::Tensor& tensor = state.program->array(array).tensor;
  return tensor != nullptr && tensor->is_constant();
}

/// The largest buffer that has to hold all that some loop touches; "" when there is none.
std::string largest_whole(const PlannedStage& stage) {
  const memory_planner::Tiles tiles = memory_planner::smallest_tiles(stage.model);
  std::string out;
  std::int64_t most = 0;
  for (const TensorModel& tensor : stage.model.tensors) {
    const std::int64_t bytes = memory_planner::buffer_bytes(tensor, tiles, 1);
    for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
      const bool is_whole = stage.model.loops[static_cast<std::size_t>(k)].is_whole;
      if (!is_whole || !memory_planner::depends(tensor, k) || bytes <= most) continue;
      out = tensor.name;
      most = bytes;
    }
  }
  return out;
}

}  // namespace

std::vector<int> far_apart(const memory_planner::StageModel& stage,
                           const memory_planner::Room& room) {
  std::vector<int> out;
  for (std::size_t t = 0; t < stage.tensors.size(); ++t) {
    std::int64_t bytes = stage.tensors[t].element_bytes;
    for (const memory_planner::DimModel& dim : stage.tensors[t].dims) bytes *= dim.base;
    if (bytes > stage.tensors[t].element_bytes && bytes > room.capacity_bytes) {
      out.push_back(static_cast<int>(t));
    }
  }
  return out;
}

std::optional<LeftOut> left_out_first(const State& state, const PlannedStage& stage,
                                      const memory_planner::Room& room) {
  const std::vector<TensorModel>& tensors = stage.model.tensors;
  for (const TensorModel& tensor : tensors) {
    if (!is_read_at_data(state, stage.model.name, tensor.name)) continue;
    return LeftOut{tensor.name, "which of its elements are read depends on data"};
  }
  const std::string whole = largest_whole(stage);
  if (!whole.empty()) {
    return LeftOut{whole,
                   "it is needed whole, as it is accessed inside of a reduction and beside it, and "
                   "there is no room"};
  }
  for (const TensorModel& tensor : tensors) {
    if (tensor.is_local) {
      return LeftOut{tensor.name, "it is the value of a reduction, and there is no room"};
    }
  }
  for (const TensorModel& tensor : tensors) {
    if (is_constant(state, tensor.name)) {
      return LeftOut{tensor.name, "it is a table of constants, and there is no room"};
    }
  }
  const std::vector<int> far = far_apart(stage.model, room);
  if (!far.empty()) return LeftOut{tensors[static_cast<std::size_t>(far.front())].name, kFarApart};
  return std::nullopt;
}

std::optional<LeftOut> left_out_of_boxes(const PlannedStage& stage) {
  std::optional<LeftOut> out;
  std::int64_t most = 0;
  for (const TensorModel& tensor : stage.model.tensors) {
    if (tensor.direction == memory_planner::AccessDirection::Write) continue;
    std::int64_t bytes = tensor.element_bytes;
    for (const memory_planner::DimModel& dim : tensor.dims) bytes *= dim.extent;
    if (bytes <= most) continue;
    most = bytes;
    out = {tensor.name, "the box around what a tile touches of it has no room"};
  }
  return out;
}

}  // namespace solway::driver
