#include "driver/padded_product.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "driver/fuse_stages.h"
#include "driver/reader_loops.h"
#include "driver/refusal.h"
#include "memory_planner/body_model.h"
#include "memory_planner/extract_stage.h"
#include "schedule/as_written.h"
#include "schedule/draft.h"
#include "schedule/pad.h"

namespace solway::driver {
namespace {

using memory_planner::Decision;
using memory_planner::PlannedStage;
using schedule::State;
using Shape = std::vector<std::int64_t>;

/// A plan that takes less than so often the cycles in which all cores multiply is good as it is.
constexpr double kNearThePeak = 2.0;

/// So much more may be computed for tiles to be whole.
constexpr double kMostGrowth = 1.2;

/// The rows and the vectors of a tile in registers.
constexpr std::int64_t kTileRows = 8;
constexpr std::int64_t kTileVectors = 4;

/// The next multiple of the largest grain, halved down to `least`, for which that is little more.
std::int64_t rounded_up(std::int64_t extent, std::int64_t grain, std::int64_t least) {
  for (;; grain /= 2) {
    const std::int64_t out = (extent + grain - 1) / grain * grain;
    const auto most = static_cast<std::int64_t>(kMostGrowth * static_cast<double>(extent));
    if (grain <= least || out <= most) return out;
  }
}

std::string text_of(const Shape& shape) {
  std::string out;
  for (const std::int64_t extent : shape) {
    out += (out.empty() ? "" : " x ") + std::to_string(extent);
  }
  return out;
}

class ProductPadder {
 public:
  ProductPadder(const State& state, const std::string& stage, const Target& target,
                const memory_planner::Room& room, memory_planner::PlanMemo& plans,
                const SourceLoc& where)
      : state_(state), stage_(stage), target_(target), room_(room), plans_(plans), where_(where) {}

  std::optional<FormChoice> run() {
    if (!is_plannable(state_, stage_, plans_) || !schedule::is_as_written(state_, stage_)) {
      return std::nullopt;
    }
    const PlannedStage planned = plans_.stages().extract(state_, stage_);
    const memory_planner::BodyModel body =
        memory_planner::model_body(state_, planned.model, target_);
    if (!body.is_product || body.lanes <= 1) return std::nullopt;
    const std::vector<Shape> shapes = shapes_of(body.lanes);
    if (shapes.empty()) return std::nullopt;
    find_neighbours();
    const double whole = cycles_in(state_, {});
    if (whole < kNearThePeak * least_computing(planned.model, body.lanes, target_)) {
      return std::nullopt;
    }
    auto best =
        cheapest_form(shapes.size(), [&](std::size_t k) { return weigh(shapes[k], whole); });
    if (!best) return std::nullopt;
    if (!best->pays) return FormChoice{std::nullopt, stage_, std::move(best->decision)};
    schedule::PadResult made = schedule::pad(state_, stage_, shapes[best->index], where_);
    return FormChoice{std::move(made.state), made.padded->name, std::move(best->decision)};
  }

 private:
  /// Whole vectors alone, with rows by fours, whole tiles, and as much for each core of a mesh.
  std::vector<Shape> shapes_of(std::int64_t lanes) const {
    const auto& stages = state_.program->stages;
    const auto stage = std::find_if(stages.begin(), stages.end(),
                                    [&](const dsl::Tensor& t) { return t->name == stage_; });
    const Shape& shape = (*stage)->shape;
    const auto is_long = [](std::int64_t extent) { return extent > 1; };
    if (std::count_if(shape.begin(), shape.end(), is_long) < 2) return {};  // no tiles
    std::vector<Shape> out;
    const auto add = [&](std::int64_t rows, std::int64_t vectors) {
      Shape made;
      for (std::size_t k = 0; k < shape.size(); ++k) {
        const bool is_last = k + 1 == shape.size();
        made.push_back(shape[k] <= 1 ? shape[k]
                       : is_last     ? rounded_up(shape[k], lanes * vectors, lanes)
                                     : rounded_up(shape[k], rows, 1));
      }
      if (made != shape && std::find(out.begin(), out.end(), made) == out.end()) {
        out.push_back(std::move(made));
      }
    };
    add(1, 1);
    add(kTileRows / 2, 1);
    add(kTileRows, kTileVectors);
    add(kTileRows / 2 * std::max(target_.cores.mesh_rows, 1),
        std::max(target_.cores.mesh_columns, 1));
    return out;
  }

  /// The stages that read this one, and those that compute what it alone reads, without reductions.
  void find_neighbours() {
    const std::vector<std::string> readers = readers_of(state_, stage_);
    const auto is_free = [&](const std::string& one) { return is_plannable(state_, one, plans_); };
    if (std::all_of(readers.begin(), readers.end(), is_free)) neighbours_ = readers;
    for (const dsl::Tensor& stage : state_.program->stages) {
      const bool is_read = readers_of(state_, stage->name) == std::vector<std::string>{stage_};
      if (is_read && computes_plainly(state_, stage->name) && is_free(stage->name)) {
        neighbours_.push_back(stage->name);
      }
    }
  }

  /// Cycles of this stage and its neighbours, and of what was made of them.
  double cycles_in(const State& state, const std::vector<std::string>& made) const {
    std::vector<std::string> names;
    for (const dsl::Tensor& stage : state.program->stages) {
      const auto is_it = [&](const std::string& name) { return name == stage->name; };
      if (is_it(stage_) || std::any_of(neighbours_.begin(), neighbours_.end(), is_it) ||
          std::any_of(made.begin(), made.end(), is_it)) {
        names.push_back(stage->name);
      }
    }
    return expected_cycles(state, names, target_, room_, plans_, where_);
  }

  std::optional<Decision> weigh(const Shape& shape, double whole) {
    using Made = std::optional<schedule::PadResult>;
    const Made made = unless_refused(
        [&] { return Made(schedule::pad(schedule::begin_draft(state_), stage_, shape, where_)); },
        [](const Error&) { return Made(); });
    if (!made) return std::nullopt;
    std::vector<std::string> names{made->padded->name};
    for (const dsl::Tensor& operand : made->operands) names.push_back(operand->name);
    return Decision{"the shape of " + stage_,
                    "padded to " + text_of(shape),
                    cycles_in(made->state, names),
                    "as it is, with rests of tiles and vectors",
                    whole,
                    ""};
  }

  const State& state_;
  const std::string& stage_;
  const Target& target_;
  const memory_planner::Room& room_;
  memory_planner::PlanMemo& plans_;
  const SourceLoc& where_;
  std::vector<std::string> neighbours_;
};

}  // namespace

std::optional<FormChoice> pad_product(const State& state, const std::string& stage,
                                      const Target& target, const memory_planner::Room& room,
                                      memory_planner::PlanMemo& plans, const SourceLoc& where) {
  if (!state.original->sizes.empty()) return std::nullopt;
  return ProductPadder(state, stage, target, room, plans, where).run();
}

}  // namespace solway::driver
