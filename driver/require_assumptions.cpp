#include "driver/require_assumptions.h"

#include "dsl/evaluate.h"
#include "support/error.h"

namespace solway::driver {

void require_assumptions(const CompiledKernel& kernel,
                         const std::map<std::string, std::int64_t>& sizes, const SourceLoc& where) {
  for (const schedule::Assumption& assumption : kernel.assumptions()) {
    if (dsl::evaluate(assumption.condition, sizes) != 0) continue;
    const std::string text = dsl::to_string(assumption.condition);
    std::string got;
    for (const dsl::Size& size : dsl::sizes_of(assumption.condition)) {
      got += (got.empty() ? "" : ", ") + size->name + " = " + std::to_string(sizes.at(size->name));
    }
    throw ArgumentMismatchError(
        {where, kernel.kernel().name + " runs only where " + text,
         "got " + got + "; the condition is assumed at " + assumption.where.to_string(),
         "pass sizes for which it holds, or build another kernel without that assume"});
  }
}

}  // namespace solway::driver
