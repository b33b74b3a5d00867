#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "codegen/athread/vector_forms.h"
#include "memory_planner/stage_model.h"
#include "schedule/reorder.h"
#include "schedule/split.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"

namespace solway::driver {

/// Neighbours of the source that are written out around a vector, at most.
inline constexpr std::int64_t kMostBeside = 32;

/// Orders the loops `own` of a copy that turns tiles, one for each dimension of what main memory
/// holds: what it stores side by side runs in vectors, innermost.
///
///   before: for f: for c: for r: T[c, r, f] = W[f, c, r]
///   after:  for c: for f.o: for r (unrolled): for f.i (vectorized): T[c, r, f] = W[f, c, r]
///
/// With vectors of four, as those that micro-kernels multiply, neighbours of the source are written
/// out around a vector, so that squares of them are turned in registers.
inline void order_turning(schedule::State& state, const std::vector<schedule::LoopId>& own,
                          const memory_planner::TensorModel& tensor, bool has_squares,
                          const SourceLoc& where) {
  const std::vector<int>& turned = tensor.landing->turned;
  std::vector<schedule::LoopId> stored(own.size());  // by the dimension that is stored
  for (std::size_t k = 0; k < own.size(); ++k) stored[static_cast<std::size_t>(turned[k])] = own[k];
  const auto extent = [&](schedule::LoopId id) { return state.order.loop(id).extent(); };
  schedule::LoopId lanes = stored.back();
  stored.pop_back();
  std::vector<schedule::LoopId> beside;  // neighbours in the source, to be written out
  if (has_squares && extent(lanes) % codegen::kSquareLanes == 0) {
    std::int64_t all = 1;
    for (auto id = own.rbegin(); id != own.rend() && *id != lanes; ++id) {
      if (all * extent(*id) > kMostBeside) break;
      all *= extent(*id);
      beside.insert(beside.begin(), *id);
    }
  }
  if (!beside.empty() && extent(lanes) > codegen::kSquareLanes) {
    schedule::SplitResult made =
        schedule::split(state, tensor.name, lanes, codegen::kSquareLanes, where);
    state = std::move(made.state);
    lanes = made.inner;
    stored.push_back(made.outer);
  }
  std::vector<schedule::LoopId> order;
  for (const schedule::LoopId id : stored) {
    if (std::find(beside.begin(), beside.end(), id) == beside.end()) order.push_back(id);
  }
  order.insert(order.end(), beside.begin(), beside.end());
  order.push_back(lanes);
  state = schedule::reorder(state, tensor.name, order, where);
  for (const schedule::LoopId id : beside) {
    if (extent(id) > 1) state = schedule::unroll(state, tensor.name, id, where);
  }
  if (extent(lanes) > 1) state = schedule::vectorize(state, tensor.name, lanes, where);
}

}  // namespace solway::driver
