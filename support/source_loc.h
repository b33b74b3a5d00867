#pragma once

#include <string>

namespace solway {

/// A line of the user's program. `line` is 1-based; 0 means "unknown".
struct SourceLoc {
  std::string file;
  int line = 0;
  std::string text;  ///< the line itself, without surrounding blanks

  /// "file:line", or an empty string when unknown.
  std::string to_string() const;
};

}  // namespace solway
