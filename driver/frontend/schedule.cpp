#include "driver/frontend/schedule.h"

#include <algorithm>
#include <memory>

#include "driver/auto_buffer.h"
#include "driver/auto_schedule.h"
#include "driver/build.h"
#include "driver/ldm_report.h"
#include "driver/place_buffer.h"
#include "driver/program_memory.h"
#include "driver/require_cores.h"
#include "driver/target_choice.h"
#include "schedule/assume.h"
#include "schedule/broadcast.h"
#include "schedule/buffer_depth.h"
#include "schedule/double_buffer.h"
#include "schedule/isl_tree.h"
#include "schedule/pad.h"
#include "schedule/prefetch.h"
#include "schedule/rfactor.h"
#include "schedule/single_buffer.h"
#include "schedule/transform_layout.h"
#include "support/error.h"
#include "support/isl_ext.h"

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

/// What `make` gives, or nullopt when it is refused.
template <typename Make>
std::optional<schedule::State> unless_refused(const Make& make) {
  try {
    return make();
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::string quoted(const schedule::State& state, LoopId id) {
  return "'" + schedule::loop_name(state, id) + "'";
}

/// "s[P].compute_at(C, 'i')".
std::string call_text(const schedule::State& state, const std::string& primitive,
                      const std::string& stage, const std::vector<LoopId>& axes,
                      const std::string& rest) {
  const std::string owner = axes.empty() ? stage : schedule::stage_with(state, axes[0]);
  std::string out = owner == stage ? "" : owner;
  for (const LoopId id : axes) out += (out.empty() ? "" : ", ") + quoted(state, id);
  return "s[" + stage + "]." + primitive + "(" + out + rest + ")";
}

/// "s.buffer_read(A, ['ki'], at='ko', depth=2)".
std::string buffer_text(const schedule::State& state, const std::string& primitive,
                        const std::string& tensor, const driver::PlacedBuffer& request,
                        const schedule::Change& change) {
  std::string out = "s." + (change.primitive.empty() ? primitive : change.primitive) + "(" + tensor;
  if (request.region && !change.without_region) {
    std::string items;
    for (const schedule::RegionItem& item : *request.region) {
      items += (items.empty() ? "" : ", ") +
               (item.loop >= 0 ? quoted(state, item.loop) : to_string(state, item));
    }
    out += ", [" + items + "]";
  }
  if (!change.axes.empty()) out += ", at=" + quoted(state, change.axes[0]);
  if (request.references && change.primitive.empty()) {
    out += ", references=" + schedule::to_string(*request.references);
  }
  const int depth = change.number.value_or(request.depth);
  return out + (depth == 1 ? "" : ", depth=" + std::to_string(depth)) + ")";
}

}  // namespace

Schedule::Schedule(const std::vector<Tensor>& outputs, Line line)
    : Schedule(outputs, ScheduleOptions(), line) {}

Schedule::Schedule(const std::vector<Tensor>& outputs, const ScheduleOptions& options, Line line)
    : state_(
          schedule::make_state(nodes_of(outputs), to_source_loc(line), nodes_of(options.inputs))) {
  if (!options.target.empty()) {
    machine_ = driver::require_target(options.target, to_source_loc(line));
  }
}

Schedule create_schedule(const std::vector<Tensor>& outputs, const ScheduleOptions& options,
                         Line line) {
  return {outputs, options, line};
}

Stage Schedule::operator[](const Tensor& tensor) {
  const auto& stages = state_.program->stages;
  const dsl::Tensor stage = dsl::stage_of(tensor.node());
  if (std::find(stages.begin(), stages.end(), stage) == stages.end()) {
    throw ScheduleArgumentError({tensor.node()->where,
                                 "'" + tensor.name() + "' is not a stage of this schedule",
                                 "it is a placeholder, or no output needs it",
                                 "index the schedule with a computed tensor"});
  }
  return {*this, stage->name};
}

std::vector<LoopId> Schedule::apply(const std::string& primitive, const std::string& stage,
                                    const std::vector<LoopId>& axes, const SourceLoc& where,
                                    const Stage::Apply& make, const std::string& rest) {
  try {
    Stage::Applied out = make(state_, axes);
    if (machine_) driver::require_cores(out.state.order, *machine_);
    state_ = std::move(out.state);
    return std::move(out.loops);
  } catch (const IllegalScheduleError&) {
    schedule::Attempt attempt{primitive, stage, axes, {}};
    attempt.apply = [make](const schedule::State& state, const schedule::Change& change) {
      if (change.number) return std::optional<schedule::State>();
      return unless_refused([&] { return make(state, change.axes).state; });
    };
    attempt.text = [=, state = state_](const schedule::Change& change) {
      return call_text(state, primitive, stage, change.axes, rest);
    };
    refuse(std::move(attempt), where);
    throw;
  }
}

void Schedule::refuse(schedule::Attempt attempt, const SourceLoc& where) {
  refused_ = Refused{std::move(attempt), where, state_.log.size()};
}

std::optional<schedule::Fix> Schedule::found_fix(const SourceLoc& where, std::size_t first) const {
  if (!refused_ || refused_->step_count != state_.log.size()) return std::nullopt;
  return schedule::suggest_fix(state_, refused_->attempt, where, first);
}

std::optional<std::string> Schedule::fix() {
  if (!refused_) return std::nullopt;
  const std::optional<schedule::Fix> found = found_fix(refused_->where, 0);
  return found ? std::optional(found->text) : std::nullopt;
}

void Schedule::apply_fix(Line line) {
  const SourceLoc where = to_source_loc(line);
  std::optional<schedule::Fix> found = found_fix(where, 0);
  if (!found) {
    throw ScheduleArgumentError({where, "there is no fix to apply",
                                 "no primitive was refused since the last one that was applied, or "
                                 "nothing that makes it legal was found",
                                 "apply it in the handler of an IllegalScheduleError, when fix() "
                                 "has a value"});
  }
  state_ = std::move(found->state);
}

Verdict Schedule::legal(const std::function<void()>& primitives) {
  const schedule::State before = state_;
  const auto axes = axes_;
  const auto refused = refused_;
  Verdict out;
  try {
    primitives();
  } catch (const Error& error) {
    out = Verdict(error.what());
  }
  state_ = before;
  axes_ = axes;
  refused_ = refused;
  return out;
}

std::string Schedule::tree() const {
  return isl_ext::to_string(
      schedule::isl_tree_of(state_.program->ctx(), state_.order, state_.program->domains()));
}

Tensor Schedule::rfactor(const Tensor& tensor, const AxisLike& axis, Line line) {
  const SourceLoc where = to_source_loc(line);
  const Stage stage = (*this)[tensor];
  const LoopId loop = stage.id_of(axis, "rfactor", where);
  const auto partials = std::make_shared<std::vector<dsl::Tensor>>();
  apply("rfactor", stage.name_, {}, where,
        [=, name = stage.name_](const schedule::State& s, const std::vector<LoopId>&) {
          schedule::RfactorResult out = schedule::rfactor(s, name, loop, where);
          *partials = std::move(out.partials);
          return Stage::Applied{std::move(out.state), {}};
        });
  return Tensor(partials->at(0));
}

Tensor Schedule::pad(const Tensor& tensor, const std::vector<std::int64_t>& shape, Line line) {
  const Stage stage = (*this)[tensor];
  schedule::PadResult out = schedule::pad(state_, stage.name_, shape, to_source_loc(line));
  state_ = std::move(out.state);
  return Tensor(out.padded);
}

void Schedule::store_as(const Tensor& tensor, const std::vector<std::string>& axes,
                        const detail::Index& index, const Line& line) {
  const SourceLoc where = to_source_loc(line);
  const std::vector<Axis> values = detail::axes_of(tensor.shape(), axes, tensor.name(), where);
  schedule::LayoutRequest request{tensor.node(), {}, {}};
  for (const Axis& axis : values) request.axes.push_back(axis.node());
  for (const Expr& one : index(values)) request.index.push_back(one.node());
  state_ = schedule::transform_layout(state_, request, where);
}

void Schedule::require_memory(const schedule::State& state, const SourceLoc& where) const {
  if (machine_) driver::require_memory(state, *machine_, where);
}

void Schedule::assume(const std::vector<Expr>& conditions, Line line) {
  std::vector<dsl::Expr> nodes;
  for (const Expr& condition : conditions) nodes.push_back(condition.node());
  state_ = schedule::assume(state_, nodes, to_source_loc(line));
}

void Schedule::double_buffer(const Buffer& buffer, Line line) {
  deepen(buffer, std::nullopt, to_source_loc(line));
}

void Schedule::double_buffer(const Buffer& buffer, const AxisLike& across, Line line) {
  const SourceLoc where = to_source_loc(line);
  deepen(buffer, loop_of(buffer, across, "double_buffer", where), where);
}

void Schedule::deepen(const Buffer& buffer, const std::optional<LoopId>& across,
                      const SourceLoc& where) {
  schedule::State made = schedule::double_buffer(state_, buffer.name, where, across);
  require_memory(made, where);
  state_ = std::move(made);
}

LoopId Schedule::loop_of(const Buffer& buffer, const AxisLike& axis, const std::string& request,
                         const SourceLoc& where) {
  schedule::require_buffer(*state_.program, buffer.name, {request, where});
  return Stage(*this, state_.program->buffers.at(buffer.name).stage).id_of(axis, request, where);
}

void Schedule::single_buffer(const Buffer& buffer, Line line) {
  state_ = schedule::single_buffer(state_, buffer.name, to_source_loc(line));
}

void Schedule::single_buffer(const Buffer& buffer, const AxisLike& across, Line line) {
  const SourceLoc where = to_source_loc(line);
  state_ = schedule::single_buffer(state_, buffer.name, where,
                                   loop_of(buffer, across, "single_buffer", where));
}

void Schedule::broadcast(const Buffer& buffer, schedule::SharedBy over, Line line) {
  state_ = schedule::broadcast(state_, buffer.name, over, to_source_loc(line));
}

void Schedule::prefetch(const Buffer& buffer, int distance, Line line) {
  load_early(buffer, distance, std::nullopt, to_source_loc(line));
}

void Schedule::prefetch(const Buffer& buffer, int distance, const AxisLike& across, Line line) {
  const SourceLoc where = to_source_loc(line);
  load_early(buffer, distance, loop_of(buffer, across, "prefetch", where), where);
}

void Schedule::load_early(const Buffer& buffer, int distance, const std::optional<LoopId>& across,
                          const SourceLoc& where) {
  const auto make = [name = buffer.name, where, across, machine = machine_](
                        const schedule::State& s, int iterations) {
    schedule::State made = schedule::prefetch(s, name, iterations, where, across);
    if (machine) driver::require_memory(made, *machine, where);
    return made;
  };
  try {
    state_ = make(state_, distance);
  } catch (const IllegalScheduleError&) {
    schedule::Attempt attempt{"prefetch", "", {}, {}};
    attempt.number = distance;
    attempt.apply = [=](const schedule::State& s, const schedule::Change& change) {
      return unless_refused([&] { return make(s, change.number.value_or(distance)); });
    };
    const std::string loop = across ? ", \"" + schedule::loop_name(state_, *across) + "\"" : "";
    attempt.text = [=, name = buffer.name](const schedule::Change& change) {
      return "s.prefetch(" + name + ", " + std::to_string(change.number.value_or(distance)) + loop +
             ")";
    };
    refuse(std::move(attempt), where);
    throw;
  }
}

Buffer Schedule::buffer_read(const Tensor& tensor, const BufferOptions& options, Line line) {
  return place(tensor, true, options, to_source_loc(line));
}

Buffer Schedule::buffer_read(const Buffer& source, const BufferOptions& options, Line line) {
  const SourceLoc where = to_source_loc(line);
  schedule::require_buffer(*state_.program, source.name,
                           {"buffer_read(" + source.name + ")", where});
  return place(source.tensor, true, options, where, source.name);
}

Buffer Schedule::buffer_write(const Tensor& tensor, const BufferOptions& options, Line line) {
  return place(tensor, false, options, to_source_loc(line));
}

std::string Schedule::stage_of(const AxisLike& axis) const {
  if (const auto* loop = std::get_if<Loop>(&axis.value_)) return loop->stage();
  if (const auto* own = std::get_if<Axis>(&axis.value_)) {
    for (const auto& [stage, loops] : state_.axis_loops) {
      for (const auto& pair : loops) {
        if (pair.first == own->node()) return stage;
      }
    }
  }
  return "";
}

std::string Schedule::named_stage(const BufferOptions& options) const {
  for (const RegionElement& item : options.region.value_or(RegionLike())) {
    const auto* axis = std::get_if<AxisLike>(&item.value_);
    const std::string found = axis != nullptr ? stage_of(*axis) : "";
    if (!found.empty()) return found;
  }
  return options.at ? stage_of(*options.at) : "";
}

Buffer Schedule::place(const Tensor& tensor, bool is_read, const BufferOptions& options,
                       const SourceLoc& where, const std::string& source) {
  const std::string request = is_read ? "buffer_read" : "buffer_write";
  if (!is_read && options.references) {
    throw ScheduleArgumentError(
        {where, "buffer_write of some references to '" + tensor.name() + "'",
         "a buffer of what a stage computes serves all that it does with it",
         "leave references out"});
  }
  const auto kind = is_read ? schedule::AccessKind::Reads : schedule::AccessKind::Writes;
  driver::PlacedBuffer placed;
  placed.stage = options.reader    ? (*this)[*options.reader].name_
                 : !source.empty() ? state_.program->buffers.at(source).stage
                                   : driver::serving_stage(state_, kind, tensor.node(),
                                                           named_stage(options), where);
  const Stage stage(*this, placed.stage);
  placed.tensor = source.empty() ? tensor.node()->storage_name() : source;
  placed.scope = options.scope;
  placed.layout = options.layout;
  placed.depth = options.depth;
  placed.references = options.references;
  for (const AxisLike& axis : options.loop_layout) {
    placed.loop_layout.push_back(stage.id_of(axis, request, where));
  }
  std::vector<LoopId> position;
  if (options.at) position.push_back(stage.id_of(*options.at, request, where));
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
  const auto make = [=, machine = machine_](const schedule::State& s, const schedule::Change& c) {
    driver::PlacedBuffer moved = placed;
    if (!c.axes.empty()) moved.at = c.axes[0];
    if (c.number) moved.depth = *c.number;
    if (c.without_region) moved.region.reset();
    const bool is_written = !is_read || !c.primitive.empty();
    if (is_written) moved.references.reset();
    const auto kind = is_written ? schedule::AccessKind::Writes : schedule::AccessKind::Reads;
    schedule::BufferResult out = driver::place_buffer(s, kind, moved, where);
    if (machine) driver::require_memory(out.state, *machine, where);
    return out;
  };
  try {
    schedule::BufferResult made = make(state_, {position});
    state_ = std::move(made.state);
    return {made.buffer, tensor};
  } catch (const IllegalScheduleError&) {
    schedule::Attempt attempt{request, placed.stage, position, {}};
    attempt.number = placed.depth;
    attempt.has_region = placed.region.has_value();
    attempt.tensor = placed.tensor;
    attempt.apply = [make](const schedule::State& state, const schedule::Change& change) {
      return unless_refused([&] { return make(state, change).state; });
    };
    attempt.text = [=, name = source.empty() ? tensor.name() : source,
                    state = state_](const schedule::Change& change) {
      return buffer_text(state, request, name, placed, change);
    };
    refuse(std::move(attempt), where);
    throw;
  }
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

void Schedule::auto_buffer(const std::string& target, const std::string& planner,
                           const std::string& inner, Line line) {
  const SourceLoc where = to_source_loc(line);
  const Target machine = driver::require_target(target, where);
  state_ = driver::auto_buffer(state_, machine, planner, where, inner).state;
}

void Schedule::auto_schedule(const std::string& target, Line line) {
  const SourceLoc where = to_source_loc(line);
  state_ = driver::auto_schedule(state_, driver::require_target(target, where), {}, where).state;
}

std::string Schedule::ldm_report(const std::string& target, Line line) const {
  const SourceLoc where = to_source_loc(line);
  return driver::to_string(
      driver::ldm_report(state_, driver::require_target(target, where), where));
}

std::string Schedule::to_string() const {
  return driver::print_schedule(state_, machine_ ? machine_->cores.count : 0);
}

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
