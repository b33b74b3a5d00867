#include "runtime/large_memory.h"

#include <cstdlib>

#include <sys/mman.h>

namespace solway::runtime {

void* allocate(std::size_t alignment_bytes, std::size_t bytes) noexcept {
  if (bytes < kLargeBytes) return std::aligned_alloc(alignment_bytes, bytes);
  const std::size_t alignment =
      alignment_bytes < kLargePageBytes ? kLargePageBytes : alignment_bytes;
  const std::size_t whole = bytes + (alignment - bytes % alignment) % alignment;
  if (whole < bytes) return nullptr;
  void* const memory = std::aligned_alloc(alignment, whole);
  // A wish; without large pages the memory is as good.
  if (memory != nullptr) static_cast<void>(::madvise(memory, whole, MADV_HUGEPAGE));
  return memory;
}

}  // namespace solway::runtime
