#pragma once

#include <source_location>

#include "support/source_loc.h"

namespace solway {

/// A line of a C++ program, for default arguments: the line of the call.
using Line = std::source_location;

/// "file:line" without the text of the line, which the program does not hold.
inline SourceLoc to_source_loc(const Line& line) {
  return {line.file_name(), static_cast<int>(line.line()), ""};
}

}  // namespace solway
