#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/buffer_read.h"
#include "schedule/buffer_write.h"
#include "schedule/reorder.h"
#include "schedule/split.h"
#include "schedule/state.h"

#include "tests/support/sample_programs.h"

namespace solway::lowering::testing {

/// The matrix product of Figure 2 of the swTVM paper: tiles of 128 columns, steps of 64.
struct Figure2 : samples::Matmul {
  schedule::State state;
  schedule::LoopId x, yo, yi, ko, ki;

  explicit Figure2(std::int64_t m = 1, std::int64_t n = 1024, std::int64_t depth = 1024)
      : Matmul(m, n, depth), state(schedule::make_state({c}, samples::at(5))) {
    const auto loops = state.stage_loops.at("C");
    x = loops[0];
    auto y = schedule::split(state, "C", loops[1], 128, samples::at(6));
    auto k = schedule::split(y.state, "C", loops[2], 64, samples::at(7));
    yo = y.outer;
    yi = y.inner;
    ko = k.outer;
    ki = k.inner;
    state = schedule::reorder(k.state, "C", {yo, ko, yi, ki}, samples::at(8));
  }

  static schedule::BufferRequest request(const std::string& tensor, schedule::LoopId at,
                                         const std::vector<schedule::LoopId>& region,
                                         const std::string& scope) {
    schedule::BufferRequest out;
    out.stage = "C";
    out.tensor = tensor;
    out.at = at;
    out.scope = scope;
    out.text = "buffer(" + tensor + ")";
    if (!region.empty()) out.region.emplace();
    for (const schedule::LoopId loop : region) out.region->push_back({loop, {}, {}});
    return out;
  }

  void read(const std::string& tensor, schedule::LoopId at,
            const std::vector<schedule::LoopId>& region, const std::string& scope = "") {
    state = schedule::buffer_read(state, request(tensor, at, region, scope), samples::at(9)).state;
  }

  void write(schedule::LoopId at, const std::vector<schedule::LoopId>& region,
             const std::string& scope = "") {
    state = schedule::buffer_write(state, request("C", at, region, scope), samples::at(9)).state;
  }

  /// The three buffers of Figure 2(c).
  void buffer_all(const std::string& scope = "") {
    read("B", ko, {ki, yi}, scope);
    read("A", ko, {ki}, scope);
    write(yo, {yi}, scope);
  }
};

}  // namespace solway::lowering::testing
