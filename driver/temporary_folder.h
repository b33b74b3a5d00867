#pragma once

#include <filesystem>

#include "support/source_loc.h"

namespace solway::driver {

/// A new folder for temporary files that vanishes with the object.
class TemporaryFolder {
 public:
  /// Throws UnsupportedError when the place for temporary files is not writable.
  explicit TemporaryFolder(const SourceLoc& where);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace solway::driver
