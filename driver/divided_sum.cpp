#include "driver/divided_sum.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "driver/fuse_stages.h"
#include "driver/refusal.h"
#include "memory_planner/body_model.h"
#include "memory_planner/extract_stage.h"
#include "schedule/draft.h"
#include "schedule/rfactor.h"
#include "schedule/split.h"

namespace solway::driver {
namespace {

using memory_planner::Decision;
using memory_planner::PlannedStage;
using schedule::LoopId;
using schedule::State;

/// With more results than this for each core there is enough to do without; of few cores each may
/// have more, as what it reads of a row is short.
constexpr double kFewResults = 64;
constexpr int kFewCores = 16;

/// The same as kWorthwhile where moving all that is used once takes that much of the whole sum: no
/// plan takes less than that, so what the model can be wrong about is the rest.
constexpr double kAtBandwidth = 0.99;

class SumDivider {
 public:
  SumDivider(const State& state, const std::string& stage, const Target& target,
             const memory_planner::Room& room, memory_planner::PlanMemo& plans,
             const SourceLoc& where)
      : state_(state),
        stage_(stage),
        target_(target),
        room_(room),
        plans_(plans),
        where_(where),
        planned_(plans.stages().extract(state, stage)) {}

  std::optional<FormChoice> run() {
    if (!is_plannable(state_, stage_, plans_)) return std::nullopt;
    const memory_planner::BodyModel body =
        memory_planner::model_body(state_, planned_.model, target_);
    if (!body.is_reduction || results() > kFewResults * std::max(kFewCores, target_.cores.count)) {
      return std::nullopt;
    }
    find_longest();
    if (longest_ < 0) return std::nullopt;
    find_readers();
    const double whole =
        expected_cycles(state_, with_readers({stage_}), target_, room_, plans_, where_);
    if (least_computing(planned_.model, body.lanes, target_) > kWorthwhile * whole)
      return std::nullopt;
    const double moving = least_moving();
    const double worthwhile = moving > kWorthwhile * whole ? kAtBandwidth : kWorthwhile;
    if (moving > worthwhile * whole) return std::nullopt;
    const std::vector<std::int64_t> parts = numbers_of_parts();
    auto best = cheapest_form(
        parts.size(), [&](std::size_t k) { return weigh(parts[k], whole); }, worthwhile);
    if (!best) return std::nullopt;
    if (!best->pays) return FormChoice{std::nullopt, stage_, std::move(best->decision)};
    schedule::RfactorResult made = divided(state_, parts[best->index]);
    return FormChoice{std::move(made.state), made.partials.front()->name,
                      std::move(best->decision)};
  }

 private:
  double results() const {
    double out = 1;
    for (const auto& loop : planned_.model.loops) {
      if (loop.kind == dsl::AxisKind::Spatial) out *= static_cast<double>(loop.extent);
    }
    return out;
  }

  void find_longest() {
    const auto& loops = planned_.model.loops;
    for (std::size_t k = 0; k < loops.size(); ++k) {
      if (loops[k].kind != dsl::AxisKind::Reduce || loops[k].extent <= extent_) continue;
      longest_ = planned_.loops[k];
      extent_ = loops[k].extent;
    }
  }

  void find_readers() {
    readers_ = readers_of(state_, stage_);
    const bool are_free =
        std::all_of(readers_.begin(), readers_.end(),
                    [&](const std::string& one) { return is_plannable(state_, one, plans_); });
    if (!are_free) readers_.clear();
  }

  std::vector<std::string> with_readers(std::vector<std::string> stages) const {
    stages.insert(stages.end(), readers_.begin(), readers_.end());
    return stages;
  }

  /// Of any plan: all that is used moves in the longest blocks.
  double least_moving() const {
    double bytes = 0;
    for (const memory_planner::TensorModel& tensor : planned_.model.tensors) {
      double size = static_cast<double>(tensor.element_bytes);
      for (const memory_planner::DimModel& dim : tensor.dims) {
        size *= static_cast<double>(dim.extent);
      }
      bytes += size;
    }
    double rate = 0;
    for (const BandwidthPoint& point : target_.engine_or_null(target_.default_scope)->bandwidth) {
      rate = std::max(rate, point.get_gb_per_s);
    }
    return bytes / (rate * 1e3) * static_cast<double>(target_.cores.clock_mhz);
  }

  /// The largest divisor up to each power of 2, from 8 on or of all cores.
  std::vector<std::int64_t> numbers_of_parts() const {
    std::vector<std::int64_t> out;
    const std::int64_t cores = target_.cores.count;
    for (std::int64_t most = std::min<std::int64_t>(8, cores); most <= cores; most *= 2) {
      std::int64_t parts = std::min(most, extent_ / 2);
      while (parts > 1 && extent_ % parts != 0) --parts;
      if (parts > 1 && std::find(out.begin(), out.end(), parts) == out.end()) out.push_back(parts);
    }
    return out;
  }

  schedule::RfactorResult divided(const State& state, std::int64_t parts) const {
    const auto split = schedule::split(state, stage_, longest_, extent_ / parts, where_);
    return schedule::rfactor(split.state, stage_, split.outer, where_);
  }

  std::optional<Decision> weigh(std::int64_t parts, double whole) {
    using Made = std::optional<schedule::RfactorResult>;
    const Made made =
        unless_refused([&] { return Made(divided(schedule::begin_draft(state_), parts)); },
                       [](const Error&) { return Made(); });
    if (!made) return std::nullopt;
    const std::string& partial = made->partials.front()->name;
    const double cycles = expected_cycles(made->state, with_readers({partial, stage_}), target_,
                                          room_, plans_, where_);
    return Decision{"the sum of " + stage_,
                    "in " + std::to_string(parts) + " parts, by different cores",
                    cycles,
                    "whole, each by one core",
                    whole,
                    ""};
  }

  const State& state_;
  const std::string& stage_;
  const Target& target_;
  const memory_planner::Room& room_;
  memory_planner::PlanMemo& plans_;
  const SourceLoc& where_;
  PlannedStage planned_;
  LoopId longest_ = -1;      ///< loop of the reduction
  std::int64_t extent_ = 1;  ///< its iterations
  std::vector<std::string> readers_;
};

}  // namespace

std::optional<FormChoice> divide_sum(const State& state, const std::string& stage,
                                     const Target& target, const memory_planner::Room& room,
                                     memory_planner::PlanMemo& plans, const SourceLoc& where) {
  if (!state.original->sizes.empty()) return std::nullopt;
  return SumDivider(state, stage, target, room, plans, where).run();
}

}  // namespace solway::driver
