#include "memory_planner/stage_model.h"

#include <algorithm>

namespace solway::memory_planner {
namespace {

constexpr std::int64_t kUnitBytes =
    256;  // no engine moves larger units, or has transactions of more

/// How far into such a unit the first element lies that the stage touches, if all of it is known.
std::int64_t begin_in_unit(const TensorModel& tensor) {
  std::int64_t pitch = tensor.element_bytes;
  std::int64_t out = 0;
  for (std::size_t d = tensor.dims.size(); d-- > 0;) {
    out += tensor.dims[d].begin * pitch;
    pitch *= tensor.shape.empty() ? tensor.dims[d].extent : tensor.shape[d];
  }
  return out % kUnitBytes;
}

}  // namespace

const std::string& shown_name(const TensorModel& tensor) {
  return tensor.label.empty() ? tensor.name : tensor.label;
}

bool are_twins(const TensorModel& a, const TensorModel& b) {
  if (!a.references || !b.references) return false;
  TensorModel other = b;
  other.references = a.references;
  other.label = a.label;
  if (a.dims.size() != b.dims.size() || begin_in_unit(a) != begin_in_unit(b)) return false;
  for (std::size_t d = 0; d < a.dims.size(); ++d) other.dims[d].begin = a.dims[d].begin;
  return a == other;
}

Tiles smallest_tiles(const StageModel& stage) {
  Tiles out;
  for (const LoopModel& loop : stage.loops) {
    out.push_back(loop.tiling == Tiling::Inside ? std::max<std::int64_t>(1, loop.extent) : 1);
  }
  return out;
}

std::int64_t tile_count(const StageModel& stage, const Tiles& tiles, int loop) {
  const auto at = static_cast<std::size_t>(loop);
  return (stage.loops[at].extent + tiles[at] - 1) / tiles[at];
}

std::int64_t footprint_elems(const DimModel& dim, const Tiles& tiles) {
  std::int64_t elems = dim.base;
  for (const IndexTerm& term : dim.terms) {
    elems += term.growth * (tiles[static_cast<std::size_t>(term.loop)] - 1);
  }
  return std::min(elems, dim.extent);
}

std::int64_t buffer_bytes(const TensorModel& tensor, const Tiles& tiles,
                          std::int64_t alignment_bytes) {
  std::int64_t bytes = tensor.element_bytes;
  for (const DimModel& dim : tensor.dims) bytes *= footprint_elems(dim, tiles);
  const std::int64_t one = (bytes + alignment_bytes - 1) / alignment_bytes * alignment_bytes;
  return tensor.turning ? 2 * one : one;
}

std::int64_t buffer_bytes(const StageModel& stage, const Tiles& tiles,
                          std::int64_t alignment_bytes) {
  std::int64_t bytes = 0;
  for (const TensorModel& tensor : stage.tensors) {
    bytes += buffer_bytes(tensor, tiles, alignment_bytes);
  }
  return bytes;
}

}  // namespace solway::memory_planner
