#include "schedule/detail/moved_stage.h"

#include <algorithm>
#include <utility>

#include "schedule/loop_paths.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using isl_ext::Dim;

class StageFinder {
 public:
  StageFinder(const State& state, const std::string& stage, const std::string& consumer,
              const Request& request)
      : state_(state), stage_(stage), consumer_(consumer), request_(request) {}

  MovedStage run(LoopId axis) {
    find_outside(axis);
    find_family();
    find_readers();
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& why,
                           const std::string& fix) const {
    throw ScheduleArgumentError({request_.where, request_.text + ": " + what, why, fix});
  }

  const Statement& statement(const std::string& name) const {
    return state_.program->statement(name);
  }
  const std::vector<LoopId>& path_of(const std::string& name) const {
    return state_.order.placement_of(name).path;
  }

  /// The loops from the root down to `axis`.
  void find_outside(LoopId axis) {
    for (const std::string& name : statements_of(state_, consumer_)) {
      const std::vector<LoopId>& path = path_of(name);
      const auto at = std::find(path.begin(), path.end(), axis);
      if (at == path.end() || statement(name).serves_buffer()) continue;
      out_.outside.assign(path.begin(), at + 1);  // of the last one, which has all loops
    }
  }

  /// The stage's statements and all that stand in its loops.
  void find_family() {
    const std::vector<std::string> own = statements_of(state_, stage_);
    if (own.empty()) {
      refuse("'" + stage_ + "' is inlined", "none of its statements is left",
             "leave out its compute_inline()");
    }
    std::set<LoopId> loops;
    for (const std::string& name : own) {
      loops.insert(path_of(name).begin(), path_of(name).end());
    }
    out_.own_loops.assign(loops.begin(), loops.end());
    for (const Placement& p : state_.order.placements) {
      const bool inside = std::any_of(p.path.begin(), p.path.end(),
                                      [&](LoopId id) { return loops.count(id) != 0; });
      const std::string& stage = statement(p.statement).stage;
      if (!inside && stage != stage_) continue;
      if (stage == consumer_) {
        refuse("'" + stage_ + "' and '" + consumer_ + "' run in the same loops",
               "fuse_with joined them", "leave fuse_with out");
      }
      if (stage != stage_ && !statement(p.statement).origin) {
        refuse("'" + stage_ + "' shares its loops", "'" + stage + "' runs in them as well",
               "call compute_root() of '" + stage + "' first");
      }
      out_.family.push_back(p.statement);
    }
    for (const std::string& name : own) {
      if (statement(name).serves_buffer()) refuse_buffer(statement(name).served_buffer());
      for (const Write& write : statement(name).writes) {
        out_.homes.insert(isl_ext::tuple_name(write.relation, Dim::Range));
      }
    }
    for (const LoopId id : out_.own_loops) {
      if (state_.order.loop(id).mark != LoopMark::Parallel) continue;
      refuse("'" + loop_name(state_, id) + "' of '" + stage_ + "' is parallel",
             "a core computes its tile alone", "make a loop of '" + consumer_ + "' parallel");
    }
  }

  [[noreturn]] void refuse_buffer(const std::string& name) const {
    const Buffer& buffer = state_.program->buffers.at(name);
    refuse("a buffer depends on '" + stage_ + "'",
           buffer.primitive + " at " + buffer.where.to_string() + " made '" + buffer.name + "'",
           "place the stage first, then make its buffers");
  }

  void find_readers() {
    for (const std::string& home : out_.homes) {
      const Array& array = state_.program->array(home);
      if (array.kind != ArrayKind::Tensor) continue;
      if (state_.program->is_input(array) || state_.program->is_output(array)) {
        refuse("'" + stage_ + "' is an output", "the caller reads all of it",
               "place the stages that it reads");
      }
    }
    for (const Placement& p : state_.order.placements) {
      const Statement& s = statement(p.statement);
      if (std::count(out_.family.begin(), out_.family.end(), s.name) != 0) {
        require_no_self_read(s);
        continue;
      }
      const auto is_home = [&](const std::string& home) { return s.reads_from(home); };
      for (const std::string& home : out_.homes) {
        if (!s.writes_to(home)) continue;
        refuse("'" + home + "' is changed in place", "'" + s.stage + "' stores to it as well",
               "leave it as a stage");
      }
      if (std::none_of(out_.homes.begin(), out_.homes.end(), is_home)) continue;
      if (s.serves_buffer()) refuse_buffer(s.served_buffer());
      if (!starts_with(p.path, out_.outside)) {
        refuse("'" + s.stage + "' reads '" + stage_ + "' outside of '" +
                   loop_name(state_, out_.outside.back()) + "'",
               "a tile is there only inside the loop that computes it",
               "name a loop around all that read '" + stage_ + "'");
      }
      out_.readers.push_back(s.name);
    }
    if (out_.readers.empty()) throw InternalError({{}, "nothing reads '" + stage_ + "'", "", ""});
  }

  void require_no_self_read(const Statement& s) const {
    if (s.kind != StatementKind::Compute || s.stage != stage_) return;
    for (const Write& write : s.writes) {
      const std::string home = isl_ext::tuple_name(write.relation, Dim::Range);
      if (!s.reads_from(home)) continue;
      throw UnsupportedError({request_.where, request_.text + ": '" + stage_ + "' reads itself",
                              "a tile of it would need all elements before it",
                              "leave it as a stage, or fuse_with its reader"});
    }
  }

  const State& state_;
  const std::string& stage_;
  const std::string& consumer_;
  const Request& request_;
  MovedStage out_;
};

}  // namespace

MovedStage moved_stage(const State& state, const std::string& stage, const std::string& consumer,
                       LoopId axis, const Request& request) {
  return StageFinder(state, stage, consumer, request).run(axis);
}

}  // namespace solway::schedule
