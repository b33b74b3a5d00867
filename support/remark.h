#pragma once

#include <string>
#include <vector>

#include "support/source_loc.h"

namespace solway {

/// Something that was asked for and done otherwise, for the report of a kernel.
struct Remark {
  std::string step;     ///< what was asked for: "vectorize(i)"
  std::string verdict;  ///< what was done: "kept as a loop"
  std::string why;      ///< the fact, with values
  SourceLoc where;
};
using Remarks = std::vector<Remark>;

}  // namespace solway
