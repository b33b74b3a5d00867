#pragma once

#include <optional>
#include <string>

#include "schedule/buffer_read.h"
#include "schedule/buffer_write.h"
#include "schedule/reorder.h"
#include "schedule/split.h"
#include "support/target.h"

#include "tests/support/sample_programs.h"

namespace solway::memory_planner::testing {

/// Figure 2 of the paper: M = 1, y in tiles, k in tiles, with BB and AA inside k.o and CC inside
/// y.o.
inline schedule::State buffered_matmul(std::int64_t y_tile, std::int64_t k_tile) {
  const samples::Matmul matmul(1, 1024, 1024);
  schedule::State state = schedule::make_state({matmul.c}, samples::at(5));
  const auto loops = state.stage_loops.at("C");
  const auto y = schedule::split(state, "C", loops[1], y_tile, samples::at(6));
  const auto k = schedule::split(y.state, "C", loops[2], k_tile, samples::at(7));
  state = schedule::reorder(k.state, "C", {y.outer, k.outer, y.inner, k.inner}, samples::at(8));
  const auto add = [&](const std::string& tensor, schedule::LoopId at, int line) {
    schedule::BufferRequest request;
    request.stage = "C";
    request.tensor = tensor;
    request.at = at;
    request.text = (tensor == "C" ? "buffer_write(" : "buffer_read(") + tensor + ")";
    state = tensor == "C" ? schedule::buffer_write(state, request, samples::at(line)).state
                          : schedule::buffer_read(state, request, samples::at(line)).state;
  };
  add("B", k.outer, 9);
  add("A", k.outer, 10);
  add("C", y.outer, 11);
  return state;
}

/// 64 cores with a scratchpad of 64 KB each.
inline Target scratchpad_machine() { return load_target("sw26010", samples::at(1)); }

}  // namespace solway::memory_planner::testing
