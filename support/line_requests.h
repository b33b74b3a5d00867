#pragma once

#include "support/target.h"

namespace solway {

/// Whether code for a target can ask its caches for a line (schedule/prefetch_lines.h): LLVM has an
/// instruction for that on x86 and Arm, and leaves it out elsewhere.
inline bool has_line_requests(const Target& target) {
  if (target.dialect != "host") return false;
  return !target.foreign || target.foreign->triple.rfind("aarch64", 0) == 0;
}

}  // namespace solway
