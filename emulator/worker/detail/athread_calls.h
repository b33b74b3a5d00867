#pragma once

#include "emulator/worker/detail/hooks.h"

namespace solway::emulator {

/// The athread interface: what MPE and CPE programs call.
Symbols athread_symbols();

}  // namespace solway::emulator
