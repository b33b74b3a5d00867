#include "memory_planner/loop_room.h"

#include <algorithm>

#include "memory_planner/access_dims.h"
#include "schedule/panels.h"
#include "schedule/region.h"

namespace solway::memory_planner {
namespace {

using schedule::LoopId;
using schedule::State;

/// A buffer whose size follows from the extents of the loops inside its position.
struct GrowingBuffer {
  std::vector<DimModel> dims;  ///< terms name positions in the stage's loops
  const PlacedBuffer* placed = nullptr;

  /// With the loops at `extents` in place of `now`; what the model does not explain stays.
  std::int64_t size_bytes(const Tiles& now, const Tiles& extents) const {
    std::int64_t bytes = solway::size_bytes(placed->type);
    for (std::size_t k = 0; k < dims.size(); ++k) {
      std::int64_t elems = placed->shape[k];
      for (const IndexTerm& term : dims[k].terms) {
        const auto at = static_cast<std::size_t>(term.loop);
        elems += term.growth * (extents[at] - now[at]);
      }
      bytes *= std::clamp<std::int64_t>(elems, 1, dims[k].extent);
    }
    return bytes;
  }

  bool grows_with(int loop) const {
    return std::any_of(dims.begin(), dims.end(), [&](const DimModel& dim) {
      return std::any_of(dim.terms.begin(), dim.terms.end(),
                         [&](const IndexTerm& term) { return term.loop == loop; });
    });
  }
};

/// The loops around the transfers of a buffer.
std::vector<LoopId> position_of(const State& state, const std::string& buffer) {
  for (const schedule::Placement& p : state.order.placements) {
    const schedule::Statement& s = state.program->statement(p.statement);
    if (s.copy && s.copy->buffer == buffer) return p.path;
  }
  return {};
}

GrowingBuffer growing_buffer(const State& state, const PlacedBuffer& placed) {
  const std::vector<LoopId>& loops = state.stage_loops.at(placed.stage);
  const schedule::Buffer& buffer = state.program->buffers.at(placed.name);
  GrowingBuffer out;
  out.placed = &placed;
  out.dims = access_dims(
      state, schedule::accesses_of(state, placed.stage, placed.name, schedule::AccessKind::Writes),
      loops);
  const std::vector<LoopId> position = position_of(state, placed.name);
  const std::vector<std::int64_t>& shape = state.program->array(placed.tensor).shape;
  for (std::size_t k = 0; k < out.dims.size(); ++k) {
    DimModel& dim = out.dims[k];
    dim.extent = buffer.depth;
    if (k >= buffer.first_dim()) {
      const schedule::BufferDim& along = buffer.dims[k - buffer.first_dim()];
      dim.extent = schedule::extent_along(along, shape[static_cast<std::size_t>(along.dim)]);
    }
    std::erase_if(dim.terms, [&](const IndexTerm& term) {
      const LoopId id = loops[static_cast<std::size_t>(term.loop)];
      return std::find(position.begin(), position.end(), id) != position.end();
    });
  }
  return out;
}

/// The extent of the loop that a split took, for the inner loop that it made.
std::int64_t range_of(const State& state, LoopId id) {
  for (const schedule::Step& step : state.log) {
    if (step.primitive != "split" || step.results.size() != 2 || step.results[1] != id) continue;
    const auto* taken = std::get_if<LoopId>(&step.arguments[0].second);
    const auto at = taken == nullptr ? state.removed.end() : state.removed.find(*taken);
    if (at != state.removed.end()) return at->second.extent();
  }
  return state.order.loop(id).extent();
}

/// All buffers of a layout, and what they take when loops change.
class GrowingLayout {
 public:
  GrowingLayout(const State& state, const ScratchpadLayout& layout) : layout_(layout) {
    for (const PlacedBuffer& placed : layout.buffers) {
      buffers_.push_back(growing_buffer(state, placed));
    }
  }

  bool grows_with(const std::string& stage, int loop) const {
    return std::any_of(buffers_.begin(), buffers_.end(), [&](const GrowingBuffer& b) {
      return b.placed->stage == stage && b.grows_with(loop);
    });
  }

  /// With the loops of one stage at `extents` in place of `now`.
  bool fits(const std::string& stage, const Tiles& now, const Tiles& extents) const {
    ScratchpadLayout trial = layout_;
    for (std::size_t k = 0; k < buffers_.size(); ++k) {
      if (trial.buffers[k].stage != stage) continue;
      trial.buffers[k].size_bytes = buffers_[k].size_bytes(now, extents);
    }
    assign_offsets(trial);
    return trial.fits();
  }

 private:
  const ScratchpadLayout& layout_;
  std::vector<GrowingBuffer> buffers_;  ///< in the order of the layout
};

}  // namespace

std::vector<LoopRoom> loop_room(const State& state, const ScratchpadLayout& layout) {
  const GrowingLayout growing(state, layout);
  std::vector<LoopRoom> out;
  for (const dsl::Tensor& stage : state.program->stages) {
    const std::vector<LoopId>& loops = state.stage_loops.at(stage->name);
    Tiles now;
    for (const LoopId id : loops) now.push_back(state.order.loop(id).extent());
    for (std::size_t k = 0; k < loops.size(); ++k) {
      if (!growing.grows_with(stage->name, static_cast<int>(k))) continue;
      LoopRoom room{stage->name, schedule::loop_name(state, loops[k]), now[k], 0,
                    range_of(state, loops[k])};
      std::int64_t high = room.range + 1;  // the first that is too large, or past the range
      while (room.largest + 1 < high) {
        Tiles trial = now;
        trial[k] = room.largest + (high - room.largest) / 2;
        (growing.fits(stage->name, now, trial) ? room.largest : high) = trial[k];
      }
      out.push_back(room);
    }
  }
  return out;
}

}  // namespace solway::memory_planner
