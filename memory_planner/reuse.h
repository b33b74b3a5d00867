#pragma once

#include <string>

#include "schedule/state.h"
#include "support/target.h"

namespace solway::memory_planner {

/// Whether a stage adds up terms of which some operand serves several results, so that a tile of
/// results in registers saves loads: products of matrices, convolutions. Not the sums of rows.
bool is_product(const schedule::State& state, const std::string& stage);

/// Cycles to store all elements that a stage computes and to load them again, from the cache that
/// holds them.
double cycles_of_pass(const schedule::State& state, const std::string& stage, const Target& target);

}  // namespace solway::memory_planner
