#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "memory_planner/stage_model.h"

/// Stages as the planner sees them, written by hand.
namespace solway::memory_planner::testing {

inline LoopModel spatial(std::string name, std::int64_t extent) {
  return {std::move(name), extent, dsl::AxisKind::Spatial, Tiling::Free, false};
}

inline LoopModel reduce(std::string name, std::int64_t extent) {
  return {std::move(name), extent, dsl::AxisKind::Reduce, Tiling::Free, false};
}

/// A dimension whose index is the sum of `terms`, all of them from one iteration on.
inline DimModel dim(const std::vector<LoopModel>& loops, std::vector<IndexTerm> terms) {
  DimModel out{std::move(terms), 1, 1};
  for (const IndexTerm& term : out.terms) {
    out.extent += term.growth * (loops[static_cast<std::size_t>(term.loop)].extent - 1);
  }
  return out;
}

/// C[x, y] += A[x, k] * B[k, y]: loops x (0), y (1), k (2); tensors A, B, C.
inline StageModel matmul(std::int64_t m, std::int64_t n, std::int64_t depth) {
  StageModel out{"C", {spatial("x", m), spatial("y", n), reduce("k", depth)}, {}};
  const auto d = [&](int loop) { return dim(out.loops, {{loop, 1}}); };
  out.tensors.push_back({"A", 4, AccessDirection::Read, {d(0), d(2)}});
  out.tensors.push_back({"B", 4, AccessDirection::Read, {d(2), d(1)}});
  out.tensors.push_back({"C", 4, AccessDirection::Write, {d(0), d(1)}});
  return out;
}

/// AlexNet's first layer:
/// B[ff, yy, xx] += A[rc, yy * 4 + ry, xx * 4 + rx] * W[ff, rc, ry, rx]
/// with loops ff, yy, xx, rc, ry, rx.
inline StageModel convolution() {
  StageModel out{"B",
                 {spatial("ff", 64), spatial("yy", 54), spatial("xx", 54), reduce("rc", 3),
                  reduce("ry", 11), reduce("rx", 11)},
                 {}};
  const auto d = [&](std::vector<IndexTerm> terms) { return dim(out.loops, std::move(terms)); };
  out.tensors.push_back(
      {"A", 4, AccessDirection::Read, {d({{3, 1}}), d({{1, 4}, {4, 1}}), d({{2, 4}, {5, 1}})}});
  out.tensors.push_back(
      {"W", 4, AccessDirection::Read, {d({{0, 1}}), d({{3, 1}}), d({{4, 1}}), d({{5, 1}})}});
  out.tensors.push_back({"B", 4, AccessDirection::Write, {d({{0, 1}}), d({{1, 1}}), d({{2, 1}})}});
  return out;
}

/// A convolution with a window of 3 x 3 and stride 1: S[f, y, x] += P[c, y + ry, x + rx] *
/// W[f, c, ry, rx], loops f, y, x, c, ry, rx; tensors P, W, S.
inline StageModel window(std::int64_t filters, std::int64_t size, std::int64_t channels) {
  StageModel out{"S",
                 {spatial("f", filters), spatial("y", size), spatial("x", size),
                  reduce("c", channels), reduce("ry", 3), reduce("rx", 3)},
                 {}};
  const auto d = [&](std::vector<IndexTerm> terms) { return dim(out.loops, std::move(terms)); };
  out.tensors.push_back(
      {"P", 4, AccessDirection::Read, {d({{3, 1}}), d({{1, 1}, {4, 1}}), d({{2, 1}, {5, 1}})}});
  out.tensors.push_back(
      {"W", 4, AccessDirection::Read, {d({{0, 1}}), d({{3, 1}}), d({{4, 1}}), d({{5, 1}})}});
  out.tensors.push_back({"S", 4, AccessDirection::Write, {d({{0, 1}}), d({{1, 1}}), d({{2, 1}})}});
  return out;
}

/// The same with filters side by side: S[y, x, f] += P[c, y + ry, x + rx] * W[c, ry, rx, f].
inline StageModel window_with_filters_last(std::int64_t filters, std::int64_t size,
                                           std::int64_t channels) {
  StageModel out = window(filters, size, channels);
  for (const std::size_t tensor : {1U, 2U}) {
    auto& dims = out.tensors[tensor].dims;
    std::rotate(dims.begin(), dims.begin() + 1, dims.end());
  }
  return out;
}

/// The first convolution for a batch of images: 7 loops, n first.
inline StageModel batched_convolution() {
  StageModel out = convolution();
  for (TensorModel& tensor : out.tensors) {
    for (DimModel& d : tensor.dims) {
      for (IndexTerm& term : d.terms) ++term.loop;
    }
    const bool is_weight = tensor.name == "W";
    if (!is_weight) tensor.dims.insert(tensor.dims.begin(), DimModel{{{0, 1}}, 1, 16});
  }
  out.loops.insert(out.loops.begin(), spatial("n", 16));
  return out;
}

/// v[i] = v1[i] * v2[i]
inline StageModel elementwise(std::int64_t n) {
  StageModel out{"v", {spatial("i", n)}, {}};
  const DimModel d = dim(out.loops, {{0, 1}});
  out.tensors.push_back({"v1", 4, AccessDirection::Read, {d}});
  out.tensors.push_back({"v2", 4, AccessDirection::Read, {d}});
  out.tensors.push_back({"v", 4, AccessDirection::Write, {d}});
  return out;
}

}  // namespace solway::memory_planner::testing
