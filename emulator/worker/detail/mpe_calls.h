#pragma once

#include "emulator/worker/detail/hooks.h"

namespace solway::emulator {

/// Fails where a CPE makes a call that belongs to MPE code.
void require_mpe(const char* function);

/// The side of the athread interface that MPE programs call.
Symbols mpe_symbols();

}  // namespace solway::emulator
