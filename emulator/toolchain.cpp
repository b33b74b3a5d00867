#include "emulator/toolchain.h"

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "support/error.h"

#include <dlfcn.h>
#include <unistd.h>

namespace solway::emulator {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

/// The folder of the program or shared library that this code is linked into.
fs::path own_folder() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0) return {};
  std::error_code error;
  return fs::absolute(info.dli_fname, error).parent_path();
}

fs::path find_clang() {
  if (const char* const named = std::getenv("SOLWAY_CLANG")) {
    if (is_program(named)) return named;
    throw UnsupportedError({{},
                            "the C compiler for the emulator was not found",
                            "SOLWAY_CLANG is '" + std::string(named) + "', which is no program",
                            "set SOLWAY_CLANG to clang 19"});
  }
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / "clang-19";
    if (is_program(candidate)) return candidate;
  }
  const fs::path fixed = "/usr/lib/llvm-19/bin/clang";
  if (is_program(fixed)) return fixed;
  throw UnsupportedError({{},
                          "the C compiler for the emulator was not found",
                          "no clang-19 is on the PATH",
                          "install it (Debian: apt install clang-19), or set SOLWAY_CLANG"});
}

fs::path find_resource(const char* variable, const std::vector<fs::path>& places,
                       const std::string& what, bool (*is_there)(const fs::path&)) {
  if (const char* const named = std::getenv(variable)) {
    if (is_there(named)) return named;
    throw UnsupportedError({{},
                            what + " was not found",
                            std::string(variable) + " is '" + named + "', which is not it",
                            std::string("correct ") + variable + ", or unset it"});
  }
  for (const fs::path& place : places) {
    if (is_there(place)) return place;
  }
  throw UnsupportedError({{},
                          what + " was not found",
                          "it is neither beside the library nor in the build folder",
                          std::string("install solway again, or set ") + variable});
}

bool has_headers(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "sw26010" / "slave.h", error);
}

}  // namespace

Toolchain Toolchain::locate() {
  const fs::path here = own_folder();
  return {find_clang(),
          find_resource("SOLWAY_EMULATOR_HEADERS", {here / "include", SOLWAY_EMULATOR_HEADERS},
                        "the folder with sw26010/athread.h and slave.h", has_headers),
          find_resource("SOLWAY_EMULATOR_WORKER",
                        {here / "solway-emulator-worker", SOLWAY_EMULATOR_WORKER},
                        "the program solway-emulator-worker", is_program)};
}

}  // namespace solway::emulator
