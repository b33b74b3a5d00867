#pragma once

#include "schedule/program.h"
#include "support/target.h"

namespace solway::driver {

/// Throws UnsupportedError where a buffer is to be read together by cores that have no way to pass
/// data to each other on `target`.
void require_sharing(const schedule::Program& program, const Target& target);

}  // namespace solway::driver
