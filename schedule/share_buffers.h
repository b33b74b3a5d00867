#pragma once

#include <set>
#include <string>

#include "schedule/state.h"

namespace solway::schedule {

/// The buffers without slots that statements outside of a loop fill and others inside read.
std::set<std::string> passed_into(const State& state, LoopId loop);

/// The schedule as if each buffer that something outside of loop `loop` fills and something inside
/// reads had been made with scope "shared": one for all cores, so that `loop` may be parallel. The
/// log says so. Those with a scope of their own, slots, a filled border or whole units, and those
/// of buffer_write, stay as they are.
///
///   before: AA = s.buffer_read(A, at=None); for y: C[y] = f(AA)
///   after:  AA = s.buffer_read(A, at=None, scope="shared"); for y: C[y] = f(AA)
State share_buffers(const State& state, LoopId loop);

}  // namespace solway::schedule
