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
  return s.writes_to(buffer) || std::any_of(s.reads.begin(), s.reads.end(), [&](const auto& read) {
           return is_access(read.relation);
         });
}

/// "inside 'ko'"
std::string place_text(const State& state, const std::string& statement) {
  const std::vector<LoopId>& path = state.order.placement_of(statement).path;
  return path.empty() ? "outside all loops" : "inside '" + loop_name(state, path.back()) + "'";
}

[[noreturn]] void refuse_to_cross(const State& state, const std::string& transfer,
                                  const std::string& request, const SourceLoc& where) {
  const Copy& copy = *state.program->statement(transfer).copy;
  const std::string& primitive = state.program->buffers.at(copy.buffer).primitive;
  throw ScheduleArgumentError({where, request + " moves a loop across a transfer",
                               "'" + copy.buffer + "' is " +
                                   (copy.direction == CopyDirection::Get ? "loaded " : "stored ") +
                                   place_text(state, transfer) + ", where " + primitive + " put it",
                               "change the loops first, then apply " + primitive});
}

}  // namespace

void require_no_transfer_between(const State& state, LoopId outer, LoopId inner,
                                 const std::string& request, const SourceLoc& where) {
  for (const auto& [name, value] : state.order.loop(outer).value) {
    if (!state.program->statement(name).is_transfer()) continue;
    if (state.order.loop(inner).value.count(name) == 0) {
      refuse_to_cross(state, name, request, where);
    }
  }
}

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
      refuse_to_cross(state, name, request, where);
    }
  }
}

}  // namespace solway::schedule
