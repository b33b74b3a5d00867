#pragma once

#include <version>

#include "support/source_loc.h"

#ifdef __cpp_lib_source_location
#include <source_location>
#endif

namespace solway {

/// A line of a C++ program, for default arguments: the line of the call.
#ifdef __cpp_lib_source_location
using Line = std::source_location;
#else
/// What compilers without std::source_location have (Clang before 16).
class Line {
 public:
  static constexpr Line current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
  constexpr const char* file_name() const { return file_; }
  constexpr int line() const { return line_; }

 private:
  constexpr Line(const char* file, int line) : file_(file), line_(line) {}

  const char* file_;
  int line_;
};
#endif

/// "file:line" without the text of the line, which the program does not hold.
inline SourceLoc to_source_loc(const Line& line) {
  return {line.file_name(), static_cast<int>(line.line()), ""};
}

}  // namespace solway
