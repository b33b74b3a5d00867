#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "driver/build.h"

namespace solway::driver {

/// Throws ArgumentMismatchError, with the values and the line of assume, when a call with these
/// sizes, given by name, is one that the schedule leaves out.
void require_assumptions(const CompiledKernel& kernel,
                         const std::map<std::string, std::int64_t>& sizes, const SourceLoc& where);

}  // namespace solway::driver
