#include "emulator/worker/dma_rate.h"

#include <algorithm>
#include <utility>

namespace solway::emulator {

namespace {

double whole(std::uint64_t bytes, std::uint64_t unit) {
  const std::uint64_t units = (bytes + unit - 1) / unit;
  return static_cast<double>(units * unit);
}

}  // namespace

DmaRate::DmaRate(const DmaTiming& timing) : timing_(timing) {}

double DmaRate::aligned_cycles(DmaDirection direction, std::uint64_t bytes) const {
  const std::vector<DmaPoint>& points = timing_.points;
  const auto at = [&](const DmaPoint& point) {
    return point.block_bytes /
           (direction == DmaDirection::Get ? point.get_bytes_per_cycle : point.put_bytes_per_cycle);
  };
  const double moved = whole(bytes, static_cast<std::uint64_t>(timing_.transaction_bytes));
  auto above = std::lower_bound(
      points.begin(), points.end(), static_cast<double>(bytes),
      [](const DmaPoint& point, double value) { return point.block_bytes < value; });
  if (above == points.begin()) return at(*above);
  if (above == points.end()) --above;
  const DmaPoint& high = *above;
  if (static_cast<double>(bytes) <= high.block_bytes && high.block_bytes <= moved) return at(high);
  const DmaPoint& low = *(above - 1);
  const double part = (moved - low.block_bytes) / (high.block_bytes - low.block_bytes);
  return at(low) + part * (at(high) - at(low));
}

double DmaRate::block_cycles(DmaDirection direction, std::uint64_t address,
                             std::uint64_t bytes) const {
  const auto unit = static_cast<std::uint64_t>(timing_.transaction_bytes);
  const std::uint64_t skipped = address % unit;
  const double aligned = aligned_cycles(direction, bytes);
  if (skipped == 0) {
    const bool is_partial = direction == DmaDirection::Put && bytes % unit != 0;
    return aligned + (is_partial ? timing_.aligned_partial_put : 0);
  }
  const double touched = whole(skipped + bytes, unit);
  double partly = 0;  // transactions that a put writes in part: the first, maybe the last
  if (direction == DmaDirection::Put) {
    const bool ends_within = (skipped + bytes) % unit != 0;
    partly = skipped + bytes > unit && ends_within ? 2 : 1;
  }
  const double more = partly * timing_.partial_put;
  if (timing_.misaligned_bytes_per_cycle == 0) {
    return aligned_cycles(direction, static_cast<std::uint64_t>(touched)) + more;
  }
  return std::max(aligned, touched / timing_.misaligned_bytes_per_cycle + more);
}

double DmaRate::cycles(const DmaShape& shape) const {
  if (shape.blocks == 0 || shape.block_bytes == 0) return 0;
  // Blocks lie alike after at most as many as a transaction has bytes.
  const auto pitch = static_cast<std::uint64_t>(shape.pitch_bytes);
  const std::uint64_t period =
      std::min<std::uint64_t>(shape.blocks, static_cast<std::uint64_t>(timing_.transaction_bytes));
  double sum = 0;
  double rest = 0;
  for (std::uint64_t k = 0; k < period; ++k) {
    const double one =
        block_cycles(shape.direction, shape.main_address + k * pitch, shape.block_bytes);
    sum += one;
    if (k < shape.blocks % period) rest += one;
  }
  const std::uint64_t rounds = shape.blocks / period;
  return static_cast<double>(rounds) * sum + rest;
}

}  // namespace solway::emulator
