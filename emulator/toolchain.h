#pragma once

#include <filesystem>

namespace solway::emulator {

/// The programs and headers that the emulator needs beside this library.
struct Toolchain {
  std::filesystem::path clang;
  std::filesystem::path headers;  ///< folder with a folder of headers for each machine
  std::filesystem::path worker;   ///< the program solway-emulator-worker

  /// Looks at SOLWAY_CLANG, SOLWAY_EMULATOR_HEADERS and SOLWAY_EMULATOR_WORKER first, then beside
  /// the file that holds this code (`include/` and the worker of an installed package), then at
  /// the places of the build; clang-19 is looked for on the PATH. Throws UnsupportedError that says
  /// what is missing and how to get it.
  static Toolchain locate();
};

}  // namespace solway::emulator
