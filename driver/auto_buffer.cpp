#include "driver/auto_buffer.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "driver/divided_stage.h"
#include "driver/divided_sum.h"
#include "driver/filled_border.h"
#include "driver/fuse_stages.h"
#include "driver/layout_choice.h"
#include "driver/left_out.h"
#include "driver/no_room.h"
#include "driver/plans_in_order.h"
#include "driver/product_epilogue.h"
#include "driver/refusal.h"
#include "driver/row_chains.h"
#include "driver/turned_layout.h"
#include "driver/write_nest.h"
#include "driver/write_stage_plan.h"
#include "memory_planner/body_model.h"
#include "memory_planner/extract_stage.h"
#include "memory_planner/greedy_planner.h"
#include "memory_planner/plan_memo.h"
#include "memory_planner/scratchpad.h"
#include "schedule/compute_root.h"
#include "schedule/padded_copy.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using memory_planner::PlannedStage;
using memory_planner::Room;
using memory_planner::StagePlan;
using memory_planner::Tiling;
using schedule::LoopId;
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
                          "pass planner=\"greedy\", which counts transfers"});
}

class AutoBuffer {
 public:
  AutoBuffer(const State& state, const Target& target, bool is_optimal, const SourceLoc& where)
      : target_(target), is_optimal_(is_optimal), where_(where), out_{state, {}, {}} {}

  AutoBufferResult run() {
    const std::vector<dsl::Tensor> written = out_.state.program->stages;
    for (const dsl::Tensor& stage : written) keep_fused(stage->name);
    for (const dsl::Tensor& stage : written) {
      if (fused_.count(stage->name) == 0) require_at_root(stage->name);
    }
    if (is_optimal_ && out_.state.original->sizes.empty()) {
      place_rows();
      lay_out(written);
      divide_sums(written);
    }
    const std::vector<dsl::Tensor> stages = out_.state.program->stages;
    for (std::size_t k = 0; k < stages.size(); ++k) {
      if (fused_.count(stages[k]->name) != 0) continue;
      const auto layouts = memory_planner::lay_out(out_.state, target_, where_);
      const memory_planner::ScratchpadLayout& layout = layouts.front();
      const Room room{std::max<std::int64_t>(0, room_of(k, layout)), layout.alignment_bytes};
      if (!leave_to_reader(stages[k], room)) place_with_copies(stages[k], room);
    }
    memory_planner::require_fits(memory_planner::lay_out(out_.state, target_, where_), where_);
    for (StageChoice& choice : out_.choices) {
      for (const auto* of_stages : {&sums_, &layouts_}) {
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
    const auto turning =
        choose_turning(out_.state, stage->name, target_, room, plans_, decided_, where_);
    if (turning) {
      copies_[turning->reader].push_back({stage, turning->decision});
      if (turning->is_turned) decided_.turned.insert(stage->name);
      return turning->is_turned;
    }
    const auto border =
        choose_border(out_.state, stage->name, target_, room, plans_, decided_, where_);
    if (!border) return false;
    copies_[border->reader].push_back({stage, border->decision});
    if (border->is_filled) decided_.filled.insert(stage->name);
    return border->is_filled;
  }

  /// Whether the reader of a copy that was left to it has it in its buffers.
  bool is_made(const std::string& copy) const {
    if (decided_.turned.count(copy) != 0) return schedule::is_placed(out_.state, copy);
    return decided_.filled.count(copy) == 0 ||
           schedule::filled_buffer(out_.state, copy).has_value();
  }

  void place(const dsl::Tensor& stage, const Room& room) {
    divide(stage->name, room);
    if (!is_optimal_ || !fuse(stage->name, room)) plan(stage, room);
  }

  /// Divides loops of a stage where an index has a quotient or a remainder, if that pays.
  void divide(const std::string& stage, const Room& room) {
    undivided_.reset();
    if (!is_optimal_) return;
    auto choice = divide_stage(out_.state, stage, target_, room, plans_, decided_, where_);
    if (!choice) return;
    undivided_ = std::move(out_.state);
    out_.state = std::move(choice->divided.state);
    decided_.divided.insert(choice->divided.loops.begin(), choice->divided.loops.end());
    divisions_.insert_or_assign(stage, std::move(choice->decision));
  }

  /// Plans a stage. Where its buffers cannot be filled as the model wants, the stages that were
  /// left to it are planned by themselves, and it is planned again.
  void place_with_copies(const dsl::Tensor& stage, const Room& room) {
    const AutoBufferResult before = out_;
    const std::set<std::string> fused = fused_;
    place(stage, room);
    auto& own = copies_[stage->name];
    const auto made = std::stable_partition(
        own.begin(), own.end(), [&](const auto& copy) { return is_made(copy.first->name); });
    if (made == own.end()) {
      decide_copies(stage->name);
      return;
    }
    std::string why = "'" + stage->name + "' could not have it in its buffers alone";
    if (out_.remarks.size() > before.remarks.size()) why += ": " + out_.remarks.back().why;
    out_ = before;
    fused_ = fused;
    const std::vector<Copy> missing(made, own.end());
    own.erase(made, own.end());
    for (const Copy& copy : missing) {
      decided_.filled.erase(copy.first->name);
      decided_.turned.erase(copy.first->name);
      out_.remarks.push_back(
          {"auto_buffer on '" + copy.first->name + "'", "stored in main memory", why, where_});
      plan(copy.first, room);
    }
    place_with_copies(stage, room);
  }

  /// Says what was decided of the copies that a stage reads, and of its loops.
  void decide_copies(const std::string& stage) {
    for (StageChoice& choice : out_.choices) {
      if (choice.stage != stage) continue;
      for (const Copy& copy : copies_[stage]) {
        choice.decisions.insert(choice.decisions.begin(), copy.second);
      }
      const auto division = divisions_.find(stage);
      if (division != divisions_.end() && choice.planner == "optimal") {
        choice.decisions.insert(choice.decisions.begin(), division->second);
      }
    }
  }

  /// A stage that stands with buffers in the loops of its reader was planned there before: both
  /// stay.
  void keep_fused(const std::string& stage) {
    if (!schedule::is_placed(out_.state, stage) || !loops_inside_buffers(out_.state, stage)) return;
    const std::vector<std::string> readers = readers_of(out_.state, stage);
    if (readers.size() != 1) return;
    fused_.insert(stage);
    fused_.insert(readers.front());
    out_.remarks.push_back({"auto_buffer on '" + stage + "' in '" + readers.front() + "'",
                            "left as it is", "it has buffers there", where_});
  }

  void require_at_root(const std::string& stage) const {
    if (!schedule::is_placed(out_.state, stage)) return;
    throw UnsupportedError({where_, "auto_buffer plans no nest in which another stage was placed",
                            "compute_at put '" + stage + "' into the loops of its reader",
                            "call its compute_root(), or choose the buffers yourself"});
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
      StageChoice choice = choice_of(*made, host.stage, memory_planner::tiles_of(host.plan), room);
      choice.buffer_bytes = plan->bytes;
      choice.planner = "optimal";
      choice.cycles = plan->cycles;
      choice.decisions.push_back({"where " + members + " are computed",
                                  "row by row with " + chain.host, plan->cycles,
                                  "by themselves, stored and loaded again", apart, ""});
      fused_.insert(chain.host);
      fused_.insert(chain.members.begin(), chain.members.end());
      keep(*std::move(made), std::move(choice));
    }
  }

  /// What the scratchpad has beside the buffers that are there.
  Room whole_room() const {
    const auto layouts = memory_planner::lay_out(out_.state, target_, where_);
    return {layouts.front().available_bytes(), layouts.front().alignment_bytes};
  }

  /// Stores tensors in other layouts, where the model says that this pays.
  void lay_out(const std::vector<dsl::Tensor>& stages) {
    for (const dsl::Tensor& stage : stages) {
      if (fused_.count(stage->name) != 0) continue;
      const Room room = whole_room();
      auto choice = choose_layouts(out_.state, stage->name, target_, room, plans_, where_);
      if (!choice) continue;
      layouts_.insert_or_assign(stage->name, std::move(choice->decision));
      if (choice->state) out_.state = *std::move(choice->state);
    }
  }

  /// Lets cores add up parts of the same sums, where the model says that this pays.
  void divide_sums(const std::vector<dsl::Tensor>& stages) {
    for (const dsl::Tensor& stage : stages) {
      if (fused_.count(stage->name) != 0) continue;
      const Room room = whole_room();
      auto choice = divide_sum(out_.state, stage->name, target_, room, plans_, where_);
      if (!choice) continue;
      sums_.insert_or_assign(choice->state ? choice->partial : stage->name,
                             std::move(choice->decision));
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
    const auto fused = product_epilogue(out_.state, product, target_, decided_);
    if (!fused) return false;
    const std::string& reader = fused->nest.reader;
    const double apart = cycles_apart(out_.state, *fused, target_, room, plans_, decided_);
    const Room whole = room;
    const PlannedStage& stage = fused->nest.stage;
    memory_planner::Means means;
    const std::string what = "auto_buffer on '" + product + "' in '" + reader + "'";
    while (true) {
      const auto together = plan_together(*fused, target_, room, plans_, means);
      if (!together || together->cost.total() >= apart) return false;
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
      StageChoice choice = choice_of(*made, stage, tiles, whole);
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
      keep(*std::move(made), std::move(choice));
      return true;
    }
  }

  /// The planner knows of no dependences between iterations: of a stage that has them, a plan may
  /// break some. That one, and one that is refused or not decided, gives way to a lesser one.
  void plan(const dsl::Tensor& stage, const Room& room) {
    const std::size_t remarks = out_.remarks.size();
    std::string why;
    try {
      plan_stage(stage->name, room);
      return;
    } catch (const IllegalScheduleError& error) {
      if (!stage->self && !stage->is_update()) throw;
      why = "its iterations depend on each other: " + error.report().what;
    } catch (const AnalysisBudgetError& error) {
      why = error.report().what + ": " + error.report().why;
    } catch (const UnsupportedError& error) {
      why = error.report().what + ": " + error.report().why;
    }
    out_.remarks.resize(remarks);
    if (undivided_) out_.state = *undivided_;
    plan_in_order(stage->name, room, why);
  }

  /// Of the plans that keep the order of loops, the first that stages the most tensors.
  void plan_in_order(const std::string& name, const Room& room, const std::string& why) {
    const PlannedStage stage = memory_planner::extract_stage(out_.state, name);
    const auto remark = [&](const std::string& verdict) {
      out_.remarks.push_back({"auto_buffer on '" + name + "'", verdict, why, where_});
    };
    std::optional<std::pair<WrittenNest, StageChoice>> best;
    std::vector<StagePlan> plans;
    if (!loops_inside_buffers(out_.state, name)) plans = plans_in_order(stage, cores_for(stage));
    for (StagePlan& plan : plans) {
      auto made = try_in_order(stage, plan, room);
      if (!made) continue;
      const std::size_t most = best ? best->second.buffers.size() : 0;
      if (made->second.buffers.size() > most) best = std::move(made);
      if (best && best->second.buffers.size() == stage.model.tensors.size()) break;
    }
    if (!best) {
      remark("left as it is");
      return;
    }
    remark(best->second.parallel.empty() ? "keeps the order of its loops, on one core"
                                         : "keeps the order of its other loops");
    keep(std::move(best->first), std::move(best->second));
  }

  int cores_for(const PlannedStage& stage) const {
    const auto& loops = stage.model.loops;
    const bool has_parallel =
        std::any_of(loops.begin(), loops.end(), [](const auto& loop) { return loop.is_parallel; });
    return has_parallel ? 1 : target_.cores.count;
  }

  /// A plan that keeps the order of loops, with smaller parts where they do not fit; nullopt when
  /// it is illegal or has no room.
  std::optional<std::pair<WrittenNest, StageChoice>> try_in_order(const PlannedStage& stage,
                                                                  StagePlan& plan,
                                                                  const Room& room) {
    try {
      while (true) {
        auto made = try_stage_plan(out_.state, stage, plan, where_);
        if (!made) return std::nullopt;
        StageChoice choice = choice_of(*made, stage, plan.choice.tiles, room);
        choice.planner = "in order";
        if (choice.buffer_bytes <= room.capacity_bytes) return {{*std::move(made), choice}};
        if (plan.parallel < 0) return std::nullopt;
        std::int64_t& part = plan.choice.tiles[static_cast<std::size_t>(plan.parallel)];
        if (part == 1) return std::nullopt;
        part = (part + 1) / 2;
      }
    } catch (const IllegalScheduleError&) {
      return std::nullopt;
    } catch (const AnalysisBudgetError&) {
      return std::nullopt;
    } catch (const UnsupportedError&) {
      return std::nullopt;
    }
  }

  /// Plans a stage; tensors leave near memory while what they need whole has no room.
  void plan_stage(const std::string& name, const Room& room) {
    std::vector<std::string> direct;
    Remarks left;
    while (true) {
      const PlannedStage stage = memory_planner::extract_stage(out_.state, name, direct, decided_);
      try {
        plan_extracted(stage, room);
        break;
      } catch (const CapacityError&) {
        const auto tensor = left_out_first(out_.state, stage);
        if (!tensor) throw;
        direct.push_back(tensor->tensor);
        left.push_back({"auto_buffer of '" + tensor->tensor + "' in '" + name + "'",
                        "accessed in main memory", tensor->why, where_});
      }
    }
    out_.remarks.insert(out_.remarks.end(), left.begin(), left.end());
  }

  void plan_extracted(const PlannedStage& stage, Room room) {
    const std::string& name = stage.model.name;
    const bool is_empty =
        std::any_of(stage.model.loops.begin(), stage.model.loops.end(),
                    [](const memory_planner::LoopModel& loop) { return loop.extent == 0; });
    if (is_empty || stage.loops.empty()) {
      out_.remarks.push_back({"auto_buffer on '" + name + "'", "left as it is",
                              is_empty ? "it computes nothing" : "it computes one element",
                              where_});
      return;
    }
    const auto inside = loops_inside_buffers(out_.state, name);
    if (inside) {
      if (is_optimal_) {
        out_.remarks.push_back({"auto_buffer on '" + name + "'", "kept its loops",
                                "it has a buffer, and the others are put at its place", where_});
      }
      write(stage, plan_in_place(stage, *inside), room);
      return;
    }
    const std::string fixed = is_optimal_ ? what_is_fixed(stage) : "";
    if (is_optimal_ && fixed.empty()) {
      search_stage(stage, room);
      return;
    }
    if (is_optimal_) {
      out_.remarks.push_back({"auto_buffer on '" + name + "'", "planned as by planner=\"greedy\"",
                              "the search plans whole stages, and " + fixed, where_});
    }
    const Room whole = room;
    while (true) {
      const StagePlan plan = memory_planner::plan_greedily(stage.model, room, target_.cores.count);
      if (!plan.choice.fits) {
        if (room.capacity_bytes < whole.capacity_bytes) fail_boxes(name, tried_, whole, where_);
        fail_capacity(out_.state, stage, plan, room, where_);
      }
      const std::int64_t bytes = write(stage, plan, whole);
      if (bytes <= whole.capacity_bytes) return;
      // The boxes are larger than the tiles: plan again for as much less.
      room.capacity_bytes = plan.choice.bytes * whole.capacity_bytes / bytes;
    }
  }

  /// What of a stage the user has fixed, or what the search cannot count; "" when nothing.
  std::string what_is_fixed(const PlannedStage& stage) const {
    for (std::size_t k = 0; k < stage.loops.size(); ++k) {
      const memory_planner::LoopModel& loop = stage.model.loops[k];
      const bool is_free = loop.tiling == Tiling::Free || loop.is_whole;
      if (!is_free || loop.is_parallel) return "'" + loop.name + "' is fixed";
    }
    if (stage.keeps_order) return "the order of its loops is fixed";
    if (!out_.state.original->sizes.empty()) return "sizes of this one are known when it runs";
    return "";
  }

  void search_stage(const PlannedStage& stage, Room room) {
    const Room whole = room;
    const memory_planner::BodyModel body =
        memory_planner::model_body(out_.state, stage.model, target_);
    const memory_planner::CostInputs in{&stage.model, &body, &target_,
                                        target_.engine_or_null(target_.default_scope)};
    memory_planner::Means means;
    const auto leave_out = [&](const RefusedChoice& refused) {
      out_.remarks.push_back(
          {"auto_buffer on '" + stage.model.name + "'", refused.what, refused.why, where_});
      if (refused.alone < 0) {
        means.micro_kernels = false;
      } else {
        means.alone.push_back(refused.alone);
      }
    };
    while (true) {
      const memory_planner::OptimalPlan found = plans_.plan(in, room, means);
      if (!found.plan.fits) {
        if (room.capacity_bytes < whole.capacity_bytes) {
          fail_boxes(stage.model.name, tried_, whole, where_);
        }
        const StagePlan greedy =
            memory_planner::plan_greedily(stage.model, room, target_.cores.count);
        fail_capacity(out_.state, stage, greedy, room, where_);
      }
      WrittenNest made = write_nest(out_.state, stage, found.plan, where_);
      if (made.refused) {
        leave_out(*made.refused);
        continue;
      }
      StageChoice choice = choice_of(made, stage, memory_planner::tiles_of(found.plan), whole);
      choice.planner = "optimal";
      choice.cycles = found.cost.total();
      choice.decisions = found.decisions;
      if (choice.buffer_bytes > whole.capacity_bytes) {
        // The boxes are larger than the tiles: plan again for as much less.
        room.capacity_bytes = found.plan.bytes * whole.capacity_bytes / choice.buffer_bytes;
        continue;
      }
      if (found.plan.micro_kernel && choice.buffer_bytes != found.plan.bytes) {
        // Where rows of the buffers begin is not what the plan says.
        leave_out({-1, "loops of C multiply",
                   "the boxes that were found hold " + std::to_string(choice.buffer_bytes) +
                       " bytes, the plan's tiles " + std::to_string(found.plan.bytes)});
        continue;
      }
      keep(std::move(made), std::move(choice));
      return;
    }
  }

  /// Applies a plan and keeps it if it fits; returns the bytes of its buffers.
  std::int64_t write(const PlannedStage& stage, const StagePlan& plan, const Room& room) {
    WrittenNest made = write_stage_plan(out_.state, stage, plan, where_);
    StageChoice choice = choice_of(made, stage, plan.choice.tiles, room);
    choice.planner = "greedy";
    const bool may_shrink = !loops_inside_buffers(out_.state, stage.model.name);
    const std::int64_t bytes = choice.buffer_bytes;
    if (may_shrink && bytes > room.capacity_bytes) return bytes;
    keep(std::move(made), std::move(choice));
    return bytes;
  }

  /// What was made of a stage, but for who planned it.
  StageChoice choice_of(const WrittenNest& made, const PlannedStage& stage,
                        const memory_planner::Tiles& tiles, const Room& room) {
    StageChoice out;
    out.stage = stage.model.name;
    out.buffers = made.buffers;
    out.parallel = made.parallel;
    out.room_bytes = room.capacity_bytes;
    for (std::size_t k = 0; k < stage.loops.size(); ++k) {
      out.tiles.push_back({stage.model.loops[k].name, stage.model.loops[k].extent, tiles[k]});
    }
    for (const LoopId id : made.state.stage_loops.at(out.stage)) {
      out.order.push_back(schedule::loop_name(made.state, id));
    }
    measure(made.state, room, out);
    return out;
  }

  /// The bytes of the buffers that were made.
  void measure(const State& state, const Room& room, StageChoice& choice) {
    tried_.clear();
    for (const auto& layout : memory_planner::lay_out(state, target_, where_)) {
      for (const memory_planner::PlacedBuffer& b : layout.buffers) {
        const bool is_new =
            std::find(choice.buffers.begin(), choice.buffers.end(), b.name) != choice.buffers.end();
        if (!is_new) continue;
        tried_.push_back({b.name, b.size_bytes, b.primitive});
        choice.buffer_bytes +=
            (b.size_bytes + room.alignment_bytes - 1) / room.alignment_bytes * room.alignment_bytes;
      }
    }
  }

  void keep(WrittenNest made, StageChoice choice) {
    out_.remarks.insert(out_.remarks.end(), made.remarks.begin(), made.remarks.end());
    out_.state = std::move(made.state);
    out_.choices.push_back(std::move(choice));
  }

  const Target& target_;
  bool is_optimal_;
  SourceLoc where_;
  AutoBufferResult out_;
  memory_planner::PlanMemo plans_;
  std::set<std::string> fused_;  ///< stages that are planned with others
  memory_planner::Decided decided_;
  /// By reader: padded copies and other layouts that it reads, and what was decided of them.
  std::map<std::string, std::vector<Copy>> copies_;
  std::optional<State> undivided_;  ///< before loops of the present stage were divided
  std::map<std::string, memory_planner::Decision> divisions_;  ///< of stages whose loops were
  std::map<std::string, memory_planner::Decision> layouts_;    ///< that stages use
  std::map<std::string, memory_planner::Decision> sums_;       ///< whether they are divided
  std::vector<CapacityError::Buffer> tried_;  ///< of the last plan that was applied
};

}  // namespace

AutoBufferResult auto_buffer(const State& state, const Target& target, const std::string& planner,
                             const SourceLoc& where) {
  if (planner != "optimal" && planner != "greedy") {
    throw ScheduleArgumentError({where, "auto_buffer has no planner '" + planner + "'",
                                 "the planners are 'optimal' and 'greedy'",
                                 "pass planner=\"optimal\" or planner=\"greedy\""});
  }
  if (planner == "optimal") require_figures(target, where);
  return AutoBuffer(state, target, planner == "optimal", where).run();
}

}  // namespace solway::driver
