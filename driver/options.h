#pragma once

#include <chrono>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "lowering/peel_pipelines.h"
#include "support/source_loc.h"

namespace solway::driver {

/// What to show of the passes, and where to stop.
struct PassOptions {
  std::vector<std::string> print_after;  ///< passes whose result is printed; "all" for each
  std::string stop_after;                ///< the last pass that runs; "" for all
  bool timings = false;                  ///< print what each pass and phase took

  /// What SOLWAY_PRINT_AFTER (names with commas between), SOLWAY_STOP_AFTER and SOLWAY_TIMINGS say.
  static PassOptions from_environment();

  bool prints_after(std::string_view pass) const;
};

/// What SOLWAY_PIPELINES says, "auto", "guarded" or "peeled"; ByCost where it is not set. Throws
/// ScheduleArgumentError for another value.
lowering::PipelineForm pipelines_from_environment();

/// The form of that name. Throws ScheduleArgumentError for one that there is not.
lowering::PipelineForm require_pipelines(const std::string& name, const SourceLoc& where);

/// Prints "solway: <phase>: <time> ms" at the end of its scope, if timings are wanted.
class PhaseTimer {
 public:
  PhaseTimer(const PassOptions& options, std::string phase, std::ostream& out);
  ~PhaseTimer();
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  bool prints_;
  std::string phase_;
  std::ostream& out_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace solway::driver
