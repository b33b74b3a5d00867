#pragma once

#include "emulator/worker/detail/hooks.h"

namespace solway::emulator {

/// C functions of the MPE program whose blocks are objects with bounds.
Symbols heap_symbols();

}  // namespace solway::emulator
