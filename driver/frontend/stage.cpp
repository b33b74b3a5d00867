#include "driver/frontend/stage.h"

#include <algorithm>
#include <memory>

#include "driver/frontend/schedule.h"
#include "schedule/affine.h"
#include "schedule/bind.h"
#include "schedule/compute_at.h"
#include "schedule/compute_inline.h"
#include "schedule/compute_root.h"
#include "schedule/fission.h"
#include "schedule/fuse.h"
#include "schedule/fuse_with.h"
#include "schedule/loops_named.h"
#include "schedule/micro_kernel.h"
#include "schedule/parallel.h"
#include "schedule/prefetch_lines.h"
#include "schedule/reorder.h"
#include "schedule/reverse.h"
#include "schedule/shift.h"
#include "schedule/skew.h"
#include "schedule/specialize.h"
#include "schedule/split.h"
#include "schedule/tensorize.h"
#include "schedule/tile.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"
#include "support/error.h"

namespace solway {
namespace {

using schedule::LoopId;
using schedule::State;
using Ids = std::vector<LoopId>;

ScheduleArgumentError no_loop(const std::string& request, const std::string& name,
                              const std::string& stage, const std::string& why,
                              const SourceLoc& where) {
  return ScheduleArgumentError({where,
                                request + ": '" + name + "' is not a loop of '" + stage + "'", why,
                                "use an axis of s[" + stage + "]"});
}

/// The stage that a loop belongs to: `stage`, or one that rfactor gave it to.
std::string owner_of(const State& state, LoopId id, const std::string& stage) {
  const auto has = [&](const std::string& name) {
    const auto at = state.stage_loops.find(name);
    return at != state.stage_loops.end() &&
           std::find(at->second.begin(), at->second.end(), id) != at->second.end();
  };
  if (has(stage)) return stage;
  for (const dsl::Tensor& other : state.program->stages) {
    if (has(other->name)) return other->name;
  }
  return stage;
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

std::pair<Loop, Loop> Stage::split(const AxisLike& axis, const Parts& parts, Line line) {
  const SourceLoc where = to_source_loc(line);
  const LoopId id = id_of(axis, "split", where);
  return split(axis, schedule::factor_of_parts(schedule_.state_, id, parts.count, where), line);
}

std::pair<Loop, Loop> Stage::split(const AxisLike& axis, std::int64_t factor,
                                   schedule::TailStrategy tail, Line line) {
  const SourceLoc where = to_source_loc(line);
  const Ids made = apply("split", {id_of(axis, "split", where)}, where,
                         [=, name = name_](const State& s, const Ids& loops) {
                           schedule::SplitResult out =
                               schedule::split(s, name, loops[0], factor, where, tail);
                           return Applied{std::move(out.state), {out.outer, out.inner}};
                         });
  return {loop(made[0]), loop(made[1])};
}

Stage::Tiles Stage::tile(const AxisLike& i, const AxisLike& j, std::int64_t ti, std::int64_t tj,
                         Line line) {
  const SourceLoc where = to_source_loc(line);
  const Ids made = apply("tile", ids_of({i, j}, "tile", where), where,
                         [=, name = name_](const State& s, const Ids& loops) {
                           schedule::TileResult out =
                               schedule::tile(s, name, loops[0], loops[1], ti, tj, where);
                           return Applied{std::move(out.state), {out.io, out.jo, out.ii, out.ji}};
                         });
  return {loop(made[0]), loop(made[1]), loop(made[2]), loop(made[3])};
}

Loop Stage::fuse(const std::vector<AxisLike>& axes, Line line) {
  const SourceLoc where = to_source_loc(line);
  const Ids made = apply("fuse", ids_of(axes, "fuse", where), where,
                         [=, name = name_](const State& s, const Ids& loops) {
                           schedule::FuseResult out = schedule::fuse(s, name, loops, where);
                           return Applied{std::move(out.state), {out.fused}};
                         });
  return loop(made[0]);
}

void Stage::reorder(const std::vector<AxisLike>& axes, Line line) {
  const SourceLoc where = to_source_loc(line);
  apply("reorder", ids_of(axes, "reorder", where), where,
        [=, name = name_](const State& s, const Ids& loops) {
          return Applied{schedule::reorder(s, name, loops, where), {}};
        });
}

void Stage::skew(const AxisLike& axis, const AxisLike& by, std::int64_t factor, Line line) {
  const SourceLoc where = to_source_loc(line);
  apply("skew", ids_of({axis, by}, "skew", where), where,
        [=, name = name_](const State& s, const Ids& loops) {
          return Applied{schedule::skew(s, name, loops[0], loops[1], factor, where), {}};
        });
}

void Stage::shift(const AxisLike& axis, std::int64_t distance, Line line) {
  const SourceLoc where = to_source_loc(line);
  apply("shift", {id_of(axis, "shift", where)}, where,
        [=, name = name_](const State& s, const Ids& loops) {
          return Applied{schedule::shift(s, name, loops[0], distance, where), {}};
        });
}

void Stage::reverse(const AxisLike& axis, Line line) {
  const SourceLoc where = to_source_loc(line);
  apply("reverse", {id_of(axis, "reverse", where)}, where,
        [=, name = name_](const State& s, const Ids& loops) {
          return Applied{schedule::reverse(s, name, loops[0], where), {}};
        });
}

std::vector<Loop> Stage::affine(const std::string& map, const std::vector<std::string>& names,
                                Line line) {
  const SourceLoc where = to_source_loc(line);
  return loops_of(apply("affine", {}, where, [=, name = name_](const State& s, const Ids&) {
    schedule::AffineResult out = schedule::affine(s, name, map, names, where);
    return Applied{std::move(out.state), std::move(out.loops)};
  }));
}

std::vector<Loop> Stage::fission(const AxisLike& axis, Line line) {
  const SourceLoc where = to_source_loc(line);
  return loops_of(apply("fission", {id_of(axis, "fission", where)}, where,
                        [=, name = name_](const State& s, const Ids& loops) {
                          schedule::FissionResult out = schedule::fission(s, name, loops[0], where);
                          return Applied{std::move(out.state), std::move(out.loops)};
                        }));
}

void Stage::fuse_with(const Stage& other, const AxisLike& axis, Line line) {
  const SourceLoc where = to_source_loc(line);
  if (&other.schedule_ != &schedule_) {
    throw ScheduleArgumentError({where, "fuse_with takes a stage of this schedule",
                                 "got a stage of another schedule", "pass a computed tensor"});
  }
  apply("fuse_with", {other.id_of(axis, "fuse_with", where)}, where,
        [=, name = name_, around = other.name_](const State& s, const Ids& loops) {
          return Applied{schedule::fuse_with(s, name, around, loops[0], where), {}};
        });
}

void Stage::fuse_with(const Tensor& other, const AxisLike& axis, Line line) {
  fuse_with(schedule_[other], axis, line);
}

void Stage::parallel(const AxisLike& rows, const AxisLike& columns, const schedule::Grid& grid,
                     Line line) {
  const SourceLoc where = to_source_loc(line);
  apply("parallel", ids_of({rows, columns}, "parallel", where), where,
        [=, name = name_](const State& s, const Ids& loops) {
          const std::string own = owner_of(s, loops[0], name);
          return Applied{schedule::parallel_grid(s, own, loops[0], loops[1], grid, where), {}};
        });
}

void Stage::bind(const AxisLike& axis, const std::string& hardware, Line line) {
  const SourceLoc where = to_source_loc(line);
  apply(
      "bind", {id_of(axis, "bind", where)}, where,
      [=, name = name_](const State& s, const Ids& loops) {
        const std::string own = owner_of(s, loops[0], name);
        return Applied{schedule::bind(s, own, loops[0], hardware, where), {}};
      },
      ", '" + hardware + "'");
}

void Stage::mark(const std::string& primitive, Mark how, const AxisLike& axis,
                 const SourceLoc& where) {
  apply(primitive, {id_of(axis, primitive, where)}, where,
        [=, name = name_](const State& s, const Ids& loops) {
          return Applied{how(s, owner_of(s, loops[0], name), loops[0], where), {}};
        });
}

void Stage::parallel(const AxisLike& axis, Line line) {
  mark("parallel", &schedule::parallel, axis, to_source_loc(line));
}

void Stage::athread_parallel(const AxisLike& axis, Line line) {
  mark("athread_parallel", &schedule::parallel, axis, to_source_loc(line));
}

void Stage::vectorize(const AxisLike& axis, Line line) {
  mark("vectorize", &schedule::vectorize, axis, to_source_loc(line));
}

void Stage::unroll(const AxisLike& axis, Line line) {
  mark("unroll", &schedule::unroll, axis, to_source_loc(line));
}

void Stage::prefetch_lines(const std::string& array, const AxisLike& at, std::int64_t distance,
                           const std::optional<AxisLike>& inside, const SourceLoc& where) {
  Ids of{id_of(at, "prefetch_lines", where)};
  if (inside) of.push_back(id_of(*inside, "prefetch_lines", where));
  apply("prefetch_lines", of, where, [=, name = name_](const State& s, const Ids& loops) {
    const auto spread = loops.size() > 1 ? std::optional(loops[1]) : std::nullopt;
    return Applied{schedule::prefetch_lines(s, name, array, loops[0], distance, spread, where), {}};
  });
}

void Stage::prefetch_lines(const Tensor& tensor, const AxisLike& at, std::int64_t distance,
                           const std::optional<AxisLike>& inside, Line line) {
  prefetch_lines(tensor.node()->storage_name(), at, distance, inside, to_source_loc(line));
}

void Stage::prefetch_lines(const Buffer& buffer, const AxisLike& at, std::int64_t distance,
                           const std::optional<AxisLike>& inside, Line line) {
  prefetch_lines(buffer.name, at, distance, inside, to_source_loc(line));
}

void Stage::tensorize(const AxisLike& axis, const Intrinsic& intrinsic, Line line) {
  const SourceLoc where = to_source_loc(line);
  apply("tensorize", {id_of(axis, "tensorize", where)}, where,
        [=, name = name_](const State& s, const Ids& loops) {
          return Applied{schedule::tensorize(s, name, loops[0], intrinsic.node(), where), {}};
        });
}

void Stage::tensorize(const AxisLike& axis, const MicroKernel& /*kernel*/, Line line) {
  const SourceLoc where = to_source_loc(line);
  apply("tensorize", {id_of(axis, "tensorize", where)}, where,
        [=, name = name_](const State& s, const Ids& loops) {
          return Applied{schedule::tensorize_micro_kernel(s, name, loops[0], where), {}};
        });
}

void Stage::compute_at(const Tensor& consumer, const AxisLike& axis, schedule::TileRegion region,
                       const std::string& scope, Line line) {
  const SourceLoc where = to_source_loc(line);
  const Stage around = schedule_[consumer];
  apply("compute_at", {around.id_of(axis, "compute_at", where)}, where,
        [=, name = name_, other = around.name_](const State& s, const Ids& loops) {
          return Applied{schedule::compute_at(s, name, other, loops[0], where, region, scope), {}};
        });
}

void Stage::compute_inline(Line line) {
  const SourceLoc where = to_source_loc(line);
  apply("compute_inline", {}, where, [=, name = name_](const State& s, const Ids&) {
    return Applied{schedule::compute_inline(s, name, where), {}};
  });
}

void Stage::compute_root(Line line) {
  const SourceLoc where = to_source_loc(line);
  apply("compute_root", {}, where, [=, name = name_](const State& s, const Ids&) {
    return Applied{schedule::compute_root(s, name, where), {}};
  });
}

Tensor Stage::specialize(const std::vector<Expr>& conditions, Line line) {
  const SourceLoc where = to_source_loc(line);
  schedule::Region items;
  for (const Expr& one : conditions) {
    items.push_back(schedule_.item_of(one, *this, "specialize", where));
  }
  const auto rest = std::make_shared<dsl::Tensor>();
  apply("specialize", {}, where, [=, name = name_](const State& s, const Ids&) {
    schedule::SpecializeResult out = schedule::specialize(s, name, items, where);
    *rest = out.rest;
    return Applied{std::move(out.state), {}};
  });
  return Tensor(*rest);
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

Ids Stage::apply(const std::string& primitive, const Ids& axes, const SourceLoc& where,
                 const Apply& make, const std::string& rest) {
  return schedule_.apply(primitive, name_, axes, where, make, rest);
}

std::vector<Loop> Stage::loops_of(const Ids& ids) const {
  std::vector<Loop> out;
  for (const LoopId id : ids) out.push_back(loop(id));
  return out;
}

Loop Stage::loop(LoopId id) const { return {schedule_.axis_of(id), &schedule_, name_, id}; }

LoopId Stage::id_of(const AxisLike& axis, const std::string& request,
                    const SourceLoc& where) const {
  const State& state = schedule_.state_;
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
  const std::vector<LoopId> found = schedule::loops_named(state, name_, name);
  if (found.size() == 1) return found[0];
  std::string names;
  for (const LoopId id : state.stage_loops.at(name_)) {
    names += (names.empty() ? "'" : ", '") + schedule::loop_name(state, id) + "'";
  }
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

}  // namespace solway
