#include "driver/temporary_folder.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <system_error>

#include "support/error.h"

#include <stdlib.h>

namespace solway::driver {

namespace fs = std::filesystem;

namespace {

/// What the environment names, also when there is no such folder.
std::string asked_folder(const fs::path& found) {
  const char* const named = std::getenv("TMPDIR");
  return found.empty() && named != nullptr ? named : found.string();
}

constexpr const char* kFix = "make room there, or set TMPDIR to another folder";

}  // namespace

TemporaryFolder::TemporaryFolder(const SourceLoc& where) {
  std::error_code ignored;
  const fs::path parent = fs::temp_directory_path(ignored);
  std::string pattern = (parent / "solway-XXXXXX").string();
  if (parent.empty() || mkdtemp(pattern.data()) == nullptr) {
    throw UnsupportedError({where, "no folder for temporary files could be made",
                            "'" + asked_folder(parent) + "' is no folder that can be written",
                            "set TMPDIR to a folder that is"});
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::write(const std::string& name, const std::string& bytes,
                                const SourceLoc& where) const {
  fs::path file = path_ / name;
  std::ofstream stream(file, std::ios::binary);
  stream << bytes;
  if (stream.flush()) return file;
  throw UnsupportedError({where, "a temporary file could not be written",
                          "'" + file.string() + "' cannot be written", kFix});
}

void TemporaryFolder::require_room(const SourceLoc& where) const {
  constexpr std::uintmax_t kLeast = std::uintmax_t{1} << 20;
  std::error_code failed;
  const fs::space_info space = fs::space(path_, failed);
  if (failed || space.available >= kLeast) return;
  throw UnsupportedError(
      {where, "temporary files had no room",
       "'" + path_.string() + "' has " + std::to_string(space.available) + " bytes left", kFix});
}

}  // namespace solway::driver
