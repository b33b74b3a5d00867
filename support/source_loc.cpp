#include "support/source_loc.h"

namespace solway {

std::string SourceLoc::to_string() const {
  return line == 0 ? std::string() : file + ":" + std::to_string(line);
}

}  // namespace solway
