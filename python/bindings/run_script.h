#pragma once

#include <string>
#include <vector>

#include "driver/frontend/schedule.h"

namespace solway {

/// Runs a Python schedule script in this process: given `sw`, the package, and `outputs`, a list of
/// these tensors, it defines a schedule `s` of them, which is returned. What `s.to_python()` prints
/// is such a script.
///
/// Starts an interpreter when the program has none; that one lives as long as the process. Python
/// finds the package `solway` and NumPy as it always does: PYTHONPATH, or where they are installed.
/// May be called from several threads, one at a time.
///
/// Throws ScheduleArgumentError when the script cannot be read, raises, or defines no such `s`,
/// with the script's line; and what the primitives in it throw.
Schedule run_script(const std::string& path, const std::vector<Tensor>& outputs);

}  // namespace solway
