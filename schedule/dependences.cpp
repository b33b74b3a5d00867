#include "schedule/dependences.h"

#include "support/isl_ext.h"

namespace solway::schedule {

isl::union_map writes_of(const Program& program) {
  isl::union_map out = isl::union_map::empty(program.ctx());
  for (const auto& [name, s] : program.statements) out = out.unite(s.write.to_union_map());
  return out;
}

isl::union_map reads_of(const Program& program) {
  isl::union_map out = isl::union_map::empty(program.ctx());
  for (const auto& [name, s] : program.statements) {
    for (const Operand& operand : s.reads) out = out.unite(operand.relation.to_union_map());
  }
  return out;
}

isl::union_map conflicts_of(const Program& program) {
  const isl::union_map writes = writes_of(program);
  const isl::union_map reads = reads_of(program);
  const isl::union_map raw = writes.apply_range(reads.reverse());
  return raw.unite(raw.reverse()).unite(writes.apply_range(writes.reverse()));
}

isl::union_map reorderable_pairs_of(const Program& program) {
  isl::union_map groups = isl::union_map::empty(program.ctx());
  for (const auto& [name, s] : program.statements) {
    if (s.kind == StatementKind::Update && s.group) groups = groups.unite(s.group->to_union_map());
  }
  return groups.apply_range(groups.reverse());
}

isl::union_map dependences_of(const Program& program) {
  const isl::union_map forward = isl_ext::lex_lt(program.reference, program.reference);
  return conflicts_of(program).intersect(forward).subtract(reorderable_pairs_of(program));
}

}  // namespace solway::schedule
