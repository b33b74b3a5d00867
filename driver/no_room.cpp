#include "driver/no_room.h"

namespace solway::driver {
namespace {

using memory_planner::PlannedStage;
using memory_planner::Room;
using memory_planner::StagePlan;
using memory_planner::TensorModel;
using memory_planner::Tiling;
using schedule::State;

/// "k.i (split(k, factor=64) at user.py:5)" for each loop whose tile is not free.
std::string fixed_choices(const State& state, const PlannedStage& stage) {
  std::string out;
  for (std::size_t k = 0; k < stage.loops.size(); ++k) {
    if (stage.model.loops[k].tiling != Tiling::Inside || stage.model.loops[k].is_whole) continue;
    const schedule::Loop& loop = state.order.loop(stage.loops[k]);
    out += (out.empty() ? "'" : ", '") + loop.name + "' of " + std::to_string(loop.extent()) +
           " iterations, made at " + loop.where.to_string();
  }
  return out;
}

}  // namespace

void fail_capacity(const State& state, const PlannedStage& stage, const StagePlan& plan,
                   const Room& room, const SourceLoc& where) {
  std::vector<CapacityError::Buffer> buffers;
  for (const TensorModel& tensor : stage.model.tensors) {
    buffers.push_back(
        {tensor.name, memory_planner::buffer_bytes(tensor, plan.choice.tiles, room.alignment_bytes),
         "auto_buffer"});
  }
  const std::string fixed = fixed_choices(state, stage);
  throw CapacityError(
      {where,
       "the buffers of '" + stage.model.name + "' need " + std::to_string(plan.choice.bytes) +
           " bytes, there is room for " + std::to_string(room.capacity_bytes),
       fixed.empty() ? "one iteration of each loop touches that much"
                     : "the schedule fixes what lies inside a buffer: " + fixed,
       fixed.empty() ? "stage fewer tensors with buffer_read" : "split these loops further"},
      plan.choice.bytes, room.capacity_bytes, std::move(buffers));
}

void fail_boxes(const std::string& stage, const std::vector<CapacityError::Buffer>& tried,
                const Room& room, const SourceLoc& where) {
  std::int64_t bytes = 0;
  for (const CapacityError::Buffer& b : tried) bytes += b.size_bytes;
  throw CapacityError(
      {where,
       "the buffers of '" + stage + "' need " + std::to_string(bytes) +
           " bytes, there is room for " + std::to_string(room.capacity_bytes),
       "the smallest box of constant size that was found at their positions holds more than a "
       "tile touches, as it does under a loop that was fused",
       "plan the stage before loops are fused"},
      bytes, room.capacity_bytes, tried);
}

}  // namespace solway::driver
