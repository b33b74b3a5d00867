#pragma once

#include <string>

#include "lowering/ir/printer.h"
#include "lowering/lower.h"
#include "schedule/state.h"
#include "support/error.h"

#include "tests/support/sample_programs.h"

/// A matmul that primitives rewrite, and its loops as text.
namespace solway::schedule::testing {

struct ScheduledMatmul : samples::Matmul {
  State state;
  LoopId lx, ly, lk;

  ScheduledMatmul(std::int64_t m, std::int64_t n, std::int64_t depth)
      : Matmul(m, n, depth), state(schedule::make_state({c}, samples::at(5))) {
    const auto& loops = state.stage_loops.at("C");
    lx = loops[0];
    ly = loops[1];
    lk = loops[2];
  }

  /// The kernel without its head.
  std::string printed(const State& s) const {
    const std::string all = ir::to_string(lowering::lower(s, {a, b, c}, "k", {}).kernel);
    return all.substr(all.find('\n') + 1);
  }
};

/// The error that `call` throws.
template <typename E, typename Call>
Error::Report refusal(const Call& call) {
  try {
    call();
  } catch (const E& e) {
    return e.report();
  }
  return {{}, "accepted", "", ""};
}

}  // namespace solway::schedule::testing
