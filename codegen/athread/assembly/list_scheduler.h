#pragma once

#include <vector>

#include "codegen/athread/assembly/instruction.h"

namespace solway::codegen::assembly {

/// Puts a straight sequence into an order in which a core that issues in order waits little: in
/// each cycle one instruction for each pipe, first those that the longest chain of latencies hangs
/// on. Of equals the one that stands first.
///
///   before: vlds $2,0($18)        after: vlds $2,0($18)
///           vmas $1,$2,$3,$3             vlds $4,16($18)
///           vlds $4,16($18)              vmas $1,$2,$3,$3
///           vmas $1,$4,$5,$5             vmas $1,$4,$5,$5
///
/// Needs: instructions of real registers. Keeps: all dependences.
std::vector<Instruction> list_schedule(const std::vector<Instruction>& code,
                                       const Latencies& latencies);

}  // namespace solway::codegen::assembly
