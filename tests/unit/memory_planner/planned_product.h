#pragma once

#include <cstdint>

#include "memory_planner/plan_cost.h"

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner::testing {

/// A product of matrices with everything that the model asks for.
struct PlannedProduct {
  PlannedProduct(std::int64_t m, std::int64_t n, std::int64_t depth) : stage(matmul(m, n, depth)) {
    body.accumulate_cycles = 7;
    body.is_reduction = body.is_product = true;
    body.lanes = 4;
    body.accesses = {1, 1, 1};
    body.shapes = {{m, depth}, {depth, n}, {m, n}};
  }

  CostInputs inputs() const { return {&stage, &body, &target, target.engine_or_null("ldm")}; }

  StageModel stage;
  BodyModel body;
  Target target = load_target("sw26010", {});
};

}  // namespace solway::memory_planner::testing
