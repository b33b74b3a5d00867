#pragma once

#include <vector>

#include "emulator/worker/block_times.h"

namespace solway::emulator {

/// Loops need some registers at once: those that hold something between two instructions of the
/// loop which the loop will read or has written. What only lies there meanwhile can be stored
/// before the loop and is not counted in it.
///
/// Registers that are only added to addresses do not count.
///
/// Adds to each loop of code that was made for two sets of registers what it has too many for one
/// set: per round a load for each, and a store unless the loop only reads it. A register that an
/// inner loop stores counts there alone. Code outside of loops counts once, at the entry.
///
///   before: head: 24 vectors and 12 integers at once      (registers: 30)
///   after:  head: the same, with 6 loads and 6 stores among its instructions
///
/// `places`: by number of a register of the code, its place among those that count, below 64; -1:
/// it does not.
void add_spills(std::vector<CodeBlock>& blocks, const std::vector<int>& places, int registers,
                int load_latency_cycles);

}  // namespace solway::emulator
