#pragma once

#include <string>

#include "emulator/machine_timing.h"

namespace solway::emulator {

/// A timing as one word without blanks, and back: the worker, which is a process of its own, gets
/// it so.
std::string to_word(MachineTiming timing);
MachineTiming timing_from_word(const std::string& word);

}  // namespace solway::emulator
