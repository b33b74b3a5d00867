#include "schedule/compute_root.h"

#include <algorithm>
#include <set>

#include "schedule/padded_copy.h"
#include "schedule/proof.h"
#include "schedule/specialize.h"
#include "schedule/violation.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using isl_ext::Dim;

class Uprooter {
 public:
  Uprooter(const State& state, const std::string& stage, const Request& request)
      : out_(state),
        stage_(stage),
        request_(request),
        program_(std::make_shared<Program>(*state.program)) {}

  State run() {
    find_statements();
    try {
      const IslBudget budget(program_->ctx(), kProgramBudget);
      for (auto& [name, s] : program_->statements) redirect(s);
    } catch (const isl::exception_quota&) {
      throw undecided(request_, kProgramBudget);
    }
    restore_tensors();
    restore_statements();
    adopt_program(out_, program_, request_);
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& why,
                           const std::string& fix) const {
    throw ScheduleArgumentError({request_.where, request_.text + ": " + what, why, fix});
  }

  void find_statements() {
    if (const Step* step = division_of(out_, stage_)) {
      refuse("'" + step->buffer + "' is a part of '" + step->stage + "'",
             "specialize at " + step->where.to_string() + " divided it",
             "place the stage before specialize");
    }
    names_ = statements_of(out_, stage_);
    std::set<LoopId> loops(out_.stage_loops.at(stage_).begin(), out_.stage_loops.at(stage_).end());
    for (const Placement& p : out_.order.placements) {
      const Statement& s = program_->statement(p.statement);
      if (s.stage == stage_) {
        require_as_written(s);
        continue;
      }
      for (const LoopId id : p.path) {
        if (loops.count(id) == 0) continue;
        refuse("'" + s.stage + "' was placed in the loops of '" + stage_ + "'",
               "they go when '" + stage_ + "' moves",
               "call compute_root() of '" + s.stage + "' first");
      }
    }
  }

  void require_as_written(const Statement& s) const {
    if (s.serves_buffer()) {
      const Buffer& buffer = program_->buffers.at(s.served_buffer());
      refuse("a buffer depends on '" + stage_ + "'",
             buffer.primitive + " at " + buffer.where.to_string() + " made '" + buffer.name + "'",
             "leave the buffer out");
    }
    const auto was = out_.original->statements.find(s.name);
    if (was != out_.original->statements.end() && s.inlined.empty()) return;
    refuse("'" + stage_ + "' is not as it was written",
           s.inlined.empty() ? "rfactor made it" : "other stages are inlined in it",
           "place it last, where it is to stay");
  }

  bool is_home(const std::string& array) const {
    return std::any_of(names_.begin(), names_.end(), [&](const std::string& name) {
      return program_->statement(name).writes_to(array);
    });
  }

  /// Lets the readers of a tile read the tensor.
  void redirect(Statement& s) const {
    if (s.serves_buffer() || s.stage == stage_) return;
    for (std::size_t k = 0; k < s.reads.size(); ++k) {
      Operand& operand = s.reads[k];
      if (!is_home(isl_ext::tuple_name(operand.relation, Dim::Range))) continue;
      const isl::map origin = operand.owner != 0 ? s.inlined[operand.owner - 1].origin
                              : s.origin         ? *s.origin
                                                 : s.domain.identity();
      const Statement& was = out_.original->statement(isl_ext::tuple_name(origin, Dim::Range));
      const Operand& written = was.reads.at(operand.place.value_or(k));
      const isl::map simple = isl_ext::simple_hull(origin);
      const isl::multi_pw_aff instance =
          (simple.is_single_valued() ? simple : origin).as_pw_multi_aff().to_multi_pw_aff();
      operand.relation = origin.apply_range(written.relation);
      operand.index = written.index.pullback(instance);
    }
  }

  void restore_tensors() {
    for (const std::string& name : names_) {
      for (const Write& write : program_->statement(name).writes) {
        const std::string home = isl_ext::tuple_name(write.relation, Dim::Range);
        program_->buffers.erase(home);
        homes_.insert(home);
      }
    }
    for (const std::string& home : homes_) {
      program_->arrays.insert_or_assign(home, out_.original->array(home));
    }
  }

  /// The statements as they were written, in new loops before the nest of the first reader.
  void restore_statements() {
    const LoopId nest = out_.order.placement_of(names_.front()).path.front();
    std::vector<Placement> restored;
    for (const std::string& name : names_) {
      remove_statement(out_, name, request_.text, request_.where);
    }
    out_.stage_loops.at(stage_).clear();
    for (auto& [axis, id] : out_.axis_loops.at(stage_)) {
      id = out_.order.add(loop_over(axis, axis->where));
      out_.stage_loops.at(stage_).push_back(id);
    }
    for (const std::string& name : names_) {
      const Statement& was = out_.original->statement(name);
      Placement placement{name, {}};
      for (std::size_t k = 0; k < was.axes.size(); ++k) {
        const LoopId id = loop_of(was.axes[k]);
        placement.path.push_back(id);
        const isl::pw_aff value(isl_ext::dim_on_domain(was.domain.space(), static_cast<int>(k)));
        out_.order.loops.at(id).value.insert_or_assign(name, value);
      }
      restored.push_back(std::move(placement));
      program_->statements.insert_or_assign(name, was);
    }
    auto& all = out_.order.placements;
    const auto at = std::find_if(all.begin(), all.end(), [&](const Placement& p) {
      return !p.path.empty() && p.path.front() == nest;
    });
    all.insert(at, restored.begin(), restored.end());
  }

  LoopId loop_of(const dsl::Axis& axis) const {
    for (const auto& [own, id] : out_.axis_loops.at(stage_)) {
      if (own == axis) return id;
    }
    throw InternalError({{}, "axis '" + axis->name + "' has no loop", "", ""});
  }

  State out_;
  const std::string& stage_;
  const Request& request_;
  std::shared_ptr<Program> program_;
  std::vector<std::string> names_;
  std::set<std::string> homes_;
};

}  // namespace

bool is_placed(const State& state, const std::string& stage) {
  for (const std::string& name : statements_of(state, stage)) {
    for (const Write& write : state.program->statement(name).writes) {
      const std::string array = isl_ext::tuple_name(write.relation, Dim::Range);
      const auto buffer = state.program->buffers.find(array);
      if (buffer != state.program->buffers.end() && buffer->second.tensor == array) return true;
    }
  }
  return false;
}

State moved_to_root(const State& state, const std::string& stage, const Request& request) {
  return Uprooter(state, stage, request).run();
}

State compute_root(const State& state, const std::string& stage, const SourceLoc& where) {
  const Request request{"compute_root() of '" + stage + "'", where};
  if (statements_of(state, stage).empty()) {
    throw ScheduleArgumentError({where, request.text + ": it is inlined",
                                 "its value is part of the expressions of its readers",
                                 "leave out its compute_inline()"});
  }
  require_not_filled(state, stage, request);
  State out = is_placed(state, stage) ? moved_to_root(state, stage, request) : state;
  out.log.push_back({"compute_root", stage, {}, {}, where});
  return out;
}

}  // namespace solway::schedule
