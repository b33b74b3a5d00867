#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "schedule/request.h"
#include "schedule/state.h"
#include "support/error.h"

namespace solway::schedule {

/// The expressions of a stage C that computes more than its tensor has:
///
///   before:  C[i] = sum over k of A[i, k]                                   i in [0, 30)
///   after:   A_pad[i, k] = select(i < 30, A[i, k], 0)                       i in [0, 32)
///            C_pad[i] = sum over k of A_pad[i, k]                           i in [0, 32)
///            C[i] = C_pad[i]                                                i in [0, 30)
struct PaddedTensors {
  std::vector<dsl::Tensor> operands;  ///< A_pad: what is read beyond its extents
  dsl::Tensor padded;                 ///< C_pad
  dsl::Tensor copy;                   ///< C
  /// Stages that only C reads and that an operand computes itself, in more elements: its name.
  std::map<std::string, std::string> extended;
};

/// The error for a stage whose tensor takes no more elements.
UnsupportedError cannot_pad(const Request& request, const std::string& stage,
                            const std::string& why, const std::string& fix);

/// The tensors of `stage`, with `shape` instead of its own. What is read beyond the extents of a
/// tensor is 0; a stage that computes nothing but what this one reads, without a reduction, is
/// computed there. Throws UnsupportedError for reads at data, and below the first element.
PaddedTensors padded_tensors(const State& state, const dsl::Tensor& stage,
                             const std::vector<std::int64_t>& shape, const Request& request);

}  // namespace solway::schedule
