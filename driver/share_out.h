#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/auto_buffer.h"
#include "schedule/state.h"
#include "support/source_loc.h"

namespace solway::driver {

/// Work of which a part per thread is worth its start: 20 us at 3 GHz.
constexpr double kLeastSharedCycles = 60000;

/// Marks a loop of a stage as parallel, for the threads of a processor: of those that may be the
/// one whose iterations teams of 2 to 16 threads share most evenly, the outermost if it is as good;
/// what is copied before it and read inside gets scope "shared" where it has to. `cycles` are the
/// model's of all that the stage's loops run on one core. Returns the state as it is where the work
/// is less than what starting threads is worth, where the stage runs in the loops of another one,
/// or where no loop may be shared out. `choice` gets the loop.
schedule::State share_out(const schedule::State& state, StageChoice& choice, double cycles,
                          const SourceLoc& where);

/// The cycles of a stage and of those that run in its loops, as `hosts` says; the choices of these
/// have the cycles of one run.
double cycles_within(const schedule::State& state, const std::vector<StageChoice>& choices,
                     const std::map<std::string, std::string>& hosts, const std::string& stage);

}  // namespace solway::driver
