#include "driver/auto_buffer.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "driver/divided_stage.h"
#include "driver/divided_sum.h"
#include "driver/filled_border.h"
#include "driver/fixed_choices.h"
#include "driver/fuse_stages.h"
#include "driver/inner_product.h"
#include "driver/kept_stages.h"
#include "driver/layout_choice.h"
#include "driver/padded_product.h"
#include "driver/plan_references.h"
#include "driver/product_epilogue.h"
#include "driver/program_memory.h"
#include "driver/refusal.h"
#include "driver/row_chains.h"
#include "driver/turned_layout.h"
#include "driver/write_nest.h"
#include "memory_planner/extract_stage.h"
#include "memory_planner/plan_memo.h"
#include "memory_planner/scratchpad.h"
#include "schedule/compute_root.h"
#include "schedule/padded_copy.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using memory_planner::PlannedStage;
using memory_planner::Room;
using schedule::State;

/// Throws UnsupportedError when a target says too little for the cost model.
void require_figures(const Target& target, const SourceLoc& where) {
  const TransferEngine* engine = target.engine_or_null(target.default_scope);
  const std::string lacks = engine == nullptr             ? "no transfer engine"
                            : engine->bandwidth.empty()   ? "no bandwidth of its transfers"
                            : !target.timing              ? "no [timing]"
                            : target.cores.clock_mhz == 0 ? "no clock"
                                                          : "";
  if (lacks.empty()) return;
  throw UnsupportedError({where, "auto_buffer has no cost model for '" + target.name + "'",
                          "planner=\"optimal\" counts cycles, and the target gives " + lacks,
                          "call s.auto_schedule(target), or s.auto_buffer(target, "
                          "planner=\"greedy\"), which counts transfers, and build s"});
}

class AutoBuffer {
 public:
  AutoBuffer(const State& state, const Target& target, bool is_optimal,
             memory_planner::InnerProduct inner, const SourceLoc& where)
      : target_(target),
        is_optimal_(is_optimal),
        where_(where),
        out_{state, {}, {}},
        plans_(inner) {}

  AutoBufferResult run() {
    KeptStages kept = kept_stages(out_.state, where_);
    fused_ = std::move(kept.names);
    out_.remarks = std::move(kept.remarks);
    if (is_optimal_ && out_.state.original->sizes.empty()) {
      place_rows();
      const std::vector<dsl::Tensor> written = out_.state.program->stages;
      choose_forms(written, choose_layouts, layouts_);
      const std::vector<dsl::Tensor> laid_out = out_.state.program->stages;
      choose_forms(laid_out, divide_sum, sums_);
      std::vector<dsl::Tensor> from_the_end = out_.state.program->stages;
      std::reverse(from_the_end.begin(), from_the_end.end());
      choose_forms(from_the_end, pad_product, shapes_);
    }
    const std::vector<dsl::Tensor> stages = out_.state.program->stages;
    for (std::size_t k = 0; k < stages.size(); ++k) {
      if (fused_.count(stages[k]->name) != 0) continue;
      const auto layouts = memory_planner::lay_out(out_.state, target_, where_);
      const memory_planner::ScratchpadLayout& layout = layouts.front();
      const Room room{std::max<std::int64_t>(0, room_of(k, layout)), layout.alignment_bytes};
      if (!leave_to_reader(stages[k], room)) place_with_copies(stages[k], room);
    }
    require_memory(out_.state, target_, where_);
    for (StageChoice& choice : out_.choices) {
      for (const auto* of_stages : {&shapes_, &sums_, &layouts_}) {
        const auto decision = of_stages->find(choice.stage);
        if (decision == of_stages->end()) continue;
        choice.decisions.insert(choice.decisions.begin(), decision->second);
      }
    }
    return std::move(out_);
  }

 private:
  using Copy = std::pair<dsl::Tensor, memory_planner::Decision>;

  /// Whether a stage needs no plan: its reader is to move what it copies, and to fill the border or
  /// to turn what has landed.
  bool leave_to_reader(const dsl::Tensor& stage, const Room& room) {
    if (!is_optimal_) return false;
    const auto leave = [&](const auto& choose, std::set<std::string>& left) {
      const auto choice = choose(out_.state, stage->name, target_, room, plans_, decided_, where_);
      if (!choice) return false;
      copies_[choice->reader].push_back({stage, choice->decision});
      if (choice->is_near) left.insert(stage->name);
      return choice->is_near;
    };
    return leave(choose_turning, decided_.turned) || leave(choose_border, decided_.filled);
  }

  /// Whether the reader of a copy that was left to it has it in its buffers.
  bool is_made(const std::string& copy) const {
    if (decided_.turned.count(copy) != 0) return schedule::is_placed(out_.state, copy);
    return decided_.filled.count(copy) == 0 ||
           schedule::filled_buffer(out_.state, copy).has_value();
  }

  void place(const dsl::Tensor& stage, const Room& room) {
    divide(stage->name, room);
    separate(stage->name, room);
    if (!is_optimal_ || !fuse(stage->name, room)) plan(stage, room);
  }

  /// Divides loops of a stage where an index has a quotient or a remainder, if that pays.
  void divide(const std::string& stage, const Room& room) {
    undivided_.reset();
    divisions_.erase(stage);
    if (!is_optimal_) return;
    auto choice = divide_stage(out_.state, stage, target_, room, plans_, decided_, where_);
    if (!choice) return;
    undivided_ = std::move(out_.state);
    out_.state = std::move(choice->divided.state);
    decided_.divided.insert(choice->divided.loops.begin(), choice->divided.loops.end());
    divisions_.insert_or_assign(stage, std::move(choice->decision));
  }

  /// Decides whether references that lie apart have buffers of their own.
  void separate(const std::string& stage, const Room& room) {
    decided_.apart.erase(stage);
    references_.erase(stage);
    if (!is_optimal_) return;
    const PlannedStage planned = plans_.stages().extract(out_.state, stage, {}, decided_);
    if (!may_search(out_.state, planned, target_)) return;
    ReferenceChoice choice = choose_references(out_.state, stage, target_, room, plans_, decided_);
    if (!choice.apart.empty()) decided_.apart[stage] = std::move(choice.apart);
    references_[stage] = std::move(choice);
  }

  /// Plans a stage. Where its buffers cannot be filled as the model wants, the stages that were
  /// left to it are planned by themselves, and it is planned again.
  void place_with_copies(const dsl::Tensor& stage, const Room& room) {
    const AutoBufferResult before = out_;
    const std::set<std::string> fused = fused_;
    const std::set<schedule::LoopId> divided = decided_.divided;
    const auto apart = decided_.apart;
    place(stage, room);
    auto& own = copies_[stage->name];
    const auto made = std::stable_partition(
        own.begin(), own.end(), [&](const auto& copy) { return is_made(copy.first->name); });
    if (made == own.end()) {
      decide_copies(stage->name);
      return;
    }
    const Remarks remarks(out_.remarks.begin() + std::ssize(before.remarks), out_.remarks.end());
    out_ = before;
    fused_ = fused;
    decided_.divided = divided;
    decided_.apart = apart;
    undivided_.reset();
    const std::vector<Copy> missing(made, own.end());
    own.erase(made, own.end());
    for (const Copy& copy : missing) {
      decided_.filled.erase(copy.first->name);
      decided_.turned.erase(copy.first->name);
      out_.remarks.push_back({"auto_buffer on '" + copy.first->name + "'", "stored in main memory",
                              why_missing(copy.first->name, stage->name, remarks), where_});
      plan(copy.first, room);
    }
    place_with_copies(stage, room);
  }

  /// Why a stage has no buffer of its own for what it copies, by what was remarked of that.
  static std::string why_missing(const std::string& copy, const std::string& stage,
                                 const Remarks& remarks) {
    const auto of_copy = std::find_if(remarks.begin(), remarks.end(), [&](const Remark& remark) {
      return remark.step.find("'" + copy + "'") != std::string::npos;
    });
    return "no buffer of '" + stage + "' could hold it without that" +
           (of_copy == remarks.end() ? "" : ": " + of_copy->why);
  }

  /// Says what was decided of the copies that a stage reads, and of its loops.
  void decide_copies(const std::string& stage) {
    for (StageChoice& choice : out_.choices) {
      if (choice.stage != stage) continue;
      for (const Copy& copy : copies_[stage]) {
        choice.decisions.insert(choice.decisions.begin(), copy.second);
      }
      const auto of_references = references_.find(stage);
      if (of_references != references_.end() && choice.planner == "optimal") {
        const auto& made = of_references->second.decisions;
        choice.decisions.insert(choice.decisions.begin(), made.begin(), made.end());
      }
      const auto division = divisions_.find(stage);
      if (division != divisions_.end() && choice.planner == "optimal") {
        choice.decisions.insert(choice.decisions.begin(), division->second);
      }
    }
  }

  /// Plans stages together that pass on rows, where the model says that this pays.
  void place_rows() {
    for (const RowChain& chain : find_row_chains(out_.state, target_, where_)) {
      const Room room = whole_room();
      const auto plan = plan_rows(out_.state, chain, target_, room);
      if (!plan) continue;
      std::string members;
      double apart = best_cycles(out_.state, chain.host, target_, room, plans_);
      for (const std::string& name : chain.members) {
        apart += best_cycles(out_.state, name, target_, room, plans_);
        members += (members.empty() ? "" : ", ") + name;
      }
      if (plan->cycles >= apart) continue;
      const auto refused = [&](const std::string& why) {
        out_.remarks.push_back({"auto_buffer on '" + members + "' in '" + chain.host + "'",
                                "computed by themselves", why, where_});
      };
      auto made = unless_refused(
          [&]() -> std::optional<WrittenNest> {
            return write_rows(out_.state, chain, *plan, where_);
          },
          [&](const Error& error) -> std::optional<WrittenNest> {
            refused(error.report().what + ": " + error.report().why);
            return std::nullopt;
          });
      if (!made) continue;
      if (!made->remarks.empty()) {
        refused(made->remarks.front().why);
        continue;
      }
      const RowPlan::Stage& host = plan->stages.back();
      StageChoice choice =
          choice_of(*made, host.stage, memory_planner::tiles_of(host.plan), room, target_, where_)
              .choice;
      choice.buffer_bytes = plan->bytes;
      choice.planner = "optimal";
      choice.cycles = plan->cycles;
      choice.decisions.push_back({"where " + members + " are computed",
                                  "row by row with " + chain.host, plan->cycles,
                                  "by themselves, stored and loaded again", apart, ""});
      fused_.insert(chain.host);
      fused_.insert(chain.members.begin(), chain.members.end());
      keep(out_, *std::move(made), std::move(choice));
    }
  }

  /// What the scratchpad has beside the buffers that are there.
  Room whole_room() const {
    const auto layouts = memory_planner::lay_out(out_.state, target_, where_);
    return {layouts.front().available_bytes(), layouts.front().alignment_bytes};
  }

  /// Gives stages another form where the model says that this pays: choose_layouts stores tensors
  /// in other layouts, divide_sum lets cores add up parts of the same sums, pad_product computes
  /// more elements. `decisions` gets what was decided, by the stage that is planned then.
  template <typename Choose>
  void choose_forms(const std::vector<dsl::Tensor>& stages, const Choose& choose,
                    std::map<std::string, memory_planner::Decision>& decisions) {
    for (const dsl::Tensor& stage : stages) {
      if (fused_.count(stage->name) != 0 || !out_.state.program->has_stage(stage)) continue;
      const Room room = whole_room();
      auto choice = choose(out_.state, stage->name, target_, room, plans_, where_);
      if (!choice) continue;
      decisions.insert_or_assign(choice->stage, std::move(choice->decision));
      if (choice->state) out_.state = *std::move(choice->state);
    }
  }

  /// What stage k may use: all that its nests leave, shared out among those stages that are still
  /// to be planned and run in one of them.
  std::int64_t room_of(std::size_t k, const memory_planner::ScratchpadLayout& layout) const {
    const std::vector<dsl::Tensor>& stages = out_.state.program->stages;
    const std::string& stage = stages[k]->name;
    const auto waiting = std::count_if(
        stages.begin() + static_cast<std::ptrdiff_t>(k), stages.end(), [&](const dsl::Tensor& s) {
          return s->name == stage || memory_planner::share_a_nest(out_.state, stage, s->name);
        });
    const std::int64_t taken = memory_planner::bytes_beside(out_.state, layout, stage);
    return (layout.available_bytes() - taken) / waiting;
  }

  /// Plans a product together with the stage that reads it, where the model says that this pays.
  bool fuse(const std::string& product, Room room) {
    const auto fused = product_epilogue(out_.state, product, target_, plans_, decided_);
    if (!fused) return false;
    const std::string& reader = fused->nest.reader;
    const double apart = cycles_apart(out_.state, *fused, target_, room, plans_, decided_);
    const Room whole = room;
    const PlannedStage& stage = fused->nest.stage;
    memory_planner::Means means;
    const std::string what = "auto_buffer on '" + product + "' in '" + reader + "'";
    while (true) {
      const auto together = plan_together(*fused, target_, room, plans_, means);
      if (!together || together->drained_cycles >= apart) return false;
      const memory_planner::OptimalPlan& found = *together;
      const auto refused = [&](const Error& error) -> std::optional<WrittenNest> {
        out_.remarks.push_back(
            {what, "computed by itself", error.report().what + ": " + error.report().why, where_});
        return std::nullopt;
      };
      auto made = unless_refused(
          [&]() -> std::optional<WrittenNest> {
            return write_fused_nest(out_.state, fused->nest, found.plan, where_);
          },
          refused);
      if (!made) return false;
      if (made->refused) {
        out_.remarks.push_back({what, made->refused->what, made->refused->why, where_});
        if (made->refused->alone < 0) return false;
        means.alone.push_back(made->refused->alone);
        continue;
      }
      const memory_planner::Tiles tiles = memory_planner::tiles_of(found.plan);
      StageChoice choice = choice_of(*made, stage, tiles, whole, target_, where_).choice;
      for (const memory_planner::TensorModel& tensor : stage.model.tensors) {
        if (!tensor.is_local) continue;  // the tile of the product has no buffer: it is one
        choice.buffer_bytes += memory_planner::buffer_bytes(tensor, tiles, room.alignment_bytes);
      }
      if (choice.buffer_bytes > whole.capacity_bytes) {
        room.capacity_bytes = found.plan.bytes * whole.capacity_bytes / choice.buffer_bytes;
        continue;
      }
      choice.planner = "optimal";
      choice.cycles = found.cost.total();
      choice.decisions = found.decisions;
      choice.decisions.insert(choice.decisions.begin(),
                              {"where " + product + " is computed", "in the tiles of " + reader,
                               choice.cycles, "by itself, stored and loaded again", apart, ""});
      fused_.insert(reader);
      keep(out_, *std::move(made), std::move(choice));
      return true;
    }
  }

  /// Plans a stage by itself.
  void plan(const dsl::Tensor& stage, const Room& room) {
    const State* undivided = undivided_ ? &*undivided_ : nullptr;
    plan_references(out_, stage, room, {target_, is_optimal_, plans_, decided_, undivided, where_},
                    references_[stage->name]);
  }

  const Target& target_;
  bool is_optimal_;
  SourceLoc where_;
  AutoBufferResult out_;
  memory_planner::PlanMemo plans_;
  std::set<std::string> fused_;  ///< stages that are planned with others, or not at all
  memory_planner::Decided decided_;
  /// By reader: padded copies and other layouts that it reads, and what was decided of them.
  std::map<std::string, std::vector<Copy>> copies_;
  std::optional<State> undivided_;  ///< before loops of the present stage were divided
  std::map<std::string, memory_planner::Decision> divisions_;  ///< of stages whose loops were
  /// What was decided of references that lie apart, by stage.
  std::map<std::string, ReferenceChoice> references_;
  std::map<std::string, memory_planner::Decision> layouts_;  ///< that stages use
  std::map<std::string, memory_planner::Decision> shapes_;   ///< whether products are padded
  std::map<std::string, memory_planner::Decision> sums_;     ///< whether they are divided
};

}  // namespace

AutoBufferResult auto_buffer(const State& state, const Target& target, const std::string& planner,
                             const SourceLoc& where, const std::string& inner) {
  if (planner != "optimal" && planner != "greedy") {
    throw ScheduleArgumentError({where, "auto_buffer has no planner '" + planner + "'",
                                 "the planners are 'optimal' and 'greedy'",
                                 "pass planner=\"optimal\" or planner=\"greedy\""});
  }
  const memory_planner::InnerProduct product = inner_product_of(inner, where);
  const bool is_assembly = product == memory_planner::InnerProduct::Assembly;
  if (planner == "optimal") require_figures(target, where);
  if (is_assembly) require_assembly(state, target, planner, where);
  AutoBufferResult out = AutoBuffer(state, target, planner == "optimal", product, where).run();
  if (is_assembly) require_micro_kernels(out, target, where);
  return out;
}

}  // namespace solway::driver
