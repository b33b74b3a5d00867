#pragma once

#include <string>
#include <vector>

#include "lowering/ir/stmt.h"

namespace solway::codegen {

/// What the emulator needs to know of a program.
struct EmulatedProgram {
  std::string name;               ///< of the program, and of its entry
  std::string machine;            ///< whose calls it makes, see AthreadOptions
  std::vector<std::string> mpe;   ///< files of the managing side
  std::vector<std::string> cpe;   ///< files of the computing cores
  std::vector<ir::Param> params;  ///< of the entry
};

/// kernel.toml, which the emulator reads.
std::string kernel_toml(const EmulatedProgram& program);

}  // namespace solway::codegen
