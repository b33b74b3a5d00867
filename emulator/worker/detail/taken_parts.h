#pragma once

#include <cstdint>
#include <vector>

#include <llvm/IR/Instruction.h>

namespace solway::emulator {

/// Bytes of what is loaded, from its first one on.
struct TakenPart {
  std::uint64_t first;
  std::uint64_t bytes;
};

/// The parts of a load of so many bytes that are used. Of a vector of which shuffles take some
/// lanes, these: what lies between may have no value, as every second element of a tile that has no
/// others. All of it where it is used in another way, or not at all.
///
///   %v = load <4 x float>; shufflevector %v, %w, <0, 2, 5, 7>     bytes 0 to 4 and 8 to 12 of %v
std::vector<TakenPart> taken_parts(const llvm::Instruction& load, std::uint64_t bytes);

}  // namespace solway::emulator
