#pragma once

#include "emulator/worker/detail/hooks.h"

namespace solway::emulator {

/// The running CPE; fails where the MPE makes a call that belongs to CPE code.
Cpe& require_cpe(const char* function);

/// The side of the athread interface that CPE programs call.
Symbols athread_symbols();

}  // namespace solway::emulator
