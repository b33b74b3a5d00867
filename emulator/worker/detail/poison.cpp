#include "emulator/worker/detail/poison.h"

namespace solway::emulator {
namespace {

constexpr std::uint8_t kPattern[4] = {0xA5, 0xA5, 0xF5, 0xFF};  // 0xFFF5A5A5, little end first

}  // namespace

void poison(std::uint64_t address, std::uint64_t bytes) {
  auto* const data = reinterpret_cast<std::uint8_t*>(address);
  for (std::uint64_t i = 0; i < bytes; ++i) data[i] = kPattern[(address + i) % 4];
}

}  // namespace solway::emulator
