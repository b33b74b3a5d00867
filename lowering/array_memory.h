#pragma once

#include <cstdint>
#include <string>

#include "lowering/ir/buffer.h"
#include "schedule/program.h"
#include "schedule/state.h"

/// The memory of the arrays of a schedule in the loop IR.
namespace solway::lowering {

/// Whether all lanes of a vectorized loop use one buffer, or each has its own.
enum class LaneMemory : std::uint8_t { Shared, Own };

/// The memory of an array. Rows of registers are whole vectors of any machine (64 bytes), so that
/// the last vector of a row does not share a register with the next row. Where each lane has its
/// own, an element is a vector.
ir::Buffer memory_of(const schedule::Array& array, const std::string& scope, LaneMemory lanes);

/// The memory of what a stage passes on, for caches. Rows a multiple of 4 KB apart would lie in the
/// same places of the first-level cache, which keeps 8 or 12 of them: each gets a line more.
///
///   before: E: float32[32, 4096]
///   after:  E: float32[32, 4112]
///
/// Keeps: few rows, registers, and rows that have to go on in each other, as a loop that was fused
/// goes through them, or what is copied.
ir::Buffer with_rows_apart(const schedule::State& state, const ir::Buffer& memory);

/// One int64 per size, in a memory of a name that no array has.
ir::Buffer memory_of_sizes(const schedule::Program& program);

}  // namespace solway::lowering
