#pragma once

#include <optional>
#include <utility>

#include "driver/refusal.h"
#include "schedule/draft.h"

namespace solway::driver {

/// What a planner writes, applied to a draft and proved twice: after the loops, and as a whole. Of
/// iterations that depend on each other the first proof is refused soon; buffers would take long.
///
/// `Writer` has state(), write_loops(), write_inside(), which says whether the schedule is to be
/// proved, and take(), its result. nullopt when the draft is refused or not shown to be legal:
/// primitives that are applied one by one say then which one is wrong.
template <typename Writer>
auto try_draft(Writer writer, const SourceLoc& where) -> std::optional<decltype(writer.take())> {
  using Result = std::optional<decltype(writer.take())>;
  const schedule::Request request{"auto_buffer", where};
  const auto apply = [&]() -> Result {
    writer.state() = schedule::begin_draft(std::move(writer.state()));
    writer.write_loops();
    auto settled = schedule::try_settle(writer.state(), request);
    if (!settled) return std::nullopt;
    writer.state() = schedule::begin_draft(*std::move(settled));
    if (writer.write_inside()) {
      settled = schedule::try_settle(std::move(writer.state()), request);
      if (!settled) return std::nullopt;
      writer.state() = *std::move(settled);
    }
    return writer.take();
  };
  return unless_refused(apply, [](const Error&) { return Result(); });
}

}  // namespace solway::driver
