#include "schedule/split.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "schedule/fusion.h"
#include "schedule/rewrite_loops.h"
#include "schedule/violation.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {

namespace {

const char* to_string(TailStrategy tail) {
  switch (tail) {
    case TailStrategy::Guard:
      return "guard";
    case TailStrategy::Cut:
      return "cut";
    case TailStrategy::Mask:
      return "mask";
  }
  return "guard";
}

/// The instances in blocks of `factor` that are whole.
Cut whole_blocks(const Loop& loop, std::int64_t factor) {
  const std::int64_t end = loop.begin + loop.extent() / factor * factor;
  Cut out;
  for (const auto& [name, value] : loop.value) {
    const isl::pw_aff bound =
        isl::set::universe(value.space().domain()).pw_aff_on_domain(static_cast<long>(end));
    out.whole.emplace(name, value.lt_set(bound));
  }
  return out;
}

/// The same of a loop whose end is known when the kernel runs: a block is whole when the loop's
/// range, { [value] }, has all of its values.
Cut whole_blocks_of_sizes(const State& state, LoopId axis, std::int64_t factor,
                          const Request& request) {
  const Program& program = *state.program;
  const Loop& loop = state.order.loop(axis);
  try {
    const IslBudget budget(program.ctx(), kOrderBudget);
    isl::set range;
    for (const auto& [name, value] : loop.value) {
      const isl::set one = program.statement(name).domain.apply(value.as_map());
      range = range.is_null() ? one : range.unite(one);
    }
    range = range.polyhedral_hull();
    const isl::map block_of = range.space()
                                  .identity_multi_aff_on_domain()
                                  .at(0)
                                  .add_constant(-static_cast<long>(loop.begin))
                                  .scale_down(static_cast<long>(factor))
                                  .floor()
                                  .as_map();
    const isl::set all =
        isl_ext::bound(isl::set::universe(range.space()), 0, loop.begin, INT64_MAX);
    const isl::set cut_off = all.subtract(range).apply(block_of);
    const isl::set whole = range.subtract(cut_off.apply(block_of.reverse())).coalesce();
    Cut out;
    for (const auto& [name, value] : loop.value) {
      out.whole.emplace(name, whole.apply(value.as_map().reverse()));
    }
    return out;
  } catch (const isl::exception_quota&) {
    throw undecided(request, kOrderBudget);
  }
}

/// What the loops of a split count when the loop counts digits of fused ones, of which the inner
/// one takes `factor`.
std::pair<FusedDigits, FusedDigits> split_digits(const Loop& loop, std::int64_t factor) {
  const FusedDigits& own = loop.fused;
  if (own.fusion < 0 || own.origin != loop.begin || own.wrap % factor != 0) return {};
  std::int64_t step = 0;
  if (__builtin_mul_overflow(own.step, factor, &step)) return {};
  return {{own.fusion, step, own.wrap / factor}, {own.fusion, own.step, factor}};
}

/// Counts in whole coordinates of the loops that were fused, where it can: their values say the
/// same without floors of floors.
void count_in_coordinates(Loop& loop, const Order& order) {
  const auto digits = digits_of(order, loop);
  if (!digits) return;
  const Fusion& fusion = order.fusions[static_cast<std::size_t>(loop.fused.fusion)];
  for (auto& [name, value] : loop.value) {
    if (const auto number = number_of(fusion, *digits, name)) value = *number;
  }
}

}  // namespace

TailStrategy tail_named(const std::string& name, const SourceLoc& where) {
  for (const auto tail : {TailStrategy::Guard, TailStrategy::Cut, TailStrategy::Mask}) {
    if (name == to_string(tail)) return tail;
  }
  throw ScheduleArgumentError({where, "split has no tail '" + name + "'",
                               "the tails are 'guard', 'cut' and 'mask'", "pass one of these"});
}

SplitResult split(const State& state, const std::string& stage, LoopId axis, std::int64_t factor,
                  const SourceLoc& where, TailStrategy tail) {
  const std::string request =
      "split(" + (state.order.loops.count(axis) != 0 ? loop_name(state, axis) : "axis") +
      ", factor=" + std::to_string(factor) +
      (tail == TailStrategy::Guard ? "" : std::string(", tail=") + to_string(tail)) + ")";
  require_loop(state, stage, axis, request, where);
  if (factor < 1) {
    throw ScheduleArgumentError({where, request + ": the factor is not positive",
                                 "a block of " + std::to_string(factor) + " iterations is empty",
                                 "pass a factor of at least 1"});
  }
  const Loop& loop = state.order.loop(axis);
  require_serial(loop, request, "split first, then mark one of the two loops", where);
  Loop outer;
  outer.name = loop.name + ".o";
  outer.kind = loop.kind;
  outer.begin = 0;
  outer.end = (loop.extent() + factor - 1) / factor;
  outer.where = where;
  Loop inner = outer;
  outer.depends_on_sizes = loop.depends_on_sizes;
  inner.name = loop.name + ".i";
  inner.end = std::min(factor, loop.extent());
  inner.tail = tail;
  for (const auto& [name, value] : loop.value) {
    const isl::pw_aff from_zero = value.add_constant(-static_cast<long>(loop.begin));
    outer.value.emplace(name, from_zero.scale_down(static_cast<long>(factor)).floor());
    inner.value.emplace(name, from_zero.mod(static_cast<long>(factor)));
  }
  std::tie(outer.fused, inner.fused) = split_digits(loop, factor);
  count_in_coordinates(outer, state.order);
  count_in_coordinates(inner, state.order);
  SplitResult out{state, 0, 0};
  const bool has_rest = loop.depends_on_sizes || loop.extent() % factor != 0;
  if (tail == TailStrategy::Cut && factor < loop.extent() && has_rest) {
    out.state.order.cuts.push_back(
        loop.depends_on_sizes ? whole_blocks_of_sizes(state, axis, factor, {request, where})
                              : whole_blocks(loop, factor));
  }
  out.outer = out.state.order.add(std::move(outer));
  out.inner = out.state.order.add(std::move(inner));
  replace_in_paths(out.state, {axis}, {out.outer, out.inner});
  replace_loop(out.state, axis, request, where, {out.outer, out.inner});
  Step step{"split", stage, {{"", axis}, {"factor", factor}}, {out.outer, out.inner}, where};
  if (tail != TailStrategy::Guard)
    step.arguments.emplace_back("tail", std::string(to_string(tail)));
  out.state = proved(std::move(out.state), std::move(step), {request, where});
  return out;
}

std::int64_t factor_of_parts(const State& state, LoopId axis, std::int64_t parts,
                             const SourceLoc& where) {
  if (parts < 1) {
    throw ScheduleArgumentError({where, "split into " + std::to_string(parts) + " parts",
                                 "the number of parts is not positive",
                                 "pass parts of at least 1"});
  }
  const auto at = state.order.loops.find(axis);
  if (at == state.order.loops.end()) return 1;  // a replaced axis, as split says
  if (at->second.depends_on_sizes) {
    throw UnsupportedError({where, "split of '" + at->second.name + "' into parts",
                            "its extent is known when the kernel runs, and ceil(extent / parts) "
                            "iterations of a size are not affine",
                            "pass factor="});
  }
  return std::max<std::int64_t>(1, (at->second.extent() + parts - 1) / parts);
}

}  // namespace solway::schedule
