#include "schedule/fuse.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "schedule/fusion.h"
#include "schedule/rewrite_loops.h"
#include "schedule/transfers_in_place.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

/// What runs in both loops has them next to each other, too: a stage that shares them may have a
/// loop of its own between them.
void require_neighbours_elsewhere(const State& state, LoopId a, LoopId b,
                                  const std::string& request, const SourceLoc& where) {
  for (const Placement& p : state.order.placements) {
    const auto at = std::find(p.path.begin(), p.path.end(), a);
    if (at == p.path.end() || (at + 1 != p.path.end() && *(at + 1) == b)) continue;
    const std::string& stage = state.program->statement(p.statement).stage;
    throw ScheduleArgumentError(
        {where,
         request + ": '" + loop_name(state, b) + "' is not directly inside '" +
             loop_name(state, a) + "' in '" + stage + "'",
         "'" + stage + "' runs in both loops, where others stand between them",
         "reorder the loops of '" + stage + "' first"});
  }
}

void require_neighbours(const State& state, const std::string& stage,
                        const std::vector<LoopId>& axes, const std::string& request,
                        const SourceLoc& where) {
  const std::vector<LoopId>& loops = state.stage_loops.at(stage);
  if (axes.size() < 2) {
    throw ScheduleArgumentError({where, request + ": needs at least two axes",
                                 "got " + std::to_string(axes.size()), "name the axes to merge"});
  }
  require_distinct(state, axes, request, where);
  for (std::size_t k = 0; k + 1 < axes.size(); ++k) {
    const auto at = std::find(loops.begin(), loops.end(), axes[k]);
    const std::string& a = loop_name(state, axes[k]);
    const std::string& b = loop_name(state, axes[k + 1]);
    if (at + 1 == loops.end() || *(at + 1) != axes[k + 1]) {
      const bool is_around = at != loops.begin() && *(at - 1) == axes[k + 1];
      throw ScheduleArgumentError(
          {where, request + ": '" + b + "' is not directly inside '" + a + "'",
           "only neighbouring loops become one, outermost first",
           is_around ? "name '" + b + "', which is around it, before '" + a + "'"
                     : std::string("reorder first")});
    }
    if (state.order.loop(axes[k]).kind != state.order.loop(axes[k + 1]).kind) {
      throw ScheduleArgumentError(
          {where, request + ": '" + a + "' and '" + b + "' are of different kinds",
           "one is a spatial axis, the other a reduction axis", "fuse axes of one kind"});
    }
    require_no_transfer_between(state, axes[k], axes[k + 1], request, where);
    const auto& values = state.order.loop(axes[k]).value;
    const auto& inner_values = state.order.loop(axes[k + 1]).value;
    const auto same_statement = [](const auto& x, const auto& y) { return x.first == y.first; };
    if (!std::equal(values.begin(), values.end(), inner_values.begin(), inner_values.end(),
                    same_statement)) {
      throw ScheduleArgumentError(
          {where, request + ": '" + b + "' is not directly inside '" + a + "'",
           "they are axes of different reductions", "fuse axes of one reduction"});
    }
    require_neighbours_elsewhere(state, axes[k], axes[k + 1], request, where);
    if (state.order.loop(axes[k + 1]).depends_on_sizes) {
      throw UnsupportedError({where, request + ": the extent of '" + b + "' is known at run time",
                              "the merged index would hold a product of sizes, which is not affine",
                              "fuse loops whose extents are constant, but for the outermost"});
    }
    for (const LoopId id : {axes[k], axes[k + 1]}) {
      require_serial(state.order.loop(id), request, "fuse first, then mark", where);
    }
  }
}

/// One loop of those to be fused, counted from 0.
Coordinate coordinate_of(const Loop& loop) {
  Coordinate out{loop.name, loop.kind, loop.extent(), {}};
  for (const auto& [name, value] : loop.value) {
    out.value.emplace(name, value.add_constant(-static_cast<long>(loop.begin)));
  }
  return out;
}

/// The coordinates that neighbouring loops count already, having been split from fused ones;
/// nullopt when they count none. Inside of other loops they count all that theirs can be.
std::optional<Fusion> coordinates_before(const Order& order, const std::vector<LoopId>& axes,
                                         bool is_outermost) {
  const auto fused = fused_loops(order, {axes.rbegin(), axes.rend()});
  if (!fused) return std::nullopt;
  std::int64_t extent = 1;
  for (const LoopId id : axes) {
    const Loop& loop = order.loop(id);
    if (loop.fused.origin != loop.begin) return std::nullopt;
    extent *= loop.extent();
  }
  const Digit& first = fused->digits.front();
  if (!is_outermost && first.extent * first.weight != extent) return std::nullopt;
  const Fusion& before = order.fusions[static_cast<std::size_t>(fused->fusion)];
  Fusion out;
  for (const Digit& digit : fused->digits) {
    const Coordinate& whole = before[digit.coordinate];
    Coordinate own{whole.name, whole.kind, digit.extent, {}};
    for (const auto& [name, value] : whole.value) own.value.emplace(name, value_of(digit, value));
    out.push_back(std::move(own));
  }
  return out;
}

Fusion fusion_of(const Order& order, const std::vector<LoopId>& axes) {
  Fusion out;
  for (auto begin = axes.begin(); begin != axes.end();) {
    std::optional<Fusion> own;
    auto end = axes.end();
    while (end != begin && !own) {
      own = coordinates_before(order, {begin, end}, begin == axes.begin());
      if (!own) --end;
    }
    if (!own) {
      own = Fusion{coordinate_of(order.loop(*begin))};
      end = begin + 1;
    }
    std::move(own->begin(), own->end(), std::back_inserter(out));
    begin = end;
  }
  return out;
}

}  // namespace

FuseResult fuse(const State& state, const std::string& stage, const std::vector<LoopId>& axes,
                const SourceLoc& where) {
  std::string names;
  for (const LoopId id : axes) {
    require_loop(state, stage, id, "fuse", where);
    names += (names.empty() ? "" : ", ") + loop_name(state, id);
  }
  const std::string request = "fuse(" + names + ")";
  require_neighbours(state, stage, axes, request, where);
  Loop fused = state.order.loop(axes.front());
  fused.where = where;
  fused.end = fused.extent();
  for (auto& [name, value] : fused.value) {
    value = value.add_constant(-static_cast<long>(fused.begin));
  }
  fused.begin = 0;
  for (std::size_t k = 1; k < axes.size(); ++k) {
    const Loop& next = state.order.loop(axes[k]);
    fused.name += "." + next.name;
    fused.end *= next.extent();
    for (auto& [name, value] : fused.value) {
      value = value.scale(static_cast<long>(next.extent()))
                  .add(next.value.at(name))
                  .add_constant(-static_cast<long>(next.begin));
    }
  }
  fused.fused = {static_cast<int>(state.order.fusions.size()), 1, 0, 0};
  FuseResult out{state, 0};
  out.state.order.fusions.push_back(fusion_of(state.order, axes));
  out.fused = out.state.order.add(std::move(fused));
  replace_in_paths(out.state, axes, {out.fused});
  for (const LoopId id : axes) replace_loop(out.state, id, request, where, {out.fused});
  Step step{"fuse", stage, {}, {out.fused}, where};
  for (const LoopId id : axes) step.arguments.emplace_back("", id);
  out.state = proved(std::move(out.state), std::move(step), {request, where});
  return out;
}

}  // namespace solway::schedule
