#pragma once

#include <string>

#include "support/source_loc.h"

namespace solway::schedule {

/// A request as it is quoted in errors.
struct Request {
  std::string text;  ///< "reorder(i, t)"
  SourceLoc where;
};

}  // namespace solway::schedule
