#include "driver/winograd_tiles.h"

#include <algorithm>

#include "memory_planner/vector_plan_cost.h"
#include "support/divisors.h"
#include "support/line_requests.h"

namespace solway::driver {
namespace {

using memory_planner::CacheModel;

constexpr double kLanes = 16;      ///< numbers in a vector, of which each is spread by itself
constexpr double kSecond = 1.0;    ///< cycles for a vector from the second-level cache
constexpr double kInCycle = 2;     ///< multiply-adds of vectors, and loads
constexpr double kLatency = 4;     ///< of a multiply-add
constexpr double kPartStart = 20;  ///< cycles until a part's sums are under way, and to store them

/// What a block of tiles costs beside its products, for each channel of a tile and a panel: weights
/// are loaded once per block, the image once for so many panels, of which the first brings it near,
/// and sums are stored and loaded once.
double loads_per_tile(const WinogradPlane& plane, const WinogradTiles& block, std::int64_t room) {
  const auto level = [&](double bytes) {
    return bytes <= static_cast<double>(room) / 2 ? kSecond : memory_planner::kVectorFromThird;
  };
  const auto tiles = static_cast<double>(block.rows * block.columns);
  const auto panels = static_cast<double>(block.panels);
  const auto vectors = static_cast<double>(plane.vectors);
  const double weights = vectors * level(static_cast<double>(plane.weight_bytes)) / tiles;
  const double first = level(tiles * static_cast<double>(plane.image_bytes));
  const double image = (first + (panels - 1) * kSecond) / panels / kLanes;
  const double sums = 2 * vectors / static_cast<double>(plane.channels) *
                      level(tiles * panels * static_cast<double>(plane.product_bytes));
  return weights + image + sums;
}

/// A block of tiles, of equal parts, whole rows where several rows are taken, whose sums for one
/// panel stay near, and the panels whose sums are kept.
void choose_block(const WinogradPlane& plane, std::int64_t room, WinogradTiles& out) {
  double best = -1;
  for (const std::int64_t width : divisors(plane.columns)) {
    for (const std::int64_t height : divisors(plane.rows)) {
      if (height > 1 && width < plane.columns) continue;
      const std::int64_t tiles = width * height;
      if (tiles > 1 && tiles * plane.product_bytes > room / 2) continue;
      for (const std::int64_t panels : divisors(plane.panels)) {
        WinogradTiles block = out;
        block.rows = height;
        block.columns = width;
        block.panels = panels;
        const double cost = loads_per_tile(plane, block, room);
        if (best >= 0 && cost >= best) continue;
        best = cost;
        out = block;
      }
    }
  }
}

/// Cycles of one channel for so many tiles in registers: products, or loads, or the wait for sums.
double cycles_of_part(std::int64_t tiles, std::int64_t vectors) {
  const auto products = static_cast<double>(tiles * vectors);
  const auto loads = static_cast<double>(tiles + vectors);
  return std::max({products / kInCycle, loads / kInCycle, kLatency});
}

/// Cycles of one channel for a block in parts of so many rows and columns, with smaller ones at the
/// ends.
double cycles_in_parts(const WinogradPlane& plane, const WinogradTiles& block, std::int64_t height,
                       std::int64_t width) {
  const double start = kPartStart / static_cast<double>(plane.channels);
  double out = 0;
  for (std::int64_t y = 0; y < block.rows; y += height) {
    for (std::int64_t x = 0; x < block.columns; x += width) {
      const std::int64_t tiles =
          std::min(height, block.rows - y) * std::min(width, block.columns - x);
      out += cycles_of_part(tiles, plane.vectors) + start;
    }
  }
  return out;
}

/// The sums that registers hold of a block: those whose parts take the fewest cycles.
void choose_held(const WinogradPlane& plane, std::int64_t most, WinogradTiles& out) {
  double best = -1;
  for (std::int64_t height = 1; height <= out.rows; ++height) {
    for (std::int64_t width = 1; width <= out.columns && height * width <= most; ++width) {
      const double cost = cycles_in_parts(plane, out, height, width);
      if (best >= 0 && cost >= best) continue;
      best = cost;
      out.held_rows = height;
      out.held_columns = width;
    }
  }
}

/// Whether each weight comes from beyond the second-level cache and is used again soon.
bool is_early(const WinogradPlane& plane, const WinogradTiles& tiles, const CacheModel& caches) {
  const std::int64_t held = tiles.held_rows * tiles.held_columns;
  return held < tiles.rows * tiles.columns && plane.weight_bytes > caches.second_bytes / 2;
}

}  // namespace

WinogradTiles winograd_tiles(const WinogradPlane& plane, const Target& target) {
  const CacheModel caches = memory_planner::caches_of(target);
  WinogradTiles out;
  choose_block(plane, caches.second_bytes, out);
  const std::int64_t most = (target.vector->registers - 2 - plane.vectors) / plane.vectors;
  choose_held(plane, std::max<std::int64_t>(1, most), out);
  out.asks_early = has_line_requests(target) && is_early(plane, out, caches);
  return out;
}

}  // namespace solway::driver
