#include "memory_planner/tensor_ways.h"

#include <algorithm>
#include <utility>

#include "memory_planner/shared_read_cost.h"
#include "memory_planner/sliding_cost.h"
#include "memory_planner/widened_cost.h"

namespace solway::memory_planner {
namespace {

using schedule::SharedBy;

std::size_t at(int k) { return static_cast<std::size_t>(k); }

}  // namespace

std::vector<std::vector<int>> twins_of(const StageModel& stage, const Means& means) {
  std::vector<std::vector<int>> out;
  for (int t = 0; t < static_cast<int>(stage.tensors.size()); ++t) {
    const auto same = std::find_if(out.begin(), out.end(), [&](const std::vector<int>& twins) {
      const int first = twins.front();
      return are_twins(stage.tensors[at(first)], stage.tensors[at(t)]) &&
             means.may_stage(first) == means.may_stage(t) &&
             means.may_share(first) == means.may_share(t);
    });
    if (same == out.end()) {
      out.push_back({t});
    } else {
      same->push_back(t);
    }
  }
  return out;
}

TensorWays::TensorWays(const CostInputs& in, const Means& means) : in_(in), means_(means) {
  for (const TensorModel& tensor : in.stage->tensors) {
    std::vector<int>& loops = moving_.emplace_back();
    for (int k = 0; k < static_cast<int>(in.stage->loops.size()); ++k) {
      if (depends(tensor, k)) loops.push_back(k);
    }
  }
  boxes_.resize(moving_.size());
  present_.resize(moving_.size());
}

void TensorWays::begin_form() {
  begin_tiles();
  for (std::map<Key, BoxCost>& boxes : boxes_) boxes.clear();
}

void TensorWays::begin_tiles() {
  for (OfTiles& tensor : present_) {
    tensor.count = 0;
    for (auto& boxes : tensor.boxes) boxes.fill(nullptr);
  }
}

const TensorWays::Ways& TensorWays::of(NestPlan& plan, int tensor) {
  OfTiles& own = present_[at(tensor)];
  const Place place = place_of(plan, tensor);
  const auto end = own.known.begin() + static_cast<std::ptrdiff_t>(own.count);
  const auto found =
      std::find_if(own.known.begin(), end, [&](const Known& one) { return one.place == place; });
  if (found != end) return found->ways;
  if (own.count == own.known.size()) own.known.emplace_back();
  Known& made = own.known[own.count++];
  made.place = place;
  find(plan, tensor, made.ways);
  return made.ways;
}

TensorWays::Place TensorWays::place_of(const NestPlan& plan, int tensor) const {
  Place out;
  const int around = loops_around(*in_.stage, plan, tensor);
  for (int k = 0; k < around; ++k) out.around |= std::uint64_t{1} << plan.outer[at(k)];
  if (around > 0) out.last = plan.outer[at(around - 1)];
  return out;
}

void TensorWays::find(NestPlan& plan, int tensor, Ways& out) {
  out.all.clear();
  if (!means_.may_stage(tensor)) {  // nothing is transferred
    out.all.emplace_back();
    out.least = {};
    return;
  }
  plan.units.resize(in_.stage->tensors.size(), 0);
  const auto add = [&](SharedBy by, bool slides, std::int64_t unit = 0) {
    plan.shared[at(tensor)] = by;
    plan.slides[at(tensor)] = slides;
    plan.units[at(tensor)] = unit;
    const TensorCost cost = cost_of(plan, tensor);
    const LeastCost least = least_of(cost);
    out.least = out.all.empty() ? least : least_of_both(out.least, least);
    out.all.push_back({by, slides, unit, cost});
    plan.shared[at(tensor)] = SharedBy::Core;
    plan.slides[at(tensor)] = false;
    plan.units[at(tensor)] = 0;
  };
  add(SharedBy::Core, false);
  if (tile_overlap(*in_.stage, plan, tensor)) add(SharedBy::Core, true);
  const SharedBy by =
      means_.may_share(tensor) ? sharing_of(*in_.stage, plan, tensor, *in_.target) : SharedBy::Core;
  if (by != SharedBy::Core) add(by, false);
  if (plan.micro_kernel || !out.all.front().cost.is_copied) return;
  const std::int64_t unit = unit_elems(in_.stage->tensors[at(tensor)], *in_.engine);
  if (unit > 0) add(SharedBy::Core, false, unit);
}

TensorCost TensorWays::cost_of(const NestPlan& plan, int tensor) {
  const SharedBy by = shared_by(plan, tensor);
  const std::int64_t unit = unit_of(plan, tensor);
  const BoxCost*& box = present_[at(tensor)].boxes[unit > 0 ? 1 : 0][static_cast<std::size_t>(by)];
  if (box == nullptr) {
    Key key = {static_cast<std::int64_t>(by), unit};
    for (const int k : moving_[at(tensor)]) key.push_back(plan.cuts[at(k)].tile);
    std::map<Key, BoxCost>& known = boxes_[at(tensor)];
    const auto found = known.find(key);
    box = found != known.end()
              ? &found->second
              : &known.emplace(std::move(key), box_cost(in_, plan, tensor)).first->second;
  }
  return tensor_cost(in_, plan, tensor, *box);
}

}  // namespace solway::memory_planner
