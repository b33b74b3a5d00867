#pragma once

#include <map>
#include <vector>

#include "codegen/athread/assembly/modulo_schedule.h"

namespace solway::codegen::assembly {

/// Registers of the core by those that stand for them.
using Allocation = std::map<Register, Register>;

/// Gives each register from kFirstVirtual on that a scheduled loop names one of `available`. Two
/// share one if no cycle of the interval has a value of both: from the cycle in which it is written
/// to the one in which it is last read, or arrives. What an iteration hands to the next has its
/// own.
///
/// Throws InternalError when they are too few.
Allocation allocate_registers(const std::vector<Instruction>& body, const ModuloSchedule& schedule,
                              const std::vector<Register>& available, const Latencies& latencies);

/// An instruction with its registers replaced.
Instruction with_registers(Instruction instruction, const Allocation& allocation);

}  // namespace solway::codegen::assembly
