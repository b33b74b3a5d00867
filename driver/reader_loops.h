#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/fuse_stages.h"
#include "driver/no_loop.h"
#include "schedule/state.h"

/// How the loops of a stage run along what it reads.
namespace solway::driver {

/// Whether a stage is one statement that computes each of its elements once, as it was written.
bool computes_plainly(const schedule::State& state, const std::string& stage);

/// How much of a tensor a stage reads: all of it, or a part from the first element on, too.
enum class Reach : std::uint8_t { All, Part };

/// The loop of the reader that runs along each dimension of what it reads, whose extents are given;
/// kNoLoop for a dimension of one element. nullopt when there is none, something else than a
/// shift between them, or the reader does not reach that far.
std::optional<std::vector<schedule::LoopId>> reader_loops(const schedule::State& state,
                                                          const OnlyRead& read,
                                                          const std::vector<std::int64_t>& extents,
                                                          Reach reach = Reach::All);

}  // namespace solway::driver
