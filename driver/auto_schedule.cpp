#include "driver/auto_schedule.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "driver/even_steps.h"
#include "driver/fast_math.h"
#include "driver/fuse_epilogue.h"
#include "driver/fuse_neighbours.h"
#include "driver/fuse_stages.h"
#include "driver/long_vectors.h"
#include "driver/refusal.h"
#include "driver/share_out.h"
#include "driver/write_vector_plan.h"
#include "driver/write_winograd.h"
#include "memory_planner/reuse.h"
#include "memory_planner/vector_decisions.h"
#include "memory_planner/vector_plan.h"
#include "memory_planner/vector_stage.h"
#include "memory_planner/vector_variants.h"
#include "schedule/compute_root.h"
#include "schedule/split.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using memory_planner::Decision;
using memory_planner::VectorPlan;
using memory_planner::VectorStage;
using schedule::State;

constexpr int kAlternatives = 6;            ///< tiles of a stage that a search may try
constexpr std::size_t kVaried = 3;          ///< ... in several ways
constexpr std::size_t kAttempts = 3;        ///< plans of a stage that are tried until one is legal
constexpr std::int64_t kParts = 64;         ///< of a long loop
constexpr std::int64_t kVectorsOfPart = 8;  ///< a part has some multiple of them
constexpr double kShortBody = 6;            ///< cycles of a vector
constexpr double kFusedShortBody = 0.9;     ///< of the time, to fuse loops around it

/// ", terms written out", or of which loop of the reduction alone.
std::string terms_written_out(const VectorStage& stage, const VectorPlan& plan) {
  std::string loops;
  bool are_all = true;
  for (std::size_t k = 0; k < stage.loops.size(); ++k) {
    const bool is_term = stage.around[k] && stage.loops[k].kind == dsl::AxisKind::Reduce;
    if (plan.written_out[k]) loops = stage.loops[k].name;
    are_all = are_all && (!is_term || plan.written_out[k]);
  }
  if (loops.empty()) return "";
  return are_all ? ", terms written out" : ", terms of " + loops + " written out";
}

std::string text_of(const VectorStage& stage, const VectorPlan& plan) {
  if (plan.vector < 0) return "as it is written";
  std::string out = memory_planner::describe_tile(stage, plan);
  out += plan.turned >= 0        ? " in squares"
         : plan.in_registers     ? " in registers"
         : plan.interleaved >= 0 ? " in vectors side by side"
                                 : " in vectors";
  if (plan.blocked >= 0) {
    out += ", blocks of " + std::to_string(plan.block) + " of " +
           stage.loops[static_cast<std::size_t>(plan.blocked)].name;
  }
  out += terms_written_out(stage, plan);
  if (plan.together.loop >= 0) {
    out += ", " + std::to_string(plan.together.size) + " terms of " +
           stage.loops[static_cast<std::size_t>(plan.together.loop)].name + " together";
  }
  if (plan.groups.loop >= 0) {
    out += ", groups of " + std::to_string(plan.groups.size) + " tiles of " +
           stage.loops[static_cast<std::size_t>(plan.groups.loop)].name;
  }
  for (const memory_planner::EarlyLines& lines : plan.early) {
    out += ", lines of " + lines.array + " early";
  }
  for (const memory_planner::Panel& panel : plan.panels) {
    out += (panel.lanes < 0   ? ", panels of "
            : panel.in_groups ? ", panels in groups of "
                              : ", turned panels of ") +
           panel.array;
  }
  return out;
}

constexpr std::string_view kRowsOf = "rows of ";  ///< what `picks` names beside stages

class AutoSchedule {
 public:
  AutoSchedule(const State& state, const Target& target, const std::map<std::string, int>& picks,
               const SourceLoc& where)
      : target_(target), picks_(picks), where_(where), out_{state, {}, {}, {}} {}

  AutoScheduleResult run() {
    remember_touched();
    if (!is_for_compiler()) write_chains();
    FusedStages fused = fuse_stages(out_.state, target_, where_, in_most_rows());
    out_.state = std::move(fused.state);
    out_.remarks.insert(out_.remarks.end(), fused.remarks.begin(), fused.remarks.end());
    std::vector<std::string> names;
    for (const dsl::Tensor& stage : out_.state.program->stages) names.push_back(stage->name);
    // Products first: they tile their readers.
    for (const std::string& name : names) {
      if (is_open(name) && memory_planner::is_product(out_.state, name)) plan(name);
    }
    for (const std::string& name : names) {
      if (is_open(name)) plan(name);
    }
    for (StageChoice& choice : out_.choices) {
      if (chains_.count(choice.stage) != 0 || is_for_compiler()) continue;
      const double cycles = cycles_within(out_.state, out_.choices, fused.hosts, choice.stage);
      const auto product = products_in_.find(choice.stage);
      const double of_product = product == products_in_.end() ? 0 : product->second;
      out_.state = share_out(out_.state, choice, cycles + of_product, where_);
    }
    for (const auto& [stage, decision] : fused.decisions) add_decision(stage, decision);
    for (const auto& [host, rows] : fused.rows) offer_rows(host, rows);
    return std::move(out_);
  }

 private:
  /// Whether a compiler makes the vectors, of C with its directives.
  bool is_for_compiler() const { return !target_.pragmas.empty(); }
  bool is_open(const std::string& name) const { return done_.count(name) == 0; }

  /// Stages for which the caller picks more rows.
  std::set<std::string> in_most_rows() const {
    std::set<std::string> out;
    for (const auto& [name, pick] : picks_) {
      if (pick > 0 && name.starts_with(kRowsOf)) out.insert(name.substr(kRowsOf.size()));
    }
    return out;
  }

  /// The model takes both numbers of rows for equal.
  void offer_rows(const std::string& host, const RowsTogether& rows) {
    if (rows.count >= rows.most) return;
    double cycles = 0;
    for (const StageChoice& choice : out_.choices) {
      if (choice.stage == host) cycles = choice.cycles;
    }
    std::vector<Alternative> offers;
    for (const std::int64_t count : {rows.count, rows.most}) {
      const std::string text = count == 1 ? "row by row" : std::to_string(count) + " rows together";
      offers.push_back({text, cycles});
    }
    out_.alternatives.emplace_back(std::string(kRowsOf) + host, std::move(offers));
  }

  void remember_touched() {
    for (const dsl::Tensor& stage : out_.state.program->stages) {
      if (!is_touched(out_.state, stage->name)) continue;
      done_.insert(stage->name);
      remark(stage->name, "left as it is", "it was scheduled already");
    }
  }

  /// Convolutions by minimal filtering have a schedule of their own, of all their stages.
  void write_chains() {
    const std::vector<dsl::Tensor> stages = out_.state.program->stages;
    for (const dsl::Tensor& stage : stages) {
      const dsl::Tensor result = open_winograd(out_.state, stage);
      if (result == nullptr) continue;
      const auto refused = [&](const Error& error) {
        remark(result->name, "stage by stage", error.report().what + ": " + error.report().why);
        return std::optional<WrittenWinograd>();
      };
      auto made = unless_refused(
          [&] { return write_winograd(out_.state, result, target_, where_); }, refused);
      if (!made) continue;
      out_.state = std::move(made->state);
      note_chain(result, *made);
    }
  }

  void note_chain(const dsl::Tensor& result, const WrittenWinograd& made) {
    const dsl::WinogradStages& chain = *result->winograd;
    for (const std::string& name : {chain.columns, chain.image, chain.products, chain.rows}) {
      done_.insert(name);
    }
    done_.insert(made.stages.begin(), made.stages.end());
    StageChoice choice;
    choice.stage = made.stages.back();
    choice.planner = "model";
    choice.cycles = winograd_cycles(chain.convolution, chain.outputs, result->type, target_);
    choice.order = order_of(choice.stage);
    choice.parallel = made.shared;
    chains_.insert(choice.stage);
    choice.decisions = {
        {"algorithm", "minimal filtering, tiles of " + std::to_string(chain.outputs), choice.cycles,
         "the sum as it is written", direct_cycles(chain.convolution, result->type, target_), ""}};
    for (std::size_t k = 0; k + 1 < made.stages.size(); ++k) {
      choice.decisions.push_back({"where " + made.stages[k] + " is computed",
                                  "in the expression of " + made.stages[k + 1], choice.cycles,
                                  "by itself, stored and loaded again",
                                  choice.cycles + made.passes[k], ""});
    }
    out_.choices.push_back(std::move(choice));
  }

  void remark(const std::string& stage, const std::string& verdict, const std::string& why) {
    out_.remarks.push_back({"auto_schedule of '" + stage + "'", verdict, why, where_});
  }

  void add_decision(const std::string& stage, const Decision& decision) {
    for (StageChoice& choice : out_.choices) {
      if (choice.stage != stage) continue;
      choice.decisions.insert(choice.decisions.begin(), decision);
      return;
    }
    StageChoice choice;
    choice.stage = stage;
    choice.planner = "inlined";
    choice.cycles = 0;
    choice.decisions = {decision};
    out_.choices.push_back(std::move(choice));
  }

  /// A stage of one long loop gets one over parts of it, which threads share out.
  void cut_in_parts(const std::string& name) {
    const std::vector<schedule::LoopId>& loops = out_.state.stage_loops.at(name);
    if (is_for_compiler() || loops.size() != 1 || schedule::is_placed(out_.state, name)) return;
    const VectorStage stage = memory_planner::describe_stage(out_.state, name, target_);
    const bool is_plain = stage.statements == 1 && !stage.is_update && !stage.has_sizes() &&
                          stage.loops[0].tiling == memory_planner::Tiling::Free;
    if (!is_plain) return;
    const VectorPlan plan = memory_planner::plan_vectors(stage, target_, 2).front();
    if (plan.vector < 0 || plan.cycles < 2 * kLeastSharedCycles) return;
    const std::int64_t unit = kVectorsOfPart * stage.lanes;
    const std::int64_t part = (stage.loops[0].extent + kParts - 1) / kParts;
    const std::int64_t whole = (part + unit - 1) / unit * unit;
    if (whole >= stage.loops[0].extent) return;
    out_.state = schedule::split(out_.state, name, loops[0], whole, where_).state;
  }

  /// Where addresses move evenly after it, and the stage takes less then.
  void cut_to_even_steps(const std::string& name) {
    if (is_for_compiler() || schedule::is_placed(out_.state, name)) return;
    std::optional<State> made = driver::cut_to_even_steps(out_.state, name, target_, where_);
    if (made && cycles_of(*made, name) < cycles_of(out_.state, name)) out_.state = std::move(*made);
  }

  /// Where the stage takes less then.
  void fuse_neighbours(const std::string& name) {
    if (is_for_compiler() || schedule::is_placed(out_.state, name)) return;
    std::optional<State> made = driver::fuse_neighbours(out_.state, name, target_, where_);
    if (!made) return;
    const VectorStage stage = memory_planner::describe_stage(*made, name, target_);
    // Of a short body, lines that more vectors lie across take what fewer vectors save.
    const bool is_short = !stage.is_update && stage.vector_cycles < kShortBody;
    const double enough = is_short ? kFusedShortBody : 1;
    if (cycles_of(stage) < enough * cycles_of(out_.state, name)) out_.state = std::move(*made);
  }

  double cycles_of(const VectorStage& stage) const {
    return memory_planner::plan_vectors(stage, target_, 2).front().cycles;
  }

  double cycles_of(const State& state, const std::string& name) const {
    return cycles_of(memory_planner::describe_stage(state, name, target_));
  }

  void plan(const std::string& name) {
    done_.insert(name);
    cut_to_even_steps(name);
    fuse_neighbours(name);
    cut_in_parts(name);
    const VectorStage stage = memory_planner::describe_stage(out_.state, name, target_);
    if (stage.statement.empty()) return;
    if (is_for_compiler()) return plan_long_vectors(stage);
    std::vector<VectorPlan> plans = memory_planner::plan_vectors(stage, target_, kAlternatives);
    if (plans.size() > 1) {
      out_.alternatives.emplace_back(name, with_variants(stage, plans));
    }
    pick(name, plans);
    const auto as_written = std::find_if(plans.begin(), plans.end(),
                                         [](const VectorPlan& plan) { return plan.vector < 0; });
    for (std::size_t k = 0; k < std::min(plans.size(), kAttempts); ++k) {
      if (k > 0 && as_written != plans.end() && as_written->cycles < plans[k].cycles) {
        return note(stage, *as_written);
      }
      if (plans[k].vector < 0 || apply(stage, plans[k])) {
        note(stage, plans[k]);
        return;
      }
    }
    VectorPlan none;
    none.held.assign(stage.loops.size(), 1);
    none.written_out.assign(stage.loops.size(), false);
    note(stage, none);
  }

  /// What may be picked; variants of the first tiles are added to the plans.
  std::vector<Alternative> with_variants(const VectorStage& stage,
                                         std::vector<VectorPlan>& plans) const {
    std::vector<Alternative> out;
    for (const VectorPlan& plan : plans) out.push_back({text_of(stage, plan), plan.cycles});
    for (std::size_t k = 0, end = std::min(plans.size(), kVaried); k < end; ++k) {
      for (const VectorPlan& variant : memory_planner::variants_of(stage, target_, plans[k])) {
        out.push_back({text_of(stage, variant), variant.cycles, static_cast<int>(k)});
        plans.push_back(variant);
      }
    }
    return out;
  }

  void plan_long_vectors(const VectorStage& stage) {
    StageChoice choice;
    choice.stage = stage.name;
    choice.planner = "long vectors";
    if (stage.lanes < 2) {
      remark(stage.name, "left as it is", stage.no_vector);
    } else if (!attempt(stage, [&] { return lengthen(stage); })) {
      remark(stage.name, "left as it is", "no loop runs along neighbours");
    }
    choice.order = order_of(stage.name);
    out_.choices.push_back(std::move(choice));
  }

  bool lengthen(const VectorStage& stage) {
    auto made = write_long_vectors(out_.state, stage, target_.lanes(DType::Float64), where_);
    if (made) out_.state = std::move(made->state);
    return made.has_value();
  }

  /// The plan that the caller asks for comes first.
  void pick(const std::string& name, std::vector<VectorPlan>& plans) const {
    const auto at = picks_.find(name);
    if (at == picks_.end() || at->second <= 0) return;
    const auto chosen = static_cast<std::size_t>(at->second);
    if (chosen >= plans.size()) {
      throw InternalError(
          {where_, "auto_schedule was asked for a plan that '" + name + "' lacks",
           "it is number " + std::to_string(chosen) + " of " + std::to_string(plans.size()),
           "report this"});
    }
    std::rotate(plans.begin(), plans.begin() + at->second, plans.begin() + at->second + 1);
  }

  bool apply(const VectorStage& stage, const VectorPlan& plan) {
    if (attempt(stage, [&] { return fuse(stage, plan); })) return true;
    return attempt(stage, [&] {
      keep(write_vector_plan(out_.state, stage, plan, where_));
      return true;
    });
  }

  bool fuse(const VectorStage& stage, const VectorPlan& plan) {
    std::optional<FusedEpilogue> made = fuse_epilogue(out_.state, stage, plan, target_, where_);
    if (!made || !is_open(made->reader)) return false;
    done_.insert(made->reader);
    products_in_[made->reader] = plan.cycles;
    const double pass = memory_planner::cycles_of_pass(out_.state, stage.name, target_);
    keep(std::move(made->written));
    StageChoice choice;
    choice.stage = made->reader;
    choice.planner = "model";
    choice.cycles = pass / 2;
    choice.order = order_of(made->reader);
    choice.decisions = {{"where " + stage.name + " is computed", "tile by tile in " + made->reader,
                         plan.cycles, "by itself, stored and loaded again", plan.cycles + pass,
                         ""}};
    out_.choices.push_back(std::move(choice));
    return true;
  }

  /// What `make` says; a refused primitive is a remark.
  template <typename Make>
  bool attempt(const VectorStage& stage, const Make& make) {
    return unless_refused(make, [&](const Error& error) {
      remark(stage.name, "another plan", error.report().what + ": " + error.report().why);
      return false;
    });
  }

  void keep(WrittenVectors made) {
    out_.state = std::move(made.state);
    buffers_ = std::move(made.buffers);
    out_.remarks.insert(out_.remarks.end(), made.remarks.begin(), made.remarks.end());
  }

  std::vector<std::string> order_of(const std::string& stage) const {
    std::vector<std::string> out;
    for (const schedule::LoopId id : out_.state.stage_loops.at(stage)) {
      out.push_back(schedule::loop_name(out_.state, id));
    }
    return out;
  }

  void note(const VectorStage& stage, const VectorPlan& plan) {
    StageChoice choice;
    choice.stage = stage.name;
    choice.planner = "model";
    choice.cycles = plan.vector < 0 && plan.cycles == 0 ? -1 : plan.cycles;
    for (std::size_t k = 0; k < stage.loops.size(); ++k) {
      const std::int64_t lanes = static_cast<int>(k) == plan.vector ? stage.lanes : 1;
      choice.tiles.push_back({stage.loops[k].name, stage.loops[k].extent,
                              std::min(plan.held[k] * lanes, stage.loops[k].extent)});
    }
    choice.order = order_of(stage.name);
    choice.buffers = std::move(buffers_);
    buffers_.clear();
    choice.decisions = memory_planner::vector_decisions(stage, target_, plan);
    out_.choices.push_back(std::move(choice));
  }

  const Target& target_;
  const std::map<std::string, int>& picks_;
  SourceLoc where_;
  AutoScheduleResult out_;
  std::set<std::string> chains_;               ///< results of chains, which have all of their loops
  std::set<std::string> done_;                 ///< stages that need no plan any more
  std::map<std::string, double> products_in_;  ///< cycles of the product that runs in a reader
  std::vector<std::string> buffers_;           ///< of the plan that was applied last
};

}  // namespace

AutoScheduleResult auto_schedule(const State& state, const Target& target,
                                 const std::map<std::string, int>& picks, const SourceLoc& where) {
  if (target.scratchpad_or_null() != nullptr) {
    AutoBufferResult made = auto_buffer(state, target, "optimal", where);
    return {std::move(made.state), std::move(made.choices), std::move(made.remarks), {}};
  }
  if (!target.vector) {
    throw UnsupportedError({where, "auto_schedule has no model for '" + target.name + "'",
                            "the target has neither vectors nor a scratchpad",
                            "name a target that has, or schedule by primitives"});
  }
  return AutoSchedule(state, target, picks, where).run();
}

}  // namespace solway::driver
