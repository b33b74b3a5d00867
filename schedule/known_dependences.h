#pragma once

#include <memory>
#include <vector>

#include <isl/cpp.h>

#include "schedule/dependences.h"
#include "schedule/program.h"

namespace solway::schedule {

/// Dependences of programs that the schedules made of one another were asked about: most primitives
/// change when statements run and not what they access, and a planner that looks for an order asks
/// about one program dozens of times.
class KnownDependences {
 public:
  /// dependences_of, in a budget of kOrderBudget of its own where it is not known, so that what is
  /// decided afterwards does not hang on what was asked before. Throws isl::exception_quota.
  isl::union_map of(const Program& program, Storage storage);

 private:
  struct Entry {
    std::shared_ptr<const Program> program;
    Storage storage;
    isl::union_map dependences;
  };

  std::vector<Entry> entries_;  ///< the oldest first
};

}  // namespace solway::schedule
