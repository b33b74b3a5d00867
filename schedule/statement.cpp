#include "schedule/statement.h"

#include <algorithm>

#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {

isl::union_map Statement::written() const {
  isl::union_map out = isl::union_map::empty(domain.ctx());
  for (const Write& write : writes) out = out.unite(write.relation.to_union_map());
  return out;
}

bool Statement::writes_to(const std::string& array) const {
  return std::any_of(writes.begin(), writes.end(), [&](const Write& write) {
    return isl_ext::tuple_name(write.relation, isl_ext::Dim::Range) == array;
  });
}

bool Statement::reads_from(const std::string& array) const {
  return std::any_of(reads.begin(), reads.end(), [&](const Operand& operand) {
    return isl_ext::tuple_name(operand.relation, isl_ext::Dim::Range) == array;
  });
}

bool Statement::is_slide() const {
  return is_layout_copy() && isl_ext::tuple_name(reads[0].relation, isl_ext::Dim::Range) ==
                                 isl_ext::tuple_name(writes[0].relation, isl_ext::Dim::Range);
}

std::string Statement::served_buffer() const {
  return copy ? copy->buffer : isl_ext::tuple_name(writes[0].relation, isl_ext::Dim::Range);
}

void require_exact_reads(const Statement& s, const std::string& array, const std::string& request,
                         const SourceLoc& where) {
  for (const Operand& operand : s.reads) {
    if (operand.is_exact || isl_ext::tuple_name(operand.relation, isl_ext::Dim::Range) != array) {
      continue;
    }
    throw UnsupportedError({where, request + ": what is read of '" + array + "' depends on data",
                            "'" + dsl::to_string(operand.read) + "' may be any element of a range",
                            "leave '" + array + "' where it is"});
  }
}

}  // namespace solway::schedule
