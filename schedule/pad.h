#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/state.h"

namespace solway::schedule {

/// The tensors that pad makes.
struct PadResult {
  State state;
  dsl::Tensor padded;                 ///< "C_pad"
  std::vector<dsl::Tensor> operands;  ///< "A_pad", of what is read beyond its extents
};

/// Computes more elements than a tensor has, so that whole tiles and vectors are computed where its
/// extents do not divide.
///
///   before: for i in [0, 30): { C[i] = 0; for k: C[i] += A[i, k] * B[k] }
///   after:  for i in [0, 32): for k: A_pad[i, k] = select(i < 30, A[i, k], 0)
///           for i in [0, 32): { C_pad[i] = 0; for k: C_pad[i] += A_pad[i, k] * B[k] }
///           for i in [0, 30): C[i] = C_pad[i]
///
/// `shape` are the extents of C_pad. What its stage reads beyond the end of a tensor is 0, in a
/// stage "A_pad", of which buffers are filled with fill_padding; a stage that computes A for this
/// one alone, without a reduction, computes A_pad itself. An output is copied from C_pad; of any
/// other tensor nothing is left, as its readers read C_pad.
///
/// From here on the schedule is compared with the padded program, which has been proved to give
/// each element that was there the same value. Throws ScheduleArgumentError for a shape that is
/// not larger, and for a stage that another primitive has changed; UnsupportedError for one of
/// several tensors, that reads itself, or whose extents are sizes.
PadResult pad(const State& state, const std::string& stage, const std::vector<std::int64_t>& shape,
              const SourceLoc& where);

}  // namespace solway::schedule
