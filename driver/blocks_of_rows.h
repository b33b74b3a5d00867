#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Bytes of all elements of an array.
std::int64_t bytes_of_array(const schedule::State& state, const std::string& array);

/// Bytes of what several iterations of a host's loop `rows` read of arrays that `stages`, which are
/// to run there, and the host do not compute themselves, in one iteration of the loops around it;
/// 0 where that takes too long to find out.
///
///   S[h, i, j] = sum_r Q[h, i, r] K[h, j, r]; Y[h, i, c] = sum_u S[h, i, u] V[h, u, c]
///   rows i of Y, with S: those of K and V of one h
std::int64_t shared_bytes(const schedule::State& state, const std::string& host,
                          schedule::LoopId rows, const std::set<std::string>& stages);

/// How many iterations of a host's loop `rows` make a block, in which `stages` run, so that the
/// second-level cache holds what they compute in a block, and its half what one of them does,
/// beside what all blocks read; 0 where it holds that of all iterations, or too few.
std::int64_t rows_of_block(const schedule::State& state, const std::string& host,
                           schedule::LoopId rows, const std::set<std::string>& stages,
                           const Target& target);

}  // namespace solway::driver
