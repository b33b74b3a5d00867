#pragma once

#include <map>
#include <memory>
#include <string>

#include "support/source_loc.h"

namespace solway::driver {

/// C source compiled by the system's compiler and loaded into this process. The code lives as long
/// as this object.
class NativeLibrary {
 public:
  /// Compiles C99 with $CC, else cc, at -O2. Throws UnsupportedError when there is no compiler,
  /// InternalError with the compiler's words when it refuses the source.
  NativeLibrary(const std::string& source, const SourceLoc& where)
      : NativeLibrary({{"kernel.c", source}}, where) {}
  /// Of several files, by name; those that end in ".c" are compiled.
  NativeLibrary(const std::map<std::string, std::string>& sources, const SourceLoc& where);
  ~NativeLibrary();
  NativeLibrary(const NativeLibrary&) = delete;
  NativeLibrary& operator=(const NativeLibrary&) = delete;

  /// The address of a function that the source defines.
  void* symbol(const std::string& name) const;

 private:
  void* handle_ = nullptr;
};

}  // namespace solway::driver
