#include "schedule/sizes.h"

#include <algorithm>

#include "dsl/affine.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

void add_sizes(Program& program, const dsl::Tensor& tensor, const SourceLoc& where) {
  for (const dsl::Size& size : dsl::sizes_of(tensor)) {
    const auto known =
        std::find_if(program.sizes.begin(), program.sizes.end(),
                     [&](const dsl::Size& other) { return other->name == size->name; });
    if (known == program.sizes.end()) {
      program.sizes.push_back(size);
    } else if (*known != size) {
      throw DslError({where, "two sizes are named '" + size->name + "'",
                      "one is defined at " + (*known)->where.to_string() + ", the other at " +
                          size->where.to_string(),
                      "use one sw.size(...), or give them different names"});
    }
  }
}

}  // namespace

void collect_sizes(Program& program, const SourceLoc& where) {
  for (const auto& [name, array] : program.arrays) {
    if (array.tensor) add_sizes(program, array.tensor, where);
  }
}

isl::set context_of(const Program& program) {
  isl::set out = dsl::context_of(program.ctx(), program.sizes);
  for (const Assumption& assumption : program.assumptions) {
    if (!assumption.has_effect) continue;
    const auto holds = dsl::try_condition(program.ctx(), assumption.condition, {"assume", {}});
    out = out.intersect_params(holds->params()).coalesce();
  }
  return out;
}

void require_own_sizes(const Program& program, const dsl::Expr& condition,
                       const std::string& request, const SourceLoc& where) {
  const auto& known = program.sizes;
  for (const dsl::Size& size : dsl::sizes_of(condition)) {
    if (std::find(known.begin(), known.end(), size) != known.end()) continue;
    std::string names;
    for (const dsl::Size& own : known) names += (names.empty() ? "'" : ", '") + own->name + "'";
    throw ScheduleArgumentError(
        {where,
         request + ": '" + size->name + "', of " + size->where.to_string() +
             ", is no size of this schedule",
         names.empty() ? "its tensors have constant extents" : "its sizes are " + names,
         "name a size that stands in the shapes or ranges of what is scheduled"});
  }
}

void bound_sizes(Program& program) {
  if (program.sizes.empty()) return;
  const isl::set context = context_of(program);
  for (auto& [name, array] : program.arrays) array.extent = array.extent.intersect_params(context);
  for (auto& [name, s] : program.statements) {
    s.domain = s.domain.intersect_params(context);
    for (Write& write : s.writes) write.relation = write.relation.intersect_params(context);
    for (Operand& operand : s.reads) {
      operand.relation = operand.relation.intersect_params(context);
    }
    if (s.group) s.group = s.group->intersect_params(context);
    if (s.origin) s.origin = s.origin->intersect_params(context);
    for (Inlined& value : s.inlined) value.origin = value.origin.intersect_params(context);
    if (s.copy) {
      s.copy->elements = s.copy->elements.intersect_params(context);
      s.copy->storage = s.copy->storage.intersect_params(context);
    }
  }
}

void take_as_reference(Program& program, const Order& order) {
  bound_sizes(program);
  program.reference = time_of(program.ctx(), order, program.domains());
}

}  // namespace solway::schedule
