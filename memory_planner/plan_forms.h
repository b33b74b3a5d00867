#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "memory_planner/nest_plan.h"
#include "memory_planner/plan_cost.h"
#include "memory_planner/plan_decisions.h"

namespace solway::memory_planner {

/// What the search chooses among, beside tiles, orders and depths.
class PlanForms {
 public:
  /// Refers to `in` and to what it names.
  explicit PlanForms(const CostInputs& in, const Means& means = {});

  /// No parallel loop, one, or two on the mesh; nothing is tiled.
  std::vector<NestPlan> parallel_forms() const;

  /// Two parallel loops, of which the second has parts on rows as well (NestPlan::rows_of_part).
  std::vector<NestPlan> forms_on_several_rows() const;

  /// Gives a plan the loops that the user runs on different cores.
  void keep_marks(NestPlan& plan) const;

  /// What registers hold: the forms with the least computing per element, of each vector loop.
  /// What the user holds is held, whole; none where the model does not count vectors along a loop
  /// that the user runs so.
  std::vector<NestPlan> held_forms(const NestPlan& cores) const;

  /// Tiles that micro-kernels multiply: one form for each way in which the stage is a product.
  std::vector<NestPlan> micro_kernel_forms(const NestPlan& cores) const;

  /// Whether there are such forms: the stage is a product, and micro-kernels are among the means.
  bool multiplies_by_micro_kernel() const { return !products_.empty(); }

  /// Iterations of a loop that a tile may hold, ascending.
  std::vector<std::int64_t> tile_sizes(const NestPlan& plan, int loop) const;

  const std::vector<int>& spatial() const { return spatial_; }
  const std::vector<int>& reduce() const { return reduce_; }

 private:
  using Counted = std::vector<std::pair<double, NestPlan>>;
  NestPlan whole() const;
  bool has_marks() const;
  bool may_be_parallel(int loop) const;
  std::int64_t least_held(int loop) const;
  bool may_be_lanes(int loop) const;
  void run_in_parts(NestPlan& plan, int loop, std::int64_t part) const;
  std::vector<NestPlan> on_numbered_cores(int loop) const;
  NestPlan on_mesh(int on_rows, int on_columns) const;
  std::vector<NestPlan> on_several_rows(int first, int second) const;
  bool may_run_in_vectors(int loop) const;
  bool may_run_across(int loop) const;
  void add_across(NestPlan& plan, Counted& out) const;
  std::vector<std::int64_t> held_sizes(const NestPlan& plan, int loop) const;
  void add_held(NestPlan& plan, std::size_t next, Counted& out) const;
  bool are_near(const NestPlan& plan, int loop, std::int64_t copies) const;
  std::int64_t most_copies(const NestPlan& plan, std::size_t reductions) const;
  void unroll_reduction(NestPlan& plan, Counted& out) const;
  void add_form(const NestPlan& plan, bool is_unrolled, Counted& out) const;
  bool only_vector_held(const NestPlan& plan) const;
  NestPlan smallest(NestPlan plan) const;

  const CostInputs& in_;
  const StageModel& stage_;
  Means means_;
  std::vector<int> spatial_;
  std::vector<int> reduce_;
  std::vector<ProductForm> products_;  ///< none where there are no micro-kernels
};

}  // namespace solway::memory_planner
