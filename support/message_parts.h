#pragma once

#include <cstdint>

/// What cores can pass on to each other at once, in messages between registers.
namespace solway {

inline constexpr std::int64_t kMessageBytes = 32;
inline constexpr std::int64_t kWordBytes = 4;

/// Whether cores can pass on parts of so many bytes of one array, part after part: those of whole
/// words may begin and end within a message, shorter elements have to fill messages.
inline bool can_be_part(std::int64_t bytes, std::int64_t element_bytes) {
  return element_bytes % kWordBytes == 0 ? bytes >= kMessageBytes : bytes % kMessageBytes == 0;
}

}  // namespace solway
