#include "schedule/final_writers.h"

#include <string>

#include "schedule/dependences.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// Whether each write of an issue is one of its complete too, which runs later.
bool are_landed_later(const ElementProgram& program, const isl::union_map& issued,
                      const isl::union_map& writes) {
  if (issued.is_empty()) return true;
  const isl::union_map ends = program.partners.intersect_range(issued.domain()).reverse();
  return ends.apply_range(writes).is_equal(issued) && not_in_order(ends, program.time).is_empty();
}

}  // namespace

AccessesByPhase by_phase(const isl::union_map& accesses,
                         std::optional<std::string> (*is_virtual)(const std::string&)) {
  const isl::union_map none = isl::union_map::empty(accesses.ctx());
  AccessesByPhase out{none, none};
  accesses.foreach_map([&](const isl::map& one) {
    const std::string statement = isl_ext::tuple_name(one, isl_ext::Dim::Domain);
    isl::union_map& where = is_virtual(statement) ? out.of_phase : out.others;
    where = where.unite(one.to_union_map());
  });
  return out;
}

std::optional<isl::union_map> final_writers(const ElementProgram& program,
                                            const isl::union_map& reads,
                                            const isl::union_map& writes) {
  if (!by_phase(reads, array_after_program).others.is_empty()) return std::nullopt;
  const auto [given, others] = by_phase(writes, array_before_program);
  const isl::union_map issued = others.intersect_domain(program.issues);
  const isl::union_map last = others.subtract_domain(program.issues);
  if (!last.is_injective() || !are_landed_later(program, issued, last)) return std::nullopt;
  const isl::union_map left = reads.subtract_range(last.range());
  if (!left.is_empty() && !given.is_injective()) return std::nullopt;
  return reads.apply_range(last.reverse())
      .unite(left.apply_range(given.reverse()))
      .detect_equalities()
      .coalesce();
}

}  // namespace solway::schedule
