#include "schedule/dependences.h"

#include "schedule/compact_time.h"
#include "support/analysis_limit.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {

namespace {

isl::union_map in_storage(const Program& program, const isl::map& access, Storage storage) {
  const auto array = program.arrays.find(isl_ext::tuple_name(access, isl_ext::Dim::Range));
  const bool buffer = array != program.arrays.end() && array->second.kind == ArrayKind::Buffer;
  const bool wanted = storage == Storage::All || buffer == (storage == Storage::Buffers);
  return wanted ? access.to_union_map() : isl::union_map::empty(program.ctx());
}

/// Comparing the times of all instances would be dear: only those of `pairs` are.
template <typename Compare>
isl::union_map compared(const isl::union_map& pairs, const isl::union_map& time,
                        const Compare& compare) {
  const isl::union_map columns = compact_time(time);
  isl::union_map out = isl::union_map::empty(pairs.ctx());
  for (const isl::map& map : isl_ext::sorted_maps(pairs)) {
    const isl::union_map between =
        compare(columns.intersect_domain(isl::set::universe(map.space().domain()).to_union_set()),
                columns.intersect_domain(isl::set::universe(map.space().range()).to_union_set()));
    out = out.unite(between.intersect(map.to_union_map()));
  }
  return out;
}

}  // namespace

isl::union_map writes_of(const Program& program, Storage storage) {
  isl::union_map out = isl::union_map::empty(program.ctx());
  for (const auto& [name, s] : program.statements) {
    for (const Write& write : s.writes) {
      out = out.unite(in_storage(program, write.relation, storage));
    }
  }
  return out;
}

isl::union_map reads_of(const Program& program, Storage storage) {
  isl::union_map out = isl::union_map::empty(program.ctx());
  for (const auto& [name, s] : program.statements) {
    for (const Operand& operand : s.reads) {
      out = out.unite(in_storage(program, operand.relation, storage));
    }
  }
  return out;
}

isl::union_map conflicts_of(const Program& program, Storage storage) {
  const isl::union_map writes = writes_of(program, storage);
  const isl::union_map reads = reads_of(program, storage);
  const isl::union_map raw = writes.apply_range(reads.reverse());
  return raw.unite(raw.reverse()).unite(writes.apply_range(writes.reverse()));
}

isl::union_map in_order(const isl::union_map& pairs, const isl::union_map& time) {
  return compared(pairs, time, [](const auto& a, const auto& b) { return isl_ext::lex_lt(a, b); });
}

isl::union_map not_in_order(const isl::union_map& pairs, const isl::union_map& time) {
  return compared(pairs, time, [](const auto& a, const auto& b) { return isl_ext::lex_ge(a, b); });
}

isl::union_map reorderable_pairs_of(const Program& program) {
  isl::union_map groups = isl::union_map::empty(program.ctx());
  for (const auto& [name, s] : program.statements) {
    if (s.kind == StatementKind::Update && s.group) groups = groups.unite(s.group->to_union_map());
  }
  return groups.apply_range(groups.reverse());
}

isl::union_map dependences_of(const Program& program, Storage storage) {
  return in_order(conflicts_of(program, storage), program.reference)
      .subtract(reorderable_pairs_of(program));
}

isl::union_map reply_dependences_of(const Program& program) {
  isl::union_map uses = isl::union_map::empty(program.ctx());
  for (const auto& [name, s] : program.statements) {
    if (s.is_transfer()) uses = uses.unite(program.reply_of(s).to_union_map());
  }
  return in_order(uses.apply_range(uses.reverse()), program.reference);
}

isl::union_map direct_dependences_of(const Program& program, unsigned long budget) {
  const isl::union_map writes = writes_of(program);
  const isl::union_map accesses = writes.unite(reads_of(program));
  try {
    const IslBudget bound(program.ctx(), budget);
    // Everything here is per element: { [S[i] -> T[e]] -> [S'[j] -> T[e]] }.
    const isl::union_map instance = accesses.domain_map();
    const isl::union_map element = accesses.range_map();
    const isl::union_set written = writes.wrap();
    const isl::union_map same = element.apply_range(element.reverse());
    const isl::union_map conflicts =
        same.intersect_domain(written).unite(same.intersect_range(written));
    const isl::union_map pairs = in_order(conflicts, instance.apply_range(program.reference));
    const isl::union_map free =
        instance.apply_range(reorderable_pairs_of(program)).apply_range(instance.reverse());
    const isl::union_map kept = pairs.subtract(free);
    const isl::union_map implied =
        kept.intersect_range(written).apply_range(kept.intersect_domain(written));
    return instance.reverse().apply_range(pairs.subtract(implied)).apply_range(instance);
  } catch (const isl::exception_quota&) {
    throw AnalysisBudgetError({{},
                               "the direct dependences are not decided",
                               "the analysis did not finish within " + exhausted_bound(budget),
                               "look at all pairs"});
  }
}

}  // namespace solway::schedule
