#include "lowering/widened_domains.h"

#include "schedule/region.h"
#include "support/isl_box.h"
#include "support/isl_ext.h"

namespace solway::lowering {
std::vector<isl::set> widened_domains(const schedule::State& state, const std::string& statement) {
  const isl::set& domain = state.program->statement(statement).domain;
  const isl::map values =
      schedule::values_of(state, statement, state.order.placement_of(statement).path).as_map();
  std::vector<isl::set> candidates{isl_ext::simple_hull(domain)};
  const isl::set box = isl_ext::bounding_box(domain);
  if (isl_ext::is_bounded(box)) {
    candidates.front() = candidates.front().intersect(box);
    candidates.push_back(box);
  }
  std::vector<isl::set> out;
  for (const isl::set& wide : candidates) {
    if (values.intersect_domain(wide).is_injective()) out.push_back(wide.coalesce());
  }
  return out;
}

}  // namespace solway::lowering
