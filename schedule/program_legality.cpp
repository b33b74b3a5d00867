#include "schedule/program_legality.h"

#include <optional>

#include "schedule/program_breach.h"
#include "schedule/program_violation.h"
#include "schedule/verify_program.h"
#include "schedule/violation.h"

namespace solway::schedule {
namespace {

isl::union_set extents_of(const Program& program) {
  isl::union_set out = isl::union_set::empty(program.ctx());
  for (const auto& [name, array] : program.arrays) {
    out = out.unite(array.extent.to_union_set());
  }
  return out;
}

}  // namespace

void require_program_legal(const Program& original, const Program& program, const Request& request,
                           unsigned long budget) {
  ElementProgram before, after;
  std::optional<Breach> breach;
  try {
    const IslBudget scope(program.ctx(), budget);
    verify_program(original, program);
    before = elementwise(original, original.reference);
    after = elementwise(program, program.reference);
    breach = find_breach(before, after, extents_of(program), request);
  } catch (const isl::exception_quota&) {
    throw undecided(request, budget);
  }
  if (breach) throw program_violation({original, program, before, after}, *breach, request);
}

}  // namespace solway::schedule
