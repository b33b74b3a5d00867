#include "schedule/mark_loop.h"

#include "schedule/legality.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

State mark_loop(const State& state, const std::string& stage, LoopId axis, LoopMark mark,
                const std::string& primitive, const SourceLoc& where) {
  require_loop(state, stage, axis, primitive, where);
  const std::string request = primitive + "(" + loop_name(state, axis) + ")";
  const Loop& loop = state.order.loop(axis);
  if (loop.mark != LoopMark::Serial && loop.mark != mark) {
    throw ScheduleArgumentError({where, request + ": '" + loop.name + "' has another mark already",
                                 "a loop runs in one way",
                                 "split it and mark the two loops differently"});
  }
  if (mark == LoopMark::Parallel && loop.kind == dsl::AxisKind::Reduce) {
    throw UnsupportedError({where, request + ": '" + loop.name + "' is a reduction axis",
                            "cores would need partial results that are merged at the end",
                            "make a spatial axis parallel"});
  }
  State out = state;
  out.order.loops.at(axis).mark = mark;
  if (mark != LoopMark::Unrolled) {
    require_no_race(out, axis, {request, where});
  }
  out.log.push_back({primitive, stage, {{"", axis}}, {}, where});
  return out;
}

}  // namespace

State parallel(const State& state, const std::string& stage, LoopId axis, const SourceLoc& where) {
  return mark_loop(state, stage, axis, LoopMark::Parallel, "parallel", where);
}

State vectorize(const State& state, const std::string& stage, LoopId axis, const SourceLoc& where) {
  return mark_loop(state, stage, axis, LoopMark::Vectorized, "vectorize", where);
}

State unroll(const State& state, const std::string& stage, LoopId axis, const SourceLoc& where) {
  return mark_loop(state, stage, axis, LoopMark::Unrolled, "unroll", where);
}

}  // namespace solway::schedule
