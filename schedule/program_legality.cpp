#include "schedule/program_legality.h"

#include <optional>
#include <utility>

#include "schedule/program_violation.h"
#include "schedule/verify_program.h"
#include "schedule/violation.h"

namespace solway::schedule {
namespace {

/// A wrong program, with what is wrong.
struct Checked {
  ElementProgram before, after;
  std::optional<Breach> breach;
  FoundFlow flow;
};

Checked check(const Program& original, const Program& program, const Request& request,
              unsigned long budget) {
  Checked out;
  try {
    const IslBudget scope(program.ctx(), budget);
    verify_program(original, program);
    out.before = elementwise(original, original.reference);
    out.after = elementwise(program, program.reference);
    out.breach = find_breach(out.before, out.after, extents_of(program), request, &out.flow);
  } catch (const isl::exception_quota&) {
    throw undecided(request, budget);
  }
  return out;
}

void keep(Checked checked, FoundProgram* found) {
  if (found != nullptr) *found = {std::move(checked.after), std::move(checked.flow)};
}

}  // namespace

void require_program_legal(const Program& original, const Program& program, const Request& request,
                           unsigned long budget, FoundProgram* found) {
  Checked checked = check(original, program, request, budget);
  if (checked.breach) {
    throw program_violation({original, program, checked.before, checked.after}, *checked.breach,
                            request);
  }
  keep(std::move(checked), found);
}

bool is_program_legal(const Program& original, const Program& program, const Request& request,
                      unsigned long budget, FoundProgram* found) {
  Checked checked = check(original, program, request, budget);
  if (checked.breach) return false;
  keep(std::move(checked), found);
  return true;
}

}  // namespace solway::schedule
