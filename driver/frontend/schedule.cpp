#include "driver/frontend/schedule.h"

#include <algorithm>

#include "driver/auto_buffer.h"
#include "driver/build.h"
#include "driver/ldm_report.h"
#include "driver/place_buffer.h"
#include "driver/target_choice.h"
#include "schedule/affine.h"
#include "schedule/compute_at.h"
#include "schedule/compute_inline.h"
#include "schedule/compute_root.h"
#include "schedule/fission.h"
#include "schedule/fuse.h"
#include "schedule/fuse_with.h"
#include "schedule/mark_loop.h"
#include "schedule/reorder.h"
#include "schedule/reverse.h"
#include "schedule/rfactor.h"
#include "schedule/shift.h"
#include "schedule/skew.h"
#include "schedule/split.h"
#include "support/error.h"

namespace solway {
namespace {

using schedule::LoopId;

std::vector<dsl::Tensor> nodes_of(const std::vector<Tensor>& tensors) {
  std::vector<dsl::Tensor> out;
  for (const Tensor& tensor : tensors) out.push_back(tensor.node());
  return out;
}

void collect_axes(const dsl::Expr& expr, std::vector<dsl::Axis>& out) {
  if (expr->axis && std::find(out.begin(), out.end(), expr->axis) == out.end()) {
    out.push_back(expr->axis);
  }
  for (const dsl::Expr& operand : expr->operands) collect_axes(operand, out);
}

ScheduleArgumentError no_loop(const std::string& request, const std::string& name,
                              const std::string& stage, const std::string& why,
                              const SourceLoc& where) {
  return ScheduleArgumentError({where,
                                request + ": '" + name + "' is not a loop of '" + stage + "'", why,
                                "use an axis of s[" + stage + "]"});
}

/// The stages that read `tensor`, or the one that writes it.
std::vector<std::string> users_of(const schedule::State& state, const Tensor& tensor,
                                  bool is_read) {
  std::vector<std::string> out;
  const auto reads = [&](const std::string& statement) {
    const auto& operands = state.program->statement(statement).reads;
    return std::any_of(operands.begin(), operands.end(), [&](const schedule::Operand& operand) {
      return operand.read && operand.read->tensor == tensor.node();
    });
  };
  for (const dsl::Tensor& stage : state.program->stages) {
    const auto statements = schedule::statements_of(state, stage->name);
    const bool uses =
        is_read ? std::any_of(statements.begin(), statements.end(), reads) : stage == tensor.node();
    if (uses) out.push_back(stage->name);
  }
  return out;
}

}  // namespace

std::vector<Loop> Stage::axis() const {
  std::vector<Loop> out;
  for (const LoopId id : schedule_.state_.stage_loops.at(name_)) {
    if (schedule_.state_.order.loop(id).kind == dsl::AxisKind::Spatial) out.push_back(loop(id));
  }
  return out;
}

std::vector<Loop> Stage::reduce_axis() const {
  std::vector<Loop> out;
  for (const LoopId id : schedule_.state_.stage_loops.at(name_)) {
    if (schedule_.state_.order.loop(id).kind == dsl::AxisKind::Reduce) out.push_back(loop(id));
  }
  return out;
}

std::pair<Loop, Loop> Stage::split(const AxisLike& axis, std::int64_t factor, Line line) {
  return split(axis, factor, schedule::TailStrategy::Guard, line);
}

std::pair<Loop, Loop> Stage::split(const AxisLike& axis, std::int64_t factor,
                                   schedule::TailStrategy tail, Line line) {
  const SourceLoc where = to_source_loc(line);
  schedule::SplitResult out =
      schedule::split(schedule_.state_, name_, id_of(axis, "split", where), factor, where, tail);
  schedule_.state_ = std::move(out.state);
  return {loop(out.outer), loop(out.inner)};
}

Stage::Tiles Stage::tile(const AxisLike& i, const AxisLike& j, std::int64_t ti, std::int64_t tj,
                         Line line) {
  const schedule::State before = schedule_.state_;
  try {
    const auto [io, ii] = split(i, ti, line);
    const auto [jo, ji] = split(j, tj, line);
    reorder({io, jo, ii, ji}, line);
    return {io, jo, ii, ji};
  } catch (const Error&) {
    schedule_.state_ = before;
    throw;
  }
}

Loop Stage::fuse(const std::vector<AxisLike>& axes, Line line) {
  const SourceLoc where = to_source_loc(line);
  schedule::FuseResult out =
      schedule::fuse(schedule_.state_, name_, ids_of(axes, "fuse", where), where);
  schedule_.state_ = std::move(out.state);
  return loop(out.fused);
}

void Stage::reorder(const std::vector<AxisLike>& axes, Line line) {
  const SourceLoc where = to_source_loc(line);
  schedule_.state_ =
      schedule::reorder(schedule_.state_, name_, ids_of(axes, "reorder", where), where);
}

void Stage::skew(const AxisLike& axis, const AxisLike& by, std::int64_t factor, Line line) {
  const SourceLoc where = to_source_loc(line);
  schedule_.state_ = schedule::skew(schedule_.state_, name_, id_of(axis, "skew", where),
                                    id_of(by, "skew", where), factor, where);
}

void Stage::shift(const AxisLike& axis, std::int64_t distance, Line line) {
  const SourceLoc where = to_source_loc(line);
  schedule_.state_ =
      schedule::shift(schedule_.state_, name_, id_of(axis, "shift", where), distance, where);
}

void Stage::reverse(const AxisLike& axis, Line line) {
  const SourceLoc where = to_source_loc(line);
  schedule_.state_ =
      schedule::reverse(schedule_.state_, name_, id_of(axis, "reverse", where), where);
}

std::vector<Loop> Stage::affine(const std::string& map, const std::vector<std::string>& names,
                                Line line) {
  schedule::AffineResult made =
      schedule::affine(schedule_.state_, name_, map, names, to_source_loc(line));
  schedule_.state_ = std::move(made.state);
  std::vector<Loop> out;
  for (const LoopId id : made.loops) out.push_back(loop(id));
  return out;
}

std::vector<Loop> Stage::fission(const AxisLike& axis, Line line) {
  const SourceLoc where = to_source_loc(line);
  schedule::FissionResult made =
      schedule::fission(schedule_.state_, name_, id_of(axis, "fission", where), where);
  schedule_.state_ = std::move(made.state);
  std::vector<Loop> out;
  for (const LoopId id : made.loops) out.push_back(loop(id));
  return out;
}

void Stage::fuse_with(const Stage& other, const AxisLike& axis, Line line) {
  const SourceLoc where = to_source_loc(line);
  schedule_.state_ = schedule::fuse_with(schedule_.state_, name_, other.name_,
                                         other.id_of(axis, "fuse_with", where), where);
}

void Stage::parallel(const AxisLike& rows, const AxisLike& columns, const schedule::Grid& grid,
                     Line line) {
  const SourceLoc where = to_source_loc(line);
  schedule_.state_ =
      schedule::parallel_grid(schedule_.state_, name_, id_of(rows, "parallel", where),
                              id_of(columns, "parallel", where), grid, where);
}

void Stage::bind(const AxisLike& axis, const std::string& hardware, Line line) {
  const SourceLoc where = to_source_loc(line);
  schedule_.state_ =
      schedule::bind(schedule_.state_, name_, id_of(axis, "bind", where), hardware, where);
}

void Stage::parallel(const AxisLike& axis, Line line) {
  const SourceLoc where = to_source_loc(line);
  schedule_.state_ =
      schedule::parallel(schedule_.state_, name_, id_of(axis, "parallel", where), where);
}

void Stage::vectorize(const AxisLike& axis, Line line) {
  const SourceLoc where = to_source_loc(line);
  schedule_.state_ =
      schedule::vectorize(schedule_.state_, name_, id_of(axis, "vectorize", where), where);
}

void Stage::unroll(const AxisLike& axis, Line line) {
  const SourceLoc where = to_source_loc(line);
  schedule_.state_ = schedule::unroll(schedule_.state_, name_, id_of(axis, "unroll", where), where);
}

void Stage::compute_at(const Tensor& consumer, const AxisLike& axis, Line line) {
  const SourceLoc where = to_source_loc(line);
  const Stage around = schedule_[consumer];
  schedule_.state_ = schedule::compute_at(schedule_.state_, name_, around.name_,
                                          around.id_of(axis, "compute_at", where), where);
}

void Stage::compute_inline(Line line) {
  schedule_.state_ = schedule::compute_inline(schedule_.state_, name_, to_source_loc(line));
}

void Stage::compute_root(Line line) {
  schedule_.state_ = schedule::compute_root(schedule_.state_, name_, to_source_loc(line));
}

std::vector<Loop> Stage::legal_levels(const Tensor& consumer, Line line) const {
  const Stage around = schedule_[consumer];
  std::vector<Loop> out;
  for (const LoopId id :
       schedule::legal_levels(schedule_.state_, name_, around.name_, to_source_loc(line))) {
    out.push_back(around.loop(id));
  }
  return out;
}

Loop Stage::loop(LoopId id) const { return {schedule_.axis_of(id), &schedule_, name_, id}; }

LoopId Stage::id_of(const AxisLike& axis, const std::string& request,
                    const SourceLoc& where) const {
  const schedule::State& state = schedule_.state_;
  if (const auto* loop = std::get_if<Loop>(&axis.value_)) {
    if (loop->owner_ == &schedule_) return loop->id_;
    throw no_loop(request, loop->name(), name_, "it is a loop of another schedule", where);
  }
  if (const auto* own = std::get_if<Axis>(&axis.value_)) {
    for (const auto& [stage, loops] : state.axis_loops) {
      for (const auto& [node, id] : loops) {
        if (node == own->node()) return id;
      }
    }
    throw no_loop(request, own->name(), name_, "it is no axis of this schedule's tensors", where);
  }
  const std::string& name = std::get<std::string>(axis.value_);
  std::vector<LoopId> found;
  std::string names;
  for (const LoopId id : state.stage_loops.at(name_)) {
    const std::string& own = state.order.loop(id).name;
    if (own == name) found.push_back(id);
    names += (names.empty() ? "'" : ", '") + own + "'";
  }
  if (found.size() == 1) return found[0];
  throw no_loop(request, name, name_,
                found.empty() ? "its loops are " + names
                              : "several loops have this name; pass the axis itself",
                where);
}

std::vector<LoopId> Stage::ids_of(const std::vector<AxisLike>& axes, const std::string& request,
                                  const SourceLoc& where) const {
  std::vector<LoopId> out;
  for (const AxisLike& axis : axes) out.push_back(id_of(axis, request, where));
  return out;
}

Schedule::Schedule(const std::vector<Tensor>& outputs, Line line)
    : state_(schedule::make_state(nodes_of(outputs), to_source_loc(line))) {}

Stage Schedule::operator[](const Tensor& tensor) {
  const auto& stages = state_.program->stages;
  if (std::find(stages.begin(), stages.end(), tensor.node()) == stages.end()) {
    throw ScheduleArgumentError({tensor.node()->where,
                                 "'" + tensor.name() + "' is not a stage of this schedule",
                                 "it is a placeholder, or no output needs it",
                                 "index the schedule with a computed tensor"});
  }
  return {*this, tensor.name()};
}

Tensor Schedule::rfactor(const Tensor& tensor, const AxisLike& axis, Line line) {
  const SourceLoc where = to_source_loc(line);
  const Stage stage = (*this)[tensor];
  schedule::RfactorResult out =
      schedule::rfactor(state_, stage.name_, stage.id_of(axis, "rfactor", where), where);
  state_ = std::move(out.state);
  return Tensor(out.partials[0]);
}

Buffer Schedule::buffer_read(const Tensor& tensor, const BufferOptions& options, Line line) {
  return place(tensor, true, options, to_source_loc(line));
}

Buffer Schedule::buffer_write(const Tensor& tensor, const BufferOptions& options, Line line) {
  return place(tensor, false, options, to_source_loc(line));
}

Buffer Schedule::place(const Tensor& tensor, bool is_read, const BufferOptions& options,
                       const SourceLoc& where) {
  const std::string request = is_read ? "buffer_read" : "buffer_write";
  std::vector<std::string> users = users_of(state_, tensor, is_read);
  if (options.reader) users = {options.reader->name()};
  if (users.size() != 1) {
    throw ScheduleArgumentError(
        {where,
         request + ": " + std::to_string(users.size()) + " stages use '" + tensor.name() + "'",
         "a buffer serves the statements of one stage", "name the stage with .reader"});
  }
  const Stage stage(*this, users[0]);
  driver::PlacedBuffer placed;
  placed.stage = users[0];
  placed.tensor = tensor.name();
  placed.scope = options.scope;
  placed.layout = options.layout;
  for (const AxisLike& axis : options.loop_layout) {
    placed.loop_layout.push_back(stage.id_of(axis, request, where));
  }
  if (options.at) placed.at = stage.id_of(*options.at, request, where);
  if (options.region) {
    placed.region.emplace();
    for (const RegionElement& item : *options.region) {
      schedule::RegionItem one;
      if (const auto* axis = std::get_if<AxisLike>(&item.value_)) {
        one.loop = stage.id_of(*axis, request, where);
      } else {
        one = item_of(std::get<Expr>(item.value_), stage, request, where);
      }
      placed.region->push_back(std::move(one));
    }
  }
  const auto kind = is_read ? schedule::AccessKind::Reads : schedule::AccessKind::Writes;
  schedule::BufferResult out = driver::place_buffer(state_, kind, placed, where);
  state_ = std::move(out.state);
  return {out.buffer, tensor};
}

schedule::RegionItem Schedule::item_of(const Expr& index, const Stage& stage,
                                       const std::string& request, const SourceLoc& where) const {
  schedule::RegionItem out;
  out.index = index.node();
  std::vector<dsl::Axis> axes;
  collect_axes(out.index, axes);
  for (const dsl::Axis& axis : axes) {
    const auto known = std::find_if(axes_.begin(), axes_.end(),
                                    [&](const auto& pair) { return pair.second == axis; });
    out.axes.emplace_back(
        axis, known != axes_.end() ? known->first : stage.id_of(Axis(axis), request, where));
  }
  return out;
}

void Schedule::auto_buffer(const std::string& target, const std::string& planner, Line line) {
  const SourceLoc where = to_source_loc(line);
  state_ = driver::auto_buffer(state_, driver::require_target(target, where), planner, where).state;
}

std::string Schedule::ldm_report(const std::string& target, Line line) const {
  const SourceLoc where = to_source_loc(line);
  return driver::to_string(
      driver::ldm_report(state_, driver::require_target(target, where), where));
}

std::string Schedule::to_string() const { return driver::print_schedule(state_); }

dsl::Axis Schedule::axis_of(LoopId id) const {
  dsl::Axis& axis = axes_[id];
  if (axis) return axis;
  const auto at = state_.order.loops.find(id);
  const schedule::Loop& loop = at != state_.order.loops.end() ? at->second : state_.removed.at(id);
  auto node = std::make_shared<dsl::AxisNode>();
  node->name = loop.name;
  node->kind = loop.kind;
  node->begin = loop.begin;
  node->end = loop.end;
  node->where = loop.where;
  axis = std::move(node);
  return axis;
}

}  // namespace solway
