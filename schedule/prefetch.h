#pragma once

#include <optional>
#include <string>

#include "schedule/state.h"

namespace solway::schedule {

/// Asks for what a buffer holds `distance` iterations early, with as many more slots as that needs.
/// As double_buffer with distance 1, `across` included.
State prefetch(const State& state, const std::string& buffer, int distance, const SourceLoc& where,
               const std::optional<LoopId>& across = {});

}  // namespace solway::schedule
