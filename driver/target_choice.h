#pragma once

#include <string>
#include <vector>

#include "support/source_loc.h"
#include "support/target.h"

namespace solway::driver {

/// The target of that name: one that comes with solway, "host", or a path that ends in ".toml".
/// Throws UnsupportedError that lists the names for another one, ScheduleArgumentError with key and
/// line for a file that does not fit.
Target require_target(const std::string& name, const SourceLoc& where);

/// The names that require_target takes: "host" first, then those that come with solway, sorted.
std::vector<std::string> target_names();

}  // namespace solway::driver
