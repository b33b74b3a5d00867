#pragma once

#include <string>

#include "schedule/order.h"
#include "schedule/program.h"

namespace solway::schedule {

/// Gives a buffer `depth` slots that take turns over the iterations of the innermost loop around
/// its transfers, and moves its transfers apart: what is loaded is asked for `distance` iterations
/// early, what is stored is awaited as many later as the other slots allow. Proves nothing.
///
///   before: ko { issue AA[c] <- A[16*ko + c]; wait AA; use AA[c] }
///   after:  issue AA[0, c] <- A[c]
///           ko { if (ko + 1 < n) { issue AA[(ko + 1) mod 2, c] <- A[16*(ko + 1) + c] }
///                wait AA; use AA[ko mod 2, c] }                  depth 2, distance 1
///
/// Slots are numbered from the loop's begin. A buffer that has slots is numbered anew. Needs: a
/// loop around the transfers when `depth` is over 1; distance < depth.
void rotate_slots(Program& program, Order& order, const std::string& buffer, int depth,
                  int distance);

/// Numbers the slots of every buffer anew that has several and whose innermost loop is another one,
/// or has other values, than the one over which they are numbered. Proves nothing.
///
///   before: x.y { issue AA[(x.y + 1) mod n mod 2]; wait AA; use AA[x.y mod n mod 2] }
///   after:  x.y { issue AA[(x.y + 1) mod 2]; wait AA; use AA[x.y mod 2] }
///                                   where x.y fuses x with y of n values
void renumber_slots(Program& program, Order& order);

/// Whether renumber_slots has nothing to do.
bool slots_are_numbered(const Program& program, const Order& order);

/// The innermost loop around the transfers of a buffer; -1 when they stand outside all loops.
LoopId loop_around(const Program& program, const Order& order, const std::string& buffer);

}  // namespace solway::schedule
