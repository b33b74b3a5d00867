#include "schedule/violation.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "schedule/dependences.h"
#include "schedule/general_fix.h"
#include "support/analysis_limit.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// "'C'", "the transfer of 'AA'", "the initialisation of 'C'".
std::string name_of(const Statement& s) {
  if (s.copy) return "the transfer of '" + s.copy->buffer + "'";
  return (s.kind == StatementKind::Init ? "the initialisation of '" : "'") + s.stage + "'";
}

/// One conflicting pair: where both access one element.
struct Pair {
  const Statement* source;
  const Statement* sink;
  std::vector<std::int64_t> source_at;
  std::vector<std::int64_t> sink_at;
  std::string tensor;
  std::vector<std::int64_t> element;
  isl::set cell;
  bool source_writes = false;
  bool sink_writes = false;
};

/// What looking for the best example in a message may take: a hundredth of a second or two.
constexpr unsigned long kMessageBudget = 100'000;

/// How an instance is picked out of several.
enum class Pick : std::uint8_t { First, Any };

isl::point pick_from(const isl::union_set& instances, const isl::union_map& time, Pick pick) {
  return pick == Pick::First ? first_of(instances, time) : instances.sample_point();
}

const Statement& statement_of(const Program& program, const isl::point& point) {
  return program.statement(isl_ext::tuple_name(point.to_set()));
}

isl::union_map all_accesses(const Statement& s) {
  isl::union_map out = s.written();
  for (const Operand& operand : s.reads) out = out.unite(operand.relation.to_union_map());
  return out;
}

Pair pair_of(const Program& program, const isl::union_map& pairs, Pick pick) {
  const isl::point source = pick_from(pairs.domain(), program.reference, pick);
  const isl::union_set source_set = source.to_union_set();
  const isl::point sink = pick_from(source_set.apply(pairs), program.reference, pick);
  const isl::union_set sink_set = sink.to_union_set();
  Pair out;
  out.source = &statement_of(program, source);
  out.sink = &statement_of(program, sink);
  out.source_at = isl_ext::coordinates(source);
  out.sink_at = isl_ext::coordinates(sink);
  const isl::union_set written_first = source_set.apply(out.source->written());
  const isl::union_set written_last = sink_set.apply(out.sink->written());
  const isl::union_set common = source_set.apply(all_accesses(*out.source))
                                    .intersect(sink_set.apply(all_accesses(*out.sink)));
  const isl::point element =
      common.intersect(written_first.unite(written_last)).lexmin().sample_point();
  out.tensor = isl_ext::tuple_name(element.to_set());
  out.element = isl_ext::coordinates(element);
  out.cell = element.to_set();
  out.source_writes = !written_first.intersect(element.to_union_set()).is_empty();
  out.sink_writes = !written_last.intersect(element.to_union_set()).is_empty();
  return out;
}

std::set<std::string> tuples_of(const isl::union_set& sets) {
  std::set<std::string> out;
  for (const isl::set& one : isl_ext::sorted_sets(sets)) out.insert(isl_ext::tuple_name(one));
  return out;
}

std::set<std::string> arrays_of(const isl::union_map& accesses) {
  return tuples_of(accesses.range());
}

/// What decides which of `pairs` are direct: the arrays that two statements of a pair both access,
/// and all that writes these.
Program deciding_part(const Program& program, const isl::union_map& pairs) {
  std::set<std::string> statements, shared;
  for (const isl::map& one : isl_ext::sorted_maps(pairs)) {
    const std::string source = isl_ext::tuple_name(one, isl_ext::Dim::Domain);
    const std::string sink = isl_ext::tuple_name(one, isl_ext::Dim::Range);
    const auto of_source = arrays_of(all_accesses(program.statement(source)));
    for (const std::string& array : arrays_of(all_accesses(program.statement(sink)))) {
      if (of_source.count(array) != 0) shared.insert(array);
    }
    statements.insert({source, sink});
  }
  const auto is_other = [&](const isl::map& access) {
    return shared.count(isl_ext::tuple_name(access, isl_ext::Dim::Range)) == 0;
  };
  Program out = program;
  for (auto& [name, s] : out.statements) {
    std::erase_if(s.writes, [&](const Write& write) { return is_other(write.relation); });
    std::erase_if(s.reads, [&](const Operand& operand) { return is_other(operand.relation); });
    if (statements.count(name) == 0 && s.writes.empty()) s.reads.clear();
  }
  return out;
}

/// What a program does with one element.
Program part_at(const Program& program, const isl::set& element) {
  const std::string array = isl_ext::tuple_name(element);
  const auto is_other = [&](const isl::map& access) {
    return isl_ext::tuple_name(access, isl_ext::Dim::Range) != array;
  };
  Program out = program;
  for (auto& [name, s] : out.statements) {
    std::erase_if(s.writes, [&](const Write& write) { return is_other(write.relation); });
    std::erase_if(s.reads, [&](const Operand& operand) { return is_other(operand.relation); });
    for (Write& write : s.writes) write.relation = write.relation.intersect_range(element);
    for (Operand& operand : s.reads) operand.relation = operand.relation.intersect_range(element);
  }
  return out;
}

/// The smallest of `pairs`, or any when that is too hard to find; nullopt when that is too hard as
/// well.
std::optional<Pair> try_pair(const Program& program, const isl::union_map& pairs) {
  for (const Pick pick : {Pick::First, Pick::Any}) {
    try {
      const IslBudget budget(program.ctx(), kOrderBudget);
      return pair_of(program, pairs, pick);
    } catch (const isl::exception_quota&) {
      continue;
    }
  }
  return std::nullopt;
}

/// Those of `pairs` that are direct dependences of a part of the program; none where that is not
/// decided within `budget` operations.
isl::union_map direct_among(const Program& part, const isl::union_map& pairs,
                            unsigned long budget) {
  try {
    return pairs.intersect(direct_dependences_of(part, budget));
  } catch (const AnalysisBudgetError&) {
    return isl::union_map::empty(pairs.ctx());
  }
}

/// The smallest pair with no write of its element in between. Where looking at all of them takes
/// long, such a pair of the element of the smallest pair: between two accesses in the wrong order
/// there are two that follow each other and are in the wrong order, too.
std::optional<Pair> find_pair(const Program& program, const isl::union_map& pairs) {
  const isl::union_map all = direct_among(deciding_part(program, pairs), pairs, kMessageBudget);
  if (!all.is_empty()) return try_pair(program, all);
  const std::optional<Pair> first = try_pair(program, pairs);
  if (!first) return first;
  const isl::union_map of_element =
      direct_among(part_at(program, first->cell), pairs, kOrderBudget);
  const auto found = of_element.is_empty() ? std::nullopt : try_pair(program, of_element);
  return found ? found : first;
}

/// "H[1, 3]" where the statement stores the element that its iteration names; else "C[i=1, k=3]".
std::string short_text(const Statement& s, const std::vector<std::int64_t>& at) {
  if (s.kind == StatementKind::Compute) return element_text(s.stage, at);
  return instance_of(s, at).to_string();
}

/// Whether the pair is said by "H[1, 3] reads H[0, 4]": the source stores what it is called after.
bool is_named_by_element(const Pair& pair) {
  return pair.source->kind == StatementKind::Compute && pair.sink->where.line != 0 &&
         pair.source->where.file == pair.sink->where.file &&
         pair.source->where.line == pair.sink->where.line && pair.source_writes &&
         !pair.sink_writes && pair.tensor == pair.source->stage && pair.element == pair.source_at;
}

/// "H[1, 3] reads H[0, 4] (stencil.py:7)", "D[2] reads C[2] (user.py:5), which C[2] writes
/// (user.py:4)".
std::string relation_text(const Pair& pair) {
  const std::string element = element_text(pair.tensor, pair.element);
  const std::string access = short_text(*pair.sink, pair.sink_at) +
                             (pair.sink_writes ? " writes " : " reads ") + element +
                             located(pair.sink->where);
  if (is_named_by_element(pair)) return access;
  return access + ", which " + short_text(*pair.source, pair.source_at) +
         (pair.source_writes ? " writes" : " reads") + located(pair.source->where);
}

using LoopValues = std::vector<std::pair<LoopId, std::int64_t>>;

/// The value of each loop around a statement in the instance `at`.
LoopValues values_of(const Order& order, const Statement& s, const std::vector<std::int64_t>& at) {
  isl::set point = isl::set::universe(s.domain.space());
  for (std::size_t k = 0; k < at.size(); ++k) {
    point = isl_ext::fix(point, static_cast<int>(k), at[k]);
  }
  LoopValues out;
  for (const LoopId id : order.placement_of(s.name).path) {
    const isl::set value = point.apply(order.value_of(id, s.name).as_map());
    out.emplace_back(id, isl_ext::coordinates(value.sample_point()).at(0));
  }
  return out;
}

/// "(i=3, t=1)"; of a deep nest only the loops up to number `last`.
std::string values_text(const Order& order, const LoopValues& values, std::size_t last) {
  constexpr std::size_t kShown = 4;
  std::string out = "(";
  for (std::size_t k = 0; k < values.size() && k <= std::max(last, kShown - 1); ++k) {
    if (values.size() > kShown && k > last) break;
    out += (k == 0 ? "" : ", ") + order.loop(values[k].first).name + "=" +
           std::to_string(values[k].second);
  }
  return out + ")";
}

/// "; in this order (i=3, t=1) comes before (i=4, t=0)".
std::string order_text(const Order& order, const Pair& pair) {
  const LoopValues source = values_of(order, *pair.source, pair.source_at);
  const LoopValues sink = values_of(order, *pair.sink, pair.sink_at);
  std::size_t common = 0;
  while (common < source.size() && common < sink.size() && source[common] == sink[common]) ++common;
  const bool loop_decides =
      common < source.size() && common < sink.size() && source[common].first == sink[common].first;
  if (loop_decides) {
    return "; in this order " + values_text(order, sink, common) + " comes before " +
           values_text(order, source, common);
  }
  if (pair.source == pair.sink) return "; in this order they run at the same time";
  const std::string inside =
      common == 0
          ? ""
          : " in " + values_text(order,
                                 {sink.begin(), sink.begin() + static_cast<std::ptrdiff_t>(common)},
                                 common);
  return "; in this order " + name_of(*pair.sink) + " stands before " + name_of(*pair.source) +
         inside;
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

/// The error when no pair was found.
IllegalScheduleError without_pair(const std::string& what, const std::string& fix,
                                  const Request& request) {
  return IllegalScheduleError(
      {request.where, request.text + what,
       "the smallest pair was not found within " + std::to_string(kOrderBudget) + " operations",
       fix},
      {{}, {}, "", {}, request.text});
}

/// Who runs an iteration of a marked loop beside others, and where that is: "on" a "core", "in" a
/// "lane".
struct Runner {
  std::string where;
  std::string name;
};

Runner runner_of(const Loop& loop) {
  return loop.mark == LoopMark::Vectorized ? Runner{"in", "lane"} : Runner{"on", "core"};
}

/// "parallel loop 'i'"
std::string marked_text(const Loop& loop) {
  return (loop.mark == LoopMark::Vectorized ? "vectorized loop '" : "parallel loop '") + loop.name +
         "'";
}

/// One transfer is issued in one iteration of a loop and awaited in another.
IllegalScheduleError split_transfer(const IllegalScheduleError::Violation& data,
                                    const SourceLoc& where, const Loop& loop,
                                    const Request& request) {
  const Runner runner = runner_of(loop);
  return IllegalScheduleError(
      {request.where,
       request.text + " would issue the transfer of " + data.source.to_string() + " " +
           runner.where + " one " + runner.name + " and wait for it " + runner.where + " another",
       "it is issued in one iteration of " + marked_text(loop) + " and waited for in a later one" +
           located(where) + "; the iterations run " + runner.where + " different " + runner.name +
           "s",
       "split '" + loop.name + "', mark the outer loop, and place the buffer at the inner one"},
      data);
}

}  // namespace

AnalysisBudgetError undecided(const Request& request, unsigned long budget) {
  return AnalysisBudgetError({request.where, request.text + " is not decided",
                              "the exact analysis did not finish within " +
                                  exhausted_bound(budget) +
                                  "; this says neither that it is legal nor that it is illegal",
                              "apply fewer or simpler primitives before it"});
}

isl::union_map with_smallest_sizes(const isl::union_map& pairs) {
  return isl_ext::fix_params(pairs, isl_ext::smallest_params(pairs));
}

isl::point first_of(const isl::union_set& instances, const isl::union_map& time) {
  const isl::union_set first = instances.apply(time).lexmin();
  return first.apply(time.reverse()).intersect(instances).sample_point();
}

Instance instance_of(const Statement& s, const std::vector<std::int64_t>& at) {
  Instance out{s.serves_buffer() ? s.served_buffer() : s.stage, {}};
  for (std::size_t k = 0; k < at.size(); ++k) {
    std::string name =
        k < s.axes.size() ? s.axes[k]->name : isl_ext::dim_name(s.domain, static_cast<int>(k));
    if (name.empty()) name = "p" + std::to_string(k);
    out.iteration.emplace_back(std::move(name), at[k]);
  }
  return out;
}

std::string element_text(const std::string& array, const std::vector<std::int64_t>& element) {
  std::string out = array + "[";
  for (std::size_t k = 0; k < element.size(); ++k) {
    out += (k == 0 ? "" : ", ") + std::to_string(element[k]);
  }
  return out + "]";
}

std::string located(const SourceLoc& where) {
  return where.line == 0 ? "" : " (" + where.to_string() + ")";
}

IllegalScheduleError order_violation(const Program& program, const isl::union_map& violated,
                                     const Order& order, const Request& request) {
  const std::string fix = general_order_fix(request);
  const std::optional<Pair> found = find_pair(program, violated);
  if (!found) return without_pair(" would break a dependence", fix, request);
  const Pair& pair = *found;
  const std::string source = instance_of(*pair.source, pair.source_at).to_string();
  const std::string sink = instance_of(*pair.sink, pair.sink_at).to_string();
  return IllegalScheduleError(
      {request.where, request.text + " would run " + sink + " before " + source + consequence(pair),
       relation_text(pair) + order_text(order, pair), fix},
      data_of(pair, request));
}

IllegalScheduleError race_violation(const Program& program, const isl::union_map& crossing,
                                    const Loop& loop, std::optional<std::int64_t> distance,
                                    const Request& request) {
  std::string fix =
      "leave '" + loop.name + "' sequential, or mark a loop whose iterations share nothing";
  std::string why;
  if (distance && *distance > 1) {
    const std::string width = std::to_string(*distance);
    why = "; conflicts lie " + width + " iterations apart or more";
    fix = "split('" + loop.name + "', factor=" + width + ") first, and mark the inner loop";
  }
  const std::optional<Pair> found = find_pair(program, crossing);
  if (!found) return without_pair(" would run conflicting iterations at one time", fix, request);
  const Pair& pair = *found;
  const std::string source = instance_of(*pair.source, pair.source_at).to_string();
  const std::string sink = instance_of(*pair.sink, pair.sink_at).to_string();
  if (source == sink)
    return split_transfer(data_of(pair, request), pair.sink->where, loop, request);
  return IllegalScheduleError(
      {request.where,
       request.text + " would run " + source + " and " + sink +
           " at the same time, but both access " + element_text(pair.tensor, pair.element),
       relation_text(pair) + why, fix},
      data_of(pair, request));
}

IllegalScheduleError private_buffer_violation(const Program& program, const isl::union_map& flow,
                                              const isl::union_map& accesses, const Loop& loop,
                                              const Request& request) {
  const Runner runner = runner_of(loop);
  const std::string on_a_runner = runner.where + " a " + runner.name + " that did not fill it";
  try {
    const IslBudget budget(program.ctx(), kOrderBudget);
    const isl::point reader = first_of(flow.range(), program.reference);
    const isl::union_set read = reader.to_union_set().apply(accesses);
    const isl::union_set writers = reader.to_union_set().apply(flow.reverse());
    const isl::point writer = first_of(writers, program.reference);
    const Statement& source = statement_of(program, writer);
    const Statement& sink = statement_of(program, reader);
    const isl::point cell =
        writer.to_union_set().apply(source.written()).intersect(read).lexmin().sample_point();
    const IllegalScheduleError::Violation data{instance_of(source, isl_ext::coordinates(writer)),
                                               instance_of(sink, isl_ext::coordinates(reader)),
                                               isl_ext::tuple_name(cell.to_set()),
                                               isl_ext::coordinates(cell), request.text};
    if (data.source.to_string() == data.sink.to_string()) {
      return split_transfer(data, sink.where, loop, request);
    }
    const auto outside = [&](const Statement& s) { return loop.value.count(s.name) == 0; };
    const std::string where = outside(source) ? " is filled outside " + marked_text(loop)
                              : outside(sink)
                                  ? " is used outside " + marked_text(loop)
                                  : " is filled in another iteration of " + marked_text(loop);
    return IllegalScheduleError(
        {request.where, request.text + " would use '" + data.tensor + "' " + on_a_runner,
         "'" + data.tensor + "'" + where + ", each " + runner.name + " has its own; " +
             data.sink.to_string() + located(sink.where) + " uses " +
             element_text(data.tensor, data.element) + ", which " + data.source.to_string() +
             located(source.where) + " fills",
         private_buffer_fix(program, data.tensor, loop.name)},
        data);
  } catch (const isl::exception_quota&) {
    return without_pair(" would use a buffer " + on_a_runner,
                        "make the buffer inside '" + loop.name + "', with at='" + loop.name + "'",
                        request);
  }
}

}  // namespace solway::schedule
