#include "emulator/worker/dma_rate.h"

#include <algorithm>
#include <utility>

namespace solway::emulator {

DmaRate::DmaRate(std::vector<DmaPoint> points, std::uint64_t transaction_bytes)
    : points_(std::move(points)), transaction_bytes_(transaction_bytes) {}

double DmaRate::aligned_cycles(DmaDirection direction, double bytes) const {
  const auto at = [&](const DmaPoint& point) {
    return point.block_bytes /
           (direction == DmaDirection::Get ? point.get_bytes_per_cycle : point.put_bytes_per_cycle);
  };
  if (bytes <= points_.front().block_bytes) return at(points_.front());
  auto above = std::lower_bound(
      points_.begin(), points_.end(), bytes,
      [](const DmaPoint& point, double value) { return point.block_bytes < value; });
  if (above == points_.end()) --above;
  const DmaPoint& high = *above;
  const DmaPoint& low = *(above - 1);
  const double part = (bytes - low.block_bytes) / (high.block_bytes - low.block_bytes);
  return at(low) + part * (at(high) - at(low));
}

double DmaRate::block_cycles(DmaDirection direction, std::uint64_t address,
                             std::uint64_t bytes) const {
  const std::uint64_t unit = transaction_bytes_;
  const std::uint64_t touched = (address % unit + bytes + unit - 1) / unit;
  const std::uint64_t fewest = (bytes + unit - 1) / unit;
  return aligned_cycles(direction, static_cast<double>(touched > fewest ? touched * unit : bytes));
}

double DmaRate::cycles(const DmaShape& shape) const {
  if (shape.blocks == 0 || shape.block_bytes == 0) return 0;
  // Blocks lie alike after at most as many as a transaction has bytes.
  const auto pitch = static_cast<std::uint64_t>(shape.pitch_bytes);
  const std::uint64_t period = std::min<std::uint64_t>(shape.blocks, transaction_bytes_);
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
