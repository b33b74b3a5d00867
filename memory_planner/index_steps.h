#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "schedule/region.h"
#include "schedule/state.h"

namespace solway::memory_planner {

/// How an index of one dimension moves when one loop around it moves by one.
struct IndexSteps {
  std::int64_t low = 0;   ///< the least step; negative: it moves back
  std::int64_t high = 0;  ///< the greatest
  std::int64_t largest() const;
};

/// { [loops around the statement] -> its instance }
isl::map instances_over_loops(const schedule::State& state, const std::string& statement);

/// { [loops around the statement] -> [index of dimension `dim`] }
isl::map index_over_loops(const schedule::State& state, const schedule::Access& access, int dim);

/// The same, of which instances_over_loops is known: that is most of the work.
isl::map index_over_loops(const isl::map& instances, const schedule::Access& access, int dim);

/// { [l0, ..., lk, ...] -> [l0, ..., lk + 1, ...] }, of the loops that `index` has.
isl::map next_iteration(const isl::map& index, std::size_t k);

/// The least and the greatest value of a function; none when it is nowhere defined.
IndexSteps values_of(const isl::pw_aff& function);

/// Steps over all pairs of neighbouring iterations of loop number `k` around the statement; none
/// where it does not matter, or has one iteration. `index` is index_over_loops, or the same as a
/// function, of which this is much faster where it has several pieces.
IndexSteps steps_of(const isl::map& index, std::size_t k);
IndexSteps steps_of(const isl::pw_aff& index, std::size_t k);

/// Iterations of a loop in which the index takes steps of one size, where each of the blocks that
/// follow each other is one of these and steps from one to the next are of one other size: 16 of
/// `f // 16` and of `f % 16`. nullopt where all steps are the same or their sizes follow another
/// pattern. `begin` is the loop's first value.
std::optional<std::int64_t> block_of(const isl::map& index, std::size_t k, std::int64_t begin);

}  // namespace solway::memory_planner
