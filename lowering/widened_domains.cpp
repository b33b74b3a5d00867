#include "lowering/widened_domains.h"

#include <optional>

#include "schedule/region.h"
#include "support/isl_ext.h"

namespace solway::lowering {
namespace {

/// The smallest box around a set; nullopt where a dimension has no smallest or largest value.
std::optional<isl::set> box_around(const isl::set& set) {
  isl::set out = isl::set::universe(set.space());
  const int rank = isl_ext::dim_count(set, isl_ext::Dim::Range);
  for (int k = 0; k < rank; ++k) {
    const auto low = isl_ext::try_dim_min(set, k);
    const auto high = isl_ext::try_dim_max(set, k);
    if (!low || !high) return std::nullopt;
    out = isl_ext::bound(out, k, *low, *high + 1);
  }
  return out;
}

}  // namespace

std::vector<isl::set> widened_domains(const schedule::State& state, const std::string& statement) {
  const isl::set& domain = state.program->statement(statement).domain;
  const isl::map values =
      schedule::values_of(state, statement, state.order.placement_of(statement).path).as_map();
  std::vector<isl::set> candidates{isl_ext::simple_hull(domain)};
  if (const auto box = box_around(domain)) {
    candidates.front() = candidates.front().intersect(*box);
    candidates.push_back(*box);
  }
  std::vector<isl::set> out;
  for (const isl::set& wide : candidates) {
    if (values.intersect_domain(wide).is_injective()) out.push_back(wide.coalesce());
  }
  return out;
}

}  // namespace solway::lowering
