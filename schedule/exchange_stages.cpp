#include "schedule/exchange_stages.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "schedule/proof.h"
#include "schedule/substitution.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using isl_ext::Dim;

/// `map`, its range `width` numbers more.
isl::map with_more_times(isl::map map, int width) {
  const int rank = isl_ext::dim_count(map, Dim::Range);
  map = isl_ext::insert_dims(map, Dim::Range, rank, width);
  for (int k = rank; k < rank + width; ++k) map = isl_ext::fix(map, Dim::Range, k, 0);
  return map;
}

class Exchanger {
 public:
  Exchanger(State& state, Program& program, const StageExchange& exchange, const Request& request)
      : state_(state),
        program_(program),
        exchange_(exchange),
        made_(*exchange.made.program),
        request_(request) {}

  void run() {
    auto original = std::make_shared<Program>(*state_.original);
    if (exchange_.instead) {
      replace_reads_of(program_);
      replace_reads_of(*original);
    }
    const isl::union_map reference = reference_of(*original);
    put_into(*original);
    put_into(program_);
    original->reference = reference;
    exchange_loops();
    state_.original = std::move(original);
    compare_with(state_, nullptr);
  }

 private:
  bool is_gone(const std::string& stage) const { return exchange_.gone.count(stage) != 0; }

  /// Says what becomes of the reads of the tensor, so that those that programs share stay shared.
  void replace_reads_of(const Program& program) {
    for (const auto& [name, s] : program.statements) {
      for (const Operand& operand : s.reads) {
        if (operand.read && !is_gone(s.stage) && reads_tensor(operand)) {
          moved_.replace(operand.read, dsl::make_read(exchange_.instead, operand.read->operands,
                                                      operand.read->where));
        }
      }
    }
  }

  bool reads_tensor(const Operand& operand) const {
    return isl_ext::tuple_name(operand.relation, Dim::Range) == exchange_.stage;
  }

  void put_into(Program& program) {
    for (auto s = program.statements.begin(); s != program.statements.end();) {
      s = is_gone(s->second.stage) ? program.statements.erase(s) : std::next(s);
    }
    for (const std::string& stage : exchange_.gone) {
      if (stage != exchange_.stage || exchange_.instead) program.arrays.erase(stage);
    }
    if (exchange_.instead) {
      for (auto& [name, s] : program.statements) read_instead(s);
    }
    program.statements.insert(made_.statements.begin(), made_.statements.end());
    program.arrays.insert(made_.arrays.begin(), made_.arrays.end());
    std::vector<dsl::Tensor> stages;
    for (const dsl::Tensor& stage : program.stages) {
      if (stage->name == exchange_.stage) {
        for (const dsl::Tensor& made : made_.stages) {
          stages.push_back(made->name == exchange_.stage ? stage : made);
        }
      } else if (!is_gone(stage->name)) {
        stages.push_back(stage);
      }
    }
    program.stages = std::move(stages);
  }

  void read_instead(Statement& s) {
    const std::string& name = exchange_.instead->name;
    bool reads = false;
    for (Operand& operand : s.reads) {
      if (!operand.read || !reads_tensor(operand)) continue;
      operand.relation = operand.relation.set_range_tuple(name);
      operand.index = operand.index.set_range_tuple(name);
      operand.read = moved_(operand.read);
      reads = true;
    }
    if (!reads) return;
    for (Write& write : s.writes) write.value = moved_(write.value);
  }

  /// The order of `program`, with the new statements, in theirs, when those of the stage ran.
  isl::union_map reference_of(const Program& program) const {
    isl::union_map out = isl::union_map::empty(program.ctx());
    std::optional<std::vector<std::int64_t>> begin;
    int width = 1;
    const std::vector<isl::map> own = isl_ext::sorted_maps(made_.reference);
    for (const isl::map& map : own) width = std::max(width, isl_ext::dim_count(map, Dim::Range));
    for (const isl::map& map : isl_ext::sorted_maps(program.reference)) {
      const auto s = program.statements.find(isl_ext::tuple_name(map, Dim::Domain));
      if (s == program.statements.end()) continue;
      if (s->second.stage == exchange_.stage) {
        const auto first = isl_ext::try_lexmin(map.range());
        if (first && (!begin || *first < *begin)) begin = first;
      }
      if (!is_gone(s->second.stage)) out = out.unite(with_more_times(map, width).to_union_map());
    }
    for (const isl::map& map : own) {
      const int more = width - isl_ext::dim_count(map, Dim::Range);
      isl::map when = with_more_times(map, more);
      const auto rank = static_cast<int>(begin ? begin->size() : 0);
      when = isl_ext::insert_dims(when, Dim::Range, 0, rank);
      for (int k = 0; k < rank; ++k) {
        when = isl_ext::fix(when, Dim::Range, k, (*begin)[static_cast<std::size_t>(k)]);
      }
      out = out.unite(when.to_union_map());
    }
    return out;
  }

  /// Takes the loops of the stages that go away, and puts those of the new ones in their place.
  void exchange_loops() {
    const Program& before = *state_.program;
    auto& all = state_.order.placements;
    std::vector<std::string> removed;
    std::size_t at = all.size();
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::string& stage = before.statement(all[k].statement).stage;
      if (!is_gone(stage)) continue;
      if (stage == exchange_.stage && at == all.size()) at = k - removed.size();
      removed.push_back(all[k].statement);
    }
    for (const std::string& name : removed) {
      remove_statement(state_, name, request_.text, request_.where);
    }
    for (const std::string& stage : exchange_.gone) {
      state_.stage_loops.at(stage).clear();
      state_.axis_loops.at(stage).clear();
    }
    std::map<LoopId, LoopId> present;
    for (const auto& [id, loop] : exchange_.made.order.loops) {
      present[id] = state_.order.add(loop);
    }
    std::vector<Placement> placements = exchange_.made.order.placements;
    for (Placement& p : placements) {
      for (LoopId& id : p.path) id = present.at(id);
    }
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), placements.begin(), placements.end());
    for (const auto& [stage, loops] : exchange_.made.axis_loops) {
      for (const auto& [axis, id] : loops) {
        state_.stage_loops[stage].push_back(present.at(id));
        state_.axis_loops[stage].emplace_back(axis, present.at(id));
      }
    }
  }

  State& state_;
  Program& program_;
  const StageExchange& exchange_;
  const Program& made_;
  const Request& request_;
  Substitution moved_{Substitution::Reads::Keep};
};

}  // namespace

void exchange_stages(State& state, Program& program, const StageExchange& exchange,
                     const Request& request) {
  Exchanger(state, program, exchange, request).run();
}

}  // namespace solway::schedule
