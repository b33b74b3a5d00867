#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/order.h"
#include "schedule/program.h"

namespace solway::schedule {

/// How many regions a buffer holds, and how early each is asked for.
struct BufferDepth {
  int depth = 1;
  int distance = 0;  ///< 0 <= distance < depth
  int across = 1;    ///< loops whose iterations count as those of one
};

/// Gives a buffer slots that take turns over the iterations of the innermost loop around its
/// transfers, or of several as of one, and moves its transfers apart: what is loaded is asked for
/// `distance` iterations early, what is stored is awaited as many later as the other slots allow.
/// Proves nothing.
///
///   before: ko { issue AA[c] <- A[16*ko + c]; wait AA; use AA[c] }
///   after:  issue AA[0, c] <- A[c]
///           ko { if (ko + 1 < n) { issue AA[(ko + 1) mod 2, c] <- A[16*(ko + 1) + c] }
///                wait AA; use AA[ko mod 2, c] }                  depth 2, distance 1
///
/// Across two loops the transfers of jo + 1 begin in the last iteration of ko:
///
///   after:  issue AA[0, c] <- A[c]
///           jo { ko { if (ko + 1 < n) { issue AA of (jo, ko + 1) }
///                     else if (jo + 1 < m) { issue AA of (jo + 1, 0) }
///                     wait AA; use AA[(n*jo + ko) mod 2, c] } }
///
/// Slots are numbered from the begins of the loops. A buffer that has slots is numbered anew.
/// Needs: a loop around the transfers when `depth` is over 1; distance < depth.
void rotate_slots(Program& program, Order& order, const std::string& buffer,
                  const BufferDepth& depth);

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

/// The loops over whose iterations the slots of a buffer take turns, outermost first.
std::vector<LoopId> turning_loops(const Program& program, const Order& order, const Buffer& buffer);

/// The factor by which the values of each of these loops count, of slots that take turns.
std::vector<std::int64_t> turn_weights(const Order& order, const std::vector<LoopId>& loops,
                                       int depth);

}  // namespace solway::schedule
