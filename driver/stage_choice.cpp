#include "driver/stage_choice.h"

#include <algorithm>
#include <utility>

#include "memory_planner/scratchpad.h"

namespace solway::driver {

MadeChoice choice_of(const WrittenNest& made, const memory_planner::PlannedStage& stage,
                     const memory_planner::Tiles& tiles, const memory_planner::Room& room,
                     const Target& target, const SourceLoc& where) {
  MadeChoice out;
  StageChoice& choice = out.choice;
  choice.stage = stage.model.name;
  choice.buffers = made.buffers;
  choice.parallel = made.parallel;
  choice.room_bytes = room.capacity_bytes;
  for (std::size_t k = 0; k < stage.loops.size(); ++k) {
    choice.tiles.push_back({stage.model.loops[k].name, stage.model.loops[k].extent, tiles[k]});
  }
  for (const schedule::LoopId id : made.state.stage_loops.at(choice.stage)) {
    choice.order.push_back(schedule::loop_name(made.state, id));
  }
  for (const auto& layout : memory_planner::lay_out(made.state, target, where)) {
    for (const memory_planner::PlacedBuffer& b : layout.buffers) {
      const bool is_new =
          std::find(choice.buffers.begin(), choice.buffers.end(), b.name) != choice.buffers.end();
      if (!is_new) continue;
      out.buffers.push_back({b.name, b.size_bytes, b.primitive});
      choice.buffer_bytes +=
          (b.size_bytes + room.alignment_bytes - 1) / room.alignment_bytes * room.alignment_bytes;
    }
  }
  return out;
}

void keep(AutoBufferResult& out, WrittenNest made, StageChoice choice) {
  out.remarks.insert(out.remarks.end(), made.remarks.begin(), made.remarks.end());
  out.state = std::move(made.state);
  out.choices.push_back(std::move(choice));
}

}  // namespace solway::driver
