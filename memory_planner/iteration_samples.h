#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dsl/expr.h"
#include "schedule/statement.h"

/// Which iterations of the box around a statement's loops it runs: all of a square, half of them
/// below a diagonal.
namespace solway::memory_planner {

using Iterations = std::vector<std::vector<std::int64_t>>;

/// The iterations of a statement, as far as they are counted.
struct IterationSamples {
  double filled = 1;   ///< of the box, how much it runs
  double entered = 1;  ///< the same of its spatial loops: those for which a reduction has terms
  Iterations inside;   ///< of those that it runs, all, or so many that lie evenly among them
};

/// Of a box of at most 4096 iterations each is looked at, of a larger one 4096 that lie evenly in
/// it (Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018, its R sequence).
/// Needs: loops whose ends are known.
IterationSamples sample_iterations(const schedule::Statement& statement);

/// Of these iterations, those where a condition holds; nullopt where it is not affine.
std::optional<Iterations> iterations_where(const schedule::Statement& statement,
                                           const dsl::Expr& condition, const Iterations& all);

}  // namespace solway::memory_planner
