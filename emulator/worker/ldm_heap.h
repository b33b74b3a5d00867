#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace solway::emulator {

/// Blocks of one CPE's LDM heap, as offsets. First fit.
class LdmHeap {
 public:
  /// The heap lies in [begin, end); `end` moves with the stack that is set aside. Offsets and sizes
  /// of blocks are multiples of `grain`, the same in every call.
  void set_bounds(std::uint64_t begin, std::uint64_t end, std::uint64_t grain);
  /// The offset of a new block, nothing when no gap is large enough.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes);
  void release(std::uint64_t offset) { blocks_.erase(offset); }
  /// The largest block that `allocate` would give.
  std::uint64_t largest_free() const;
  /// End of the last block, as a distance from the heap's begin.
  std::uint64_t used_bytes() const;

 private:
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t grain_ = 32;
  std::map<std::uint64_t, std::uint64_t> blocks_;  ///< offset -> rounded size
};

}  // namespace solway::emulator
