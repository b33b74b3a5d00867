#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/rows_together.h"
#include "memory_planner/plan_decisions.h"
#include "schedule/state.h"
#include "support/remark.h"
#include "support/target.h"

namespace solway::driver {

/// A schedule in which stages were put into others, and why.
struct FusedStages {
  schedule::State state;
  /// Per stage that was moved.
  std::vector<std::pair<std::string, memory_planner::Decision>> decisions;
  Remarks remarks;                           ///< what was refused
  std::map<std::string, std::string> hosts;  ///< of stages that run in another one's loops
  /// Of hosts whose stages may run for several rows together: how many do, and how many may be
  /// better.
  std::map<std::string, RowsTogether> rows;
};

/// Whether a primitive was applied to a stage, or a buffer is tied to it.
bool is_touched(const schedule::State& state, const std::string& stage);

/// The same, but that another layout or more elements of what it computes leave the stage as it is.
bool is_scheduled(const schedule::State& state, const std::string& stage);

/// Whether the stage computes one tensor, once, that only other stages see.
bool is_movable(const schedule::State& state, const std::string& stage);

/// The stages that read what `stage` computes, in program order.
std::vector<std::string> readers_of(const schedule::State& state, const std::string& stage);

/// The operand by which one statement alone reads what a stage computes, each element in at most
/// one iteration, with that statement; nullopt when others read it too, or several iterations an
/// element.
struct OnlyRead {
  std::string statement;
  std::size_t slot = 0;   ///< the first of `times`
  std::size_t times = 1;  ///< how often the expression names that element
};
std::optional<OnlyRead> only_read(const schedule::State& state, const std::string& stage);

/// Whether there is such a read, and the expression names the element once: to compute the stage in
/// it computes nothing twice.
bool is_named_once(const schedule::State& state, const std::string& stage);

/// Stages that run in the outer loops of the last of them, the host: what one iteration of these
/// needs of the others no other iteration does.
struct RowChain {
  std::string host;
  std::vector<std::string> members;  ///< in program order, without the host
  std::size_t rows = 1;              ///< outer loops of the host
};

/// The chains of a program that hold neither products of matrices nor stages that the user has
/// scheduled: softmax, normalisations. No stage is in two of them.
std::vector<RowChain> find_row_chains(const schedule::State& state, const Target& target,
                                      const SourceLoc& where);

/// Computes where they are read, without computing anything twice: stages without a reduction in
/// the expression of their only reader (compute_inline), and others at the innermost loop of their
/// readers' nest whose iterations need different elements (compute_at), as the rows of a softmax.
/// Products whose results hold registers are left, and so are stages that the user has scheduled.
///
/// Where the second-level cache does not hold all that stages then store for others, these,
/// products too, run in the outer loops of their reader whose iterations share nothing, slice by
/// slice: the scores of attention for one head after the other. Where the cache does not hold a
/// slice, and its rows need different elements, the next loop is split and they run block by block:
///
///   before: for h: for i: for j: S[h, i, j] = sum_r Q[h, i, r] * K[h, j, r]
///           for h: for i: for c: U[h, i, c] = sum_j S[h, i, j] * V[h, j, c]
///   after:  for h: for io: { for ii: for j: S[ii, j] = sum_r Q[h, 64 * io + ii, r] * K[h, j, r]
///                            for ii: for c: U[h, 64 * io + ii, c] = sum_j S[ii, j] * V[h, j, c] }
///
///   before: for i: M[i] = max_k X[i, k]
///           for i: for j: E[i, j] = exp(X[i, j] - M[i])
///           for i: S[i] = sum_k E[i, k]
///           for i: for j: Y[i, j] = E[i, j] / S[i]
///   after:  for i: { M = max_k X[i, k]; for j: E[j] = exp(X[i, j] - M)
///                    S = sum_k E[k]; for j: Y[i, j] = E[j] / S }
///
/// Hosts among `in_most_rows` have the most rows together that rows_together allows.
FusedStages fuse_stages(const schedule::State& state, const Target& target, const SourceLoc& where,
                        const std::set<std::string>& in_most_rows = {});

}  // namespace solway::driver
