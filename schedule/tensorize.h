#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "schedule/request.h"
#include "schedule/state.h"

namespace solway::schedule {

/// What one array of an intrinsic is in the loops that it runs.
struct MatchedOperand {
  std::string name;                 ///< of the intrinsic's tensor
  std::optional<std::size_t> read;  ///< which of Statement::reads; nullopt: the array it stores to
  /// Per dimension of the intrinsic's tensor, how far one step along it goes in each dimension of
  /// the statement's array.
  std::vector<std::vector<std::int64_t>> steps;
  /// Per dimension of the statement's array, what leads from the element of the first iteration to
  /// the intrinsic's element 0.
  std::vector<std::int64_t> offset;
};

/// How an intrinsic computes what one statement does in its loops.
struct IntrinsicMatch {
  std::string statement;
  std::vector<MatchedOperand> operands;  ///< what it stores to first
};

/// Proves that the loops from `axis` inward compute what `intrinsic` says, in every iteration of
/// the loops around. Throws ScheduleArgumentError that names the difference: other statements, an
/// extent, a partial box, the expression, an operand and its index; UnsupportedError for an
/// intrinsic of several statements.
IntrinsicMatch match_intrinsic(const State& state, LoopId axis, const Intrinsic& intrinsic,
                               const Request& request);

/// Runs code that a person wrote in place of the loops from `axis` inward.
///
///   before: for i.o: for j.o: for i.i in [0, 4): for j.i in [0, 4): for k in [0, 8): C[..] += ...
///   after:  for i.o: for j.o: gemm4x4(C: C[i.o*4, j.o*4], A: A[i.o*4, 0], B: B[0, j.o*4])
///
/// A reduction adds to its output, so that its initialisation must stand outside, in copies of the
/// loops or in others; it runs as before. The loops stay
/// what they are; whatever changes them later is proved to keep the match. Throws as
/// match_intrinsic.
State tensorize(const State& state, const std::string& stage, LoopId axis,
                const std::shared_ptr<const Intrinsic>& intrinsic, const SourceLoc& where);

/// match_intrinsic for every tensorized loop.
void require_intrinsics(const State& state, const Request& request);

}  // namespace solway::schedule
