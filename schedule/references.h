#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schedule/request.h"
#include "schedule/state.h"

/// The reads of a tensor that stand in a stage's expression: a buffer may serve some of them.
namespace solway::schedule {

/// Numbers of references, as references_of counts them; nullopt: all that read the tensor itself.
using ReferenceNumbers = std::optional<std::vector<int>>;

/// One read that the user wrote.
///
///   Y[i] = X[i] + X[i + 8]     X[i] is reference 0 of Y to X, X[i + 8] is 1
struct Reference {
  std::string text;  ///< "X[i + 8]"
  /// The operands that read for it, by statement and position in Statement::reads: several where
  /// it is written once and used inside of a reduction and beside it.
  std::vector<std::pair<std::string, std::size_t>> operands;
};

/// The references of `stage` to `tensor`, in the order in which they are written, those of a nested
/// reduction before those around it; whether they read the tensor or a buffer of it. What is
/// written once and used at several places is one reference.
std::vector<Reference> references_of(const State& state, const std::string& stage,
                                     const std::string& tensor);

/// "0: X[i], 1: X[i + 8]"
std::string to_string(const std::vector<Reference>& references);

/// "[0, 1]"
std::string to_string(const std::vector<int>& numbers);

/// Throws ScheduleArgumentError for numbers of which there is no reference, that are named twice,
/// or of references that a buffer serves already, and for none at all.
void require_references(const State& state, const std::string& stage, const std::string& tensor,
                        const std::vector<int>& numbers, const Request& request);

}  // namespace solway::schedule
