#pragma once

#include <filesystem>
#include <string>

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

  /// Writes a file of the folder; gives its path. Throws UnsupportedError when it cannot be written
  /// whole.
  std::filesystem::path write(const std::string& name, const std::string& bytes,
                              const SourceLoc& where) const;
  /// Throws UnsupportedError when less than a mebibyte is left there: then that is why a program
  /// which wrote there failed.
  void require_room(const SourceLoc& where) const;

 private:
  std::filesystem::path path_;
};

}  // namespace solway::driver
