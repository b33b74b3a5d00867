#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <isl/cpp.h>

#include "dsl/expr.h"
#include "schedule/references.h"
#include "schedule/state.h"

namespace solway::schedule {

/// One item of what varies inside a buffer: a loop, or an index expression of axes.
struct RegionItem {
  LoopId loop = -1;  ///< -1: the expression counts
  dsl::Expr index;
  std::vector<std::pair<dsl::Axis, LoopId>> axes;  ///< the loop that each axis of `index` is
};

using Region = std::vector<RegionItem>;

/// "ki", or the expression as text.
std::string to_string(const State& state, const RegionItem& item);
/// "[ki, yi]"
std::string to_string(const State& state, const Region& region);

/// "[{3}, {4}*2 + 1]": the region as an argument of a step.
StepText step_text(const Region& region);
/// "{sizes.n} % 16 == 0": an expression of sizes as an argument of a step.
StepText step_text(const dsl::Expr& expr);

/// The loops that an item names.
std::set<LoopId> loops_of(const RegionItem& item);

/// Which accesses of a stage a buffer serves: what it reads of a tensor, or all that it does with
/// a tensor that it writes.
enum class AccessKind : std::uint8_t { Reads, Writes };

/// One access of a statement to a tensor.
struct Access {
  std::string statement;
  bool is_write = false;
  std::size_t slot = 0;  ///< position in Statement::writes, or else in Statement::reads
  isl::map relation;
  isl::multi_pw_aff index;
};

/// The accesses of `stage` to array `tensor`, statements in textual order. For Writes the reads of
/// an accumulator are among them. `references`: of its reads only these.
std::vector<Access> accesses_of(const State& state, const std::string& stage,
                                const std::string& tensor, AccessKind kind,
                                const ReferenceNumbers& references = {});

/// { S[iteration] -> [values of the loops] }, defined on the whole space.
isl::multi_pw_aff values_of(const State& state, const std::string& statement,
                            const std::vector<LoopId>& loops);

/// The loops around a statement on whose values a function of its instances depends.
std::set<LoopId> dependent_loops(const State& state, const std::string& statement,
                                 const isl::pw_aff& function);

/// Per dimension of the tensor, the loops on whose values the accesses depend.
std::vector<std::set<LoopId>> dependent_loops(const State& state,
                                              const std::vector<Access>& accesses);

/// Whether `item` varies dimension `dim`: a loop that the dimension depends on; an expression when
/// (access index - expression) is free of the loops in `inside` for every access.
bool matches(const State& state, const std::vector<Access>& accesses, const RegionItem& item,
             int dim, const std::vector<LoopId>& inside);

}  // namespace solway::schedule
