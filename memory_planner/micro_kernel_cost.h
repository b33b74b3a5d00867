#pragma once

#include <cstdint>

#include "memory_planner/nest_plan.h"
#include "memory_planner/product_form.h"
#include "support/target.h"

/// The assembly that multiplies a tile of a product of matrices: `tensorize` with micro_kernel().
namespace solway::memory_planner {

/// Whether the target's code generator writes assembly of its cores, and buffers begin where it can
/// load vectors.
bool has_micro_kernels(const Target& target);

/// Whether assembly can run the whole tile of a plan, of a product of that form: no tile is
/// smaller than others, columns are whole vectors, and what lies apart is within what an
/// instruction adds to an address. Needs: all three tensors staged.
bool fits_micro_kernel(const StageModel& stage, const NestPlan& plan, const ProductForm& form);

/// Cycles of one call: `columns` is a multiple of a vector. `rounds` are outermost first; the inner
/// ones run inside of each step, up to 16 times, and cost nothing else.
double micro_kernel_cycles(std::int64_t rows, std::int64_t columns, std::int64_t terms,
                           const std::vector<std::int64_t>& rounds = {});

/// Cycles in which the busiest core computes a plan whose tiles micro-kernels run, with the loops
/// around the calls and the zeros that sums begin with.
double compute_by_micro_kernel(const StageModel& stage, const NestPlan& plan, const Target& target);

}  // namespace solway::memory_planner
