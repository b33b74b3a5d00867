#pragma once

#include <cstdint>
#include <string>

#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Whether a stage and its host can run in vectors once the stage is computed inside loop `level`
/// of the host, as far as they can before: loops along neighbours that stand around a row of the
/// host, or of which the stage has few iterations there, are lost to them.
///
///   M[j] = sum_k X[k, j]; V[j] = sum_t (X[t, j] - M[j])^2     M in V: not in the loop over j
///
/// `placed` is the state with the stage computed there.
bool keeps_neighbours(const schedule::State& before, const schedule::State& placed,
                      const std::string& stage, const std::string& host, schedule::LoopId level,
                      const Target& target);

}  // namespace solway::driver
