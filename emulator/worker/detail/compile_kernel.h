#pragma once

#include <string>
#include <vector>

#include "emulator/worker/detail/instrument.h"
#include "emulator/worker/detail/machine_calls.h"
#include "emulator/worker/detail/proxy_code.h"

namespace solway::emulator {

/// What one compilation needs.
struct CompileRequest {
  ProgramFiles files;
  std::string output;         ///< the object file to write
  std::string header_folder;  ///< of our headers, whose lines are not the user's
  std::string entry;
  MachineCalls calls = MachineCalls::Sw26010;
  Checks checks = Checks::Bounds;
  MachineTiming timing;  ///< for Checks::Clock
  std::vector<EntryParameter> parameters;
};

/// Bitcode of both sides to one instrumented object file for this machine.
void compile_kernel(const CompileRequest& request);

}  // namespace solway::emulator
