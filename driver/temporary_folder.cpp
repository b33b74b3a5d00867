#include "driver/temporary_folder.h"

#include <cstdlib>
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

}  // namespace solway::driver
