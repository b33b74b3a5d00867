#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/refusal.h"
#include "schedule/draft.h"

namespace solway::driver {

/// Whether iterations of a stage may depend on each other, so that an order of its loops may be
/// illegal: it updates a tensor, or reads its own elements.
inline bool may_depend_on_itself(const schedule::State& state, const std::string& stage) {
  const std::vector<dsl::Tensor>& all = state.program->stages;
  return std::any_of(all.begin(), all.end(), [&](const dsl::Tensor& one) {
    return one->name == stage && (one->self || one->is_update());
  });
}

/// What a planner writes, applied to a draft and proved as a whole. Where iterations depend on each
/// other, the loops are proved before, as they may be refused soon: buffers would take long.
///
/// `Writer` has state(), write_loops(), write_inside(), which says whether the schedule is to be
/// proved, depends_on_itself(), and take(), its result. nullopt when the draft is refused or not
/// shown to be legal: primitives that are applied one by one say then which one is wrong.
template <typename Writer>
auto try_draft(Writer writer, const SourceLoc& where) -> std::optional<decltype(writer.take())> {
  using Result = std::optional<decltype(writer.take())>;
  const schedule::Request request{"auto_buffer", where};
  const auto settle = [&] {
    auto settled = schedule::try_settle(std::move(writer.state()), request);
    if (!settled) return false;
    writer.state() = *std::move(settled);
    return true;
  };
  const auto apply = [&]() -> Result {
    writer.state() = schedule::begin_draft(std::move(writer.state()));
    writer.write_loops();
    if (writer.depends_on_itself()) {
      if (!settle()) return std::nullopt;
      writer.state() = schedule::begin_draft(std::move(writer.state()));
    }
    if (writer.write_inside() && !settle()) return std::nullopt;
    return writer.take();
  };
  return unless_refused(apply, [](const Error&) { return Result(); });
}

}  // namespace solway::driver
