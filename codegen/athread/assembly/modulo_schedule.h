#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/athread/assembly/instruction.h"

namespace solway::codegen::assembly {

/// When the instructions of a loop's body are issued: that of iteration i in cycle
/// i * interval + cycles[k], so that iterations overlap.
struct ModuloSchedule {
  int interval = 0;         ///< cycles from one iteration to the next
  std::vector<int> cycles;  ///< by instruction; 0 <= cycle < 2 * interval

  int slot(std::size_t k) const { return cycles[k] % interval; }
  int stage(std::size_t k) const { return cycles[k] / interval; }
};

/// What a round of a loop is.
enum class LoopKind : std::uint8_t {
  Plain,    ///< an interval, in which count and branch have slots
  Repeated  ///< several, with cycles for count and branch behind them. Each moves addresses on by
            ///< another number, so all loads and these additions are in the first stage
};

/// The shortest interval for which iterative modulo scheduling (Rau, MICRO 1994) finds an order, of
/// two stages at most: with one iteration begun before the loop and one ended behind it, every trip
/// count from 1 on is right.
///
/// With LoopKind::Plain one slot of each interval for pipe One is left for the branch, in the last
/// cycle, and one slot for either pipe ahead of it for the count. A value is used before the next
/// iteration writes its register, so every value has one register.
///
/// Needs: a body without branches, each register of which is written at most once.
ModuloSchedule modulo_schedule(const std::vector<Instruction>& body, const Latencies& latencies,
                               LoopKind kind = LoopKind::Plain);

/// The interval that no schedule goes below: by pipes, issue slots and chains from one iteration to
/// the next.
int least_interval(const std::vector<Instruction>& body, const Latencies& latencies,
                   LoopKind kind = LoopKind::Plain);

/// A schedule of that interval, if one was found.
std::optional<ModuloSchedule> try_modulo_schedule(const std::vector<Instruction>& body,
                                                  const Latencies& latencies, int interval,
                                                  LoopKind kind = LoopKind::Plain);

}  // namespace solway::codegen::assembly
