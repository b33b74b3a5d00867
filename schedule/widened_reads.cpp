#include "schedule/widened_reads.h"

#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// Whether two statements run in one nest.
bool share_a_nest(const Order& order, const std::string& a, const std::string& b) {
  const std::vector<LoopId>& first = order.placement_of(a).path;
  const std::vector<LoopId>& second = order.placement_of(b).path;
  return !first.empty() && !second.empty() && first.front() == second.front();
}

}  // namespace

bool reads_whole_units(const Program& program, const Statement& statement) {
  if (!statement.is_transfer() || statement.copy->direction != CopyDirection::Get) return false;
  return program.buffers.at(statement.copy->buffer).unit_elems > 1;
}

isl::map around_in_array(const Program& program, const isl::map& read) {
  const Array& array = program.array(isl_ext::tuple_name(read, isl_ext::Dim::Range));
  return isl::map::universe(read.space())
      .intersect_domain(read.domain())
      .intersect_range(array.extent);
}

void require_widened_reads_legal(const State& state, const Request& request) {
  const Program& program = *state.program;
  for (const auto& [name, buffer] : program.buffers) {
    const std::string get = name + "_get_issue";
    if (buffer.unit_elems == 1 || program.statements.count(get) == 0) continue;
    for (const auto& [writer, s] : program.statements) {
      if (!s.writes_to(buffer.moved_from()) || !share_a_nest(state.order, get, writer)) continue;
      throw UnsupportedError(
          {request.where,
           request.text + ": '" + name + "' is filled in whole units while '" +
               buffer.moved_from() + "' is written",
           "'" + s.stage + "' writes it in the same nest, perhaps beside what is read, and " +
               buffer.primitive + " at " + buffer.where.to_string() +
               " lets neighbours of what is read move as well",
           "leave align= out of that buffer"});
    }
  }
}

}  // namespace solway::schedule
