#include "schedule/violation.h"

#include <optional>
#include <vector>

#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// One conflicting pair: where both access one element.
struct Pair {
  const Statement* source;
  const Statement* sink;
  std::vector<std::int64_t> source_at;
  std::vector<std::int64_t> sink_at;
  std::string tensor;
  std::vector<std::int64_t> element;
  bool source_writes = false;
  bool sink_writes = false;
};

/// The instance of `instances` that runs first in the reference order.
isl::union_set first_of(const Program& program, const isl::union_set& instances) {
  const isl::union_set times = instances.apply(program.reference).lexmin();
  return times.apply(program.reference.reverse()).intersect(instances);
}

const Statement& statement_of(const Program& program, const isl::point& point) {
  return program.statement(isl_ext::tuple_name(point.to_set()));
}

isl::union_map all_accesses(const Statement& s) {
  isl::union_map out = s.write.to_union_map();
  for (const Operand& operand : s.reads) out = out.unite(operand.relation.to_union_map());
  return out;
}

Pair smallest_pair(const Program& program, const isl::union_map& pairs) {
  const isl::point source = first_of(program, pairs.domain()).sample_point();
  const isl::union_set source_set = source.to_union_set();
  const isl::point sink = first_of(program, source_set.apply(pairs)).sample_point();
  const isl::union_set sink_set = sink.to_union_set();
  Pair out;
  out.source = &statement_of(program, source);
  out.sink = &statement_of(program, sink);
  out.source_at = isl_ext::coordinates(source);
  out.sink_at = isl_ext::coordinates(sink);
  const isl::union_set written_first = source_set.apply(out.source->write.to_union_map());
  const isl::union_set written_last = sink_set.apply(out.sink->write.to_union_map());
  const isl::union_set common = source_set.apply(all_accesses(*out.source))
                                    .intersect(sink_set.apply(all_accesses(*out.sink)));
  const isl::point element = common.intersect(written_first.unite(written_last)).sample_point();
  out.tensor = isl_ext::tuple_name(element.to_set());
  out.element = isl_ext::coordinates(element);
  out.source_writes = !written_first.intersect(element.to_union_set()).is_empty();
  out.sink_writes = !written_last.intersect(element.to_union_set()).is_empty();
  return out;
}

Instance instance_of(const Statement& s, const std::vector<std::int64_t>& at) {
  Instance out{s.stage, {}};
  for (std::size_t k = 0; k < s.axes.size(); ++k)
    out.iteration.emplace_back(s.axes[k]->name, at[k]);
  return out;
}

std::string element_text(const Pair& pair) {
  std::string out = pair.tensor + "[";
  for (std::size_t k = 0; k < pair.element.size(); ++k) {
    out += (k == 0 ? "" : ", ") + std::to_string(pair.element[k]);
  }
  return out + "]";
}

std::string located(const SourceLoc& where) {
  return where.line == 0 ? "" : " (" + where.to_string() + ")";
}

/// "H[t=1, i=3] reads H[0, 4] (stencil.py:7), which H[t=0, i=4] writes".
std::string relation_text(const Pair& pair) {
  const std::string source = instance_of(*pair.source, pair.source_at).to_string();
  const std::string sink = instance_of(*pair.sink, pair.sink_at).to_string();
  const std::string element = element_text(pair);
  return sink + (pair.sink_writes ? " writes " : " reads ") + element + located(pair.sink->where) +
         ", which " + source + (pair.source_writes ? " writes" : " reads") +
         located(pair.source->where);
}

IllegalScheduleError::Violation data_of(const Pair& pair, const Request& request) {
  return {instance_of(*pair.source, pair.source_at), instance_of(*pair.sink, pair.sink_at),
          pair.tensor, pair.element, request.text};
}

/// What the sink has to do with the source: "which it reads".
std::string consequence(const Pair& pair) {
  if (pair.source_writes && !pair.sink_writes) return ", which it reads";
  if (pair.source_writes) return ", which writes the same element before it";
  return ", which still reads what it overwrites";
}

}  // namespace

IllegalScheduleError order_violation(const Program& program, const isl::union_map& violated,
                                     const Request& request) {
  const Pair pair = smallest_pair(program, violated);
  const std::string source = instance_of(*pair.source, pair.source_at).to_string();
  const std::string sink = instance_of(*pair.sink, pair.sink_at).to_string();
  return IllegalScheduleError(
      {request.where, request.text + " would run " + sink + " before " + source + consequence(pair),
       relation_text(pair), "keep the order of these loops"},
      data_of(pair, request));
}

IllegalScheduleError race_violation(const Program& program, const isl::union_map& crossing,
                                    const std::string& loop, const Request& request) {
  const Pair pair = smallest_pair(program, crossing);
  const std::string source = instance_of(*pair.source, pair.source_at).to_string();
  const std::string sink = instance_of(*pair.sink, pair.sink_at).to_string();
  return IllegalScheduleError(
      {request.where,
       request.text + " would run " + source + " and " + sink +
           " at the same time, but both access " + element_text(pair),
       relation_text(pair), "mark a loop whose iterations share nothing instead of '" + loop + "'"},
      data_of(pair, request));
}

}  // namespace solway::schedule
