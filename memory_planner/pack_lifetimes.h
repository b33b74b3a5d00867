#pragma once

#include <cstdint>
#include <vector>

namespace solway::memory_planner {

/// Bytes that are in use from one point in time to another, both included.
struct Lifetime {
  std::int64_t size_bytes = 0;
  int first = 0;
  int last = 0;

  bool meets(const Lifetime& other) const { return first <= other.last && other.first <= last; }
};

/// An offset for each, a multiple of `alignment_bytes`: those that meet in time do not share bytes.
/// The longest is placed first, equally long ones in their order, each as low as it fits; so where
/// all lifetimes that meet are the same, the end of the last is as low as can be.
///
///   before: 64 bytes in [0, 1], 32 in [2, 2], 64 in [0, 2]
///   after:  offsets 64, 64, 0
std::vector<std::int64_t> pack_lifetimes(const std::vector<Lifetime>& lifetimes,
                                         std::int64_t alignment_bytes);

/// The most bytes that are in use at one time: no packing ends below it.
std::int64_t most_in_use(const std::vector<Lifetime>& lifetimes);

}  // namespace solway::memory_planner
