#pragma once

#include "emulator/worker/detail/hooks.h"

namespace solway::emulator {

/// The generic interface: what the ten functions of scratchpad.h do.
Symbols scratchpad_symbols();

}  // namespace solway::emulator
