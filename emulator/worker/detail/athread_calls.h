#pragma once

#include "emulator/worker/detail/hooks.h"

namespace solway::emulator {

/// The running CPE; fails where the MPE makes a call that belongs to CPE code, or the other way.
Cpe& require_cpe(const char* function);
void require_mpe(const char* function);

/// The athread interface: what MPE and CPE programs call.
Symbols athread_symbols();

}  // namespace solway::emulator
