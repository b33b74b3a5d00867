#include "schedule/transfers_in_place.h"

#include <algorithm>
#include <vector>

#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using isl_ext::Dim;

/// Whether a statement that is no transfer accesses a buffer.
bool uses_buffer(const Statement& s, const std::string& buffer) {
  if (s.is_transfer()) return false;
  const auto is_access = [&](const isl::map& relation) {
    return isl_ext::tuple_name(relation, Dim::Range) == buffer;
  };
  return is_access(s.write) || std::any_of(s.reads.begin(), s.reads.end(), [&](const auto& read) {
           return is_access(read.relation);
         });
}

/// "inside 'ko'"
std::string place_text(const State& state, const std::string& statement) {
  const std::vector<LoopId>& path = state.order.placement_of(statement).path;
  return path.empty() ? "outside all loops" : "inside '" + loop_name(state, path.back()) + "'";
}

}  // namespace

void require_transfers_in_place(const State& state, const std::string& request,
                                const SourceLoc& where) {
  for (const auto& [name, transfer] : state.program->statements) {
    if (transfer.kind != StatementKind::Issue) continue;
    const Copy& copy = *transfer.copy;
    std::vector<LoopId> outside = state.order.placement_of(name).path;
    std::sort(outside.begin(), outside.end());
    for (const Placement& p : state.order.placements) {
      if (!uses_buffer(state.program->statement(p.statement), copy.buffer)) continue;
      std::vector<LoopId> around(
          p.path.begin(),
          p.path.begin() + static_cast<std::ptrdiff_t>(std::min(outside.size(), p.path.size())));
      std::sort(around.begin(), around.end());
      if (around == outside) continue;
      const bool is_get = copy.direction == CopyDirection::Get;
      throw ScheduleArgumentError(
          {where, request + " moves a loop across a transfer",
           "'" + copy.buffer + "' is " + (is_get ? "loaded" : "stored") + " " +
               place_text(state, name) + ", where " +
               state.program->buffers.at(copy.buffer).primitive + " put it",
           "reorder first, then apply " + state.program->buffers.at(copy.buffer).primitive});
    }
  }
}

}  // namespace solway::schedule
