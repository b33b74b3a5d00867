#include "memory_planner/pack_lifetimes.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace solway::memory_planner {
namespace {

std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// The lowest offset at which `bytes` meet none of the pieces [begin, end).
std::int64_t lowest_gap(std::vector<std::pair<std::int64_t, std::int64_t>> taken,
                        std::int64_t bytes, std::int64_t unit) {
  std::sort(taken.begin(), taken.end());
  std::int64_t at = 0;
  for (const auto& [begin, end] : taken) {
    if (at + bytes <= begin) break;
    at = std::max(at, round_up(end, unit));
  }
  return at;
}

}  // namespace

std::vector<std::int64_t> pack_lifetimes(const std::vector<Lifetime>& lifetimes,
                                         std::int64_t alignment_bytes) {
  std::vector<std::size_t> order(lifetimes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto length = [&](std::size_t k) { return lifetimes[k].last - lifetimes[k].first; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return length(a) > length(b); });
  std::vector<std::int64_t> out(lifetimes.size(), 0);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Lifetime& one = lifetimes[order[k]];
    std::vector<std::pair<std::int64_t, std::int64_t>> taken;
    for (std::size_t before = 0; before < k; ++before) {
      const Lifetime& other = lifetimes[order[before]];
      const std::int64_t begin = out[order[before]];
      if (one.meets(other)) taken.emplace_back(begin, begin + other.size_bytes);
    }
    out[order[k]] = lowest_gap(std::move(taken), one.size_bytes, alignment_bytes);
  }
  return out;
}

std::int64_t most_in_use(const std::vector<Lifetime>& lifetimes) {
  std::int64_t most = 0;
  for (const Lifetime& at : lifetimes) {
    std::int64_t bytes = 0;
    for (const Lifetime& other : lifetimes) {
      if (other.first <= at.first && at.first <= other.last) bytes += other.size_bytes;
    }
    most = std::max(most, bytes);
  }
  return most;
}

}  // namespace solway::memory_planner
