#pragma once

#include <optional>
#include <string>

#include "driver/write_fused_nest.h"
#include "memory_planner/extract_stage.h"
#include "memory_planner/plan_memo.h"

namespace solway::driver {

/// A product and its only reader, which takes each element once, to plan as one.
struct ProductEpilogue {
  FusedNest nest;
  memory_planner::BodyModel body;
};

/// nullopt where nothing can be fused: the stage is no product of matrices, others see what it
/// computes, its reader does more than compute one element for each of them, or the user has
/// scheduled one of the two.
std::optional<ProductEpilogue> product_epilogue(const schedule::State& state,
                                                const std::string& product, const Target& target,
                                                memory_planner::PlanMemo& plans,
                                                const memory_planner::Decided& decided = {});

/// The best plan of both as one, with a micro-kernel; nullopt where there is none that tiles the
/// reader. `means` leaves out what a primitive has refused.
std::optional<memory_planner::OptimalPlan> plan_together(const ProductEpilogue& fused,
                                                         const Target& target,
                                                         const memory_planner::Room& room,
                                                         memory_planner::PlanMemo& plans,
                                                         memory_planner::Means means = {});

/// Cycles of the best plans of the product and of its reader, each by itself.
double cycles_apart(const schedule::State& state, const ProductEpilogue& fused,
                    const Target& target, const memory_planner::Room& room,
                    memory_planner::PlanMemo& plans, const memory_planner::Decided& decided = {});

/// Cycles of the best plan of one stage.
double best_cycles(const schedule::State& state, const std::string& stage, const Target& target,
                   const memory_planner::Room& room, memory_planner::PlanMemo& plans,
                   const memory_planner::Decided& decided = {});

}  // namespace solway::driver
