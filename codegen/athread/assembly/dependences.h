#pragma once

#include <cstddef>
#include <vector>

#include "codegen/athread/assembly/instruction.h"

namespace solway::codegen::assembly {

/// Instruction `to` is issued at least `cycles` after instruction `from` of `distance` iterations
/// before. 0 cycles: in the same cycle at best, and behind it in the text.
struct Dependence {
  std::size_t from = 0;
  std::size_t to = 0;
  int cycles = 0;
  int distance = 0;
};

/// What the order of a straight sequence has to keep, by the registers and the places in memory
/// that its instructions name: what is read after it was written, written after it was read (0
/// cycles), and written twice, where the second result may not arrive before the first. Writes to
/// $31 and reads of it are none. A branch comes behind everything before it.
std::vector<Dependence> dependences(const std::vector<Instruction>& code,
                                    const Latencies& latencies);

/// The same of a loop's body without its branch, which follows itself: also from each iteration to
/// the next.
std::vector<Dependence> loop_dependences(const std::vector<Instruction>& body,
                                         const Latencies& latencies);

}  // namespace solway::codegen::assembly
