#pragma once

#include <cstddef>

namespace solway::runtime {

/// From so many bytes on, memory is asked for in large pages.
inline constexpr std::size_t kLargeBytes = std::size_t{4} << 20;
inline constexpr std::size_t kLargePageBytes = std::size_t{2} << 20;

/// Memory for a call of a kernel, freed with std::free; null where there is none. The system gives
/// it page by page as it is first touched: 64 MB take 29 ms in pages of 4 KB (Zen 5, a virtual
/// machine), and 4 in large ones, for which it is asked here.
void* allocate(std::size_t alignment_bytes, std::size_t bytes) noexcept;

}  // namespace solway::runtime
