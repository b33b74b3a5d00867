#pragma once

#include "schedule/order.h"

namespace solway::driver {

/// In place of a loop, where there is none.
inline constexpr schedule::LoopId kNoLoop = -1;

}  // namespace solway::driver
