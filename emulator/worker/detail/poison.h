#pragma once

#include <cstdint>

namespace solway::emulator {

/// Fills [address, address + bytes) with words that are NaN as float and as double, and odd as
/// integers: bytes that hold no defined value.
void poison(std::uint64_t address, std::uint64_t bytes);

}  // namespace solway::emulator
