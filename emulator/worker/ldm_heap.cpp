#include "emulator/worker/ldm_heap.h"

#include <algorithm>
#include <iterator>

namespace solway::emulator {
namespace {

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t grain) {
  return (bytes + grain - 1) / grain * grain;
}

}  // namespace

void LdmHeap::set_bounds(std::uint64_t begin, std::uint64_t end, std::uint64_t grain) {
  grain_ = grain;
  begin_ = round_up(begin, grain);
  end_ = end;
}

std::optional<std::uint64_t> LdmHeap::allocate(std::uint64_t bytes) {
  const std::uint64_t size = round_up(std::max<std::uint64_t>(bytes, 1), grain_);
  std::uint64_t offset = begin_;
  for (const auto& [start, length] : blocks_) {
    if (start - offset >= size) break;
    offset = start + length;
  }
  if (offset + size > end_ || size < bytes) return std::nullopt;
  blocks_[offset] = size;
  return offset;
}

std::uint64_t LdmHeap::largest_free() const {
  std::uint64_t offset = begin_;
  std::uint64_t largest = 0;
  for (const auto& [start, length] : blocks_) {
    largest = std::max(largest, start - offset);
    offset = start + length;
  }
  if (end_ > offset) largest = std::max(largest, (end_ - offset) / grain_ * grain_);
  return largest;
}

std::uint64_t LdmHeap::used_bytes() const {
  if (blocks_.empty()) return 0;
  const auto& [start, length] = *std::prev(blocks_.end());
  return start + length - begin_;
}

}  // namespace solway::emulator
