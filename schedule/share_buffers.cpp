#include "schedule/share_buffers.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "schedule/statement.h"
#include "support/target.h"

namespace solway::schedule {
namespace {

/// The step that made a buffer with buffer_read and nothing that scope "shared" does not have.
Step* plain_step(State& state, const std::string& buffer) {
  const auto has_other = [](const Step& step) {
    return std::any_of(step.arguments.begin(), step.arguments.end(), [](const auto& argument) {
      constexpr std::array<const char*, 5> kOthers{"scope", "depth", "fill_padding", "slide",
                                                   "align"};
      return std::find(kOthers.begin(), kOthers.end(), argument.first) != kOthers.end();
    });
  };
  const auto step = std::find_if(state.log.begin(), state.log.end(), [&](const Step& one) {
    return one.primitive == "buffer_read" && one.buffer == buffer;
  });
  return step == state.log.end() || has_other(*step) ? nullptr : &*step;
}

/// Puts the argument where buffer_read has it: before the layout.
void say_shared(Step& step) {
  const auto layout = std::find_if(step.arguments.begin(), step.arguments.end(),
                                   [](const auto& one) { return one.first == "layout"; });
  step.arguments.insert(layout, {"scope", std::string(kSharedScope)});
}

}  // namespace

std::set<std::string> passed_into(const State& state, LoopId loop) {
  std::set<std::string> out;
  for (const auto& [name, buffer] : state.program->buffers) {
    bool is_filled_inside = false;
    bool is_read_inside = false;
    for (const Placement& p : state.order.placements) {
      if (std::find(p.path.begin(), p.path.end(), loop) == p.path.end()) continue;
      const Statement& s = state.program->statement(p.statement);
      is_filled_inside = is_filled_inside || s.writes_to(name);
      is_read_inside = is_read_inside || s.reads_from(name);
    }
    if (is_read_inside && !is_filled_inside && buffer.depth == 1) out.insert(name);
  }
  return out;
}

State share_buffers(const State& state, LoopId loop) {
  State out = state;
  Program program = *state.program;
  for (const std::string& name : passed_into(state, loop)) {
    Step* const step = plain_step(out, name);
    if (step == nullptr) continue;
    say_shared(*step);
    program.arrays.at(name).scope = kSharedScope;
  }
  out.program = std::make_shared<const Program>(std::move(program));
  return out;
}

}  // namespace solway::schedule
