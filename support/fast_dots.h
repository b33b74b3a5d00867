#pragma once

#include <cstdint>

#include "support/target.h"

namespace solway {

/// Whose code a target's is.
enum class MachineKind : std::uint8_t {
  Level,  ///< of every processor of its level, or what a target file lists
  This    ///< of this very processor
};

/// Lets a target multiply bfloat16 in pairs (vdpbf16ps, bfdot) where it has an instruction for it,
/// which takes denormals for zero and rounds in its own way: what fast_math allows.
void allow_fast_dots(Target& target, MachineKind kind);

/// Whether it does.
bool has_fast_dots(const Target& target);

/// Cycles of such an instruction in the same unit as 0.5 for a multiply-add of a vector: it adds
/// twice as many products.
double fast_dot_cycles(const Target& target);

}  // namespace solway
