#pragma once

#include "emulator/worker/detail/hooks.h"

namespace solway::emulator {

/// What MPE programs may call of pthread.h; other functions on threads fail when they are called.
Symbols pthread_symbols();

}  // namespace solway::emulator
