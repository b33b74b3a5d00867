#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/worker/detail/machine_options.h"

namespace solway::emulator {

enum class ArgumentRole { In, Out, InOut };

/// One argument's bytes in the shared memory that the asking process made.
struct PlacedArgument {
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  ArgumentRole role = ArgumentRole::In;
};

struct RunRequest {
  std::string object_file;
  int data_descriptor = -1;  ///< of the shared memory
  std::uint64_t data_bytes = 0;
  MachineOptions machine;
  std::vector<PlacedArgument> arguments;
  std::string timeline_file;  ///< of timed mode
};

/// Loads the object file, calls the entry once and answers with the counters; in timed mode the
/// timeline goes to its file.
void run_kernel(const RunRequest& request);

}  // namespace solway::emulator
