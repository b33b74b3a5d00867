#include "schedule/known_dependences.h"

#include <algorithm>

#include "schedule/same_state.h"
#include "support/isl_context.h"

namespace solway::schedule {
namespace {

/// Who looks for an order works on few sections at a time, and asks about each kind of storage.
constexpr std::size_t kMostKnown = 16;

}  // namespace

isl::union_map KnownDependences::of(const Program& program, Storage storage) {
  const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& one) {
    return one.storage == storage && have_same_accesses(*one.program, program);
  });
  if (known != entries_.end()) return known->dependences;
  const IslBudget budget(program.ctx(), kOrderBudget);
  isl::union_map found = dependences_of(program, storage);
  if (entries_.size() == kMostKnown) entries_.erase(entries_.begin());
  entries_.push_back({std::make_shared<const Program>(program), storage, found});
  return found;
}

}  // namespace solway::schedule
