#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// What cores can pass on to each other at once, in messages between registers.
namespace solway {

inline constexpr std::int64_t kMessageBytes = 32;
inline constexpr std::int64_t kWordBytes = 4;

/// Whether cores can pass on parts of so many bytes of one array, part after part: those of whole
/// words may begin and end within a message, shorter elements have to fill messages.
inline bool can_be_part(std::int64_t bytes, std::int64_t element_bytes) {
  return element_bytes % kWordBytes == 0 ? bytes >= kMessageBytes : bytes % kMessageBytes == 0;
}

/// How cores divide an array that they read together.
struct CoreParts {
  std::size_t dim = 0;         ///< the dimension that is divided
  std::int64_t blocks = 1;     ///< of the dimension before, of which each is divided by itself
  std::int64_t rows = 1;       ///< of a block
  std::int64_t per_core = 1;   ///< rows
  std::int64_t row_elems = 1;  ///< of one row

  std::int64_t all_rows() const { return blocks * rows; }
};

/// Divides an array of that shape along its outermost dimension that has several rows, as many for
/// each core; where that has fewer than there are cores, along the next one, if each of its rows is
/// divided among as many cores evenly. Parts are such as can be passed on; the last cores may have
/// fewer rows, or none. Needs: a dimension; one core at least.
CoreParts divide_among_cores(const std::vector<std::int64_t>& shape, std::int64_t element_bytes,
                             std::int64_t cores);

}  // namespace solway
