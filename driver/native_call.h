#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "driver/executable.h"

namespace solway::driver {

/// Machine code of this process: one pointer per argument; returns 0 when done.
using NativeEntry = std::int32_t (*)(void** args);

/// Calls `entry` and takes the time.
inline RunReport call_native(NativeEntry entry, std::span<void* const> arguments) {
  std::vector<void*> pointers(arguments.begin(), arguments.end());
  const auto start = std::chrono::steady_clock::now();
  const std::int32_t status = entry(pointers.data());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return {status, seconds.count(), std::nullopt, 1};
}

}  // namespace solway::driver
