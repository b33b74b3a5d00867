#pragma once

#include <cstdint>
#include <vector>

#include "memory_planner/body_model.h"
#include "memory_planner/stage_model.h"

namespace solway::memory_planner {

/// A stage, other loops around, as a product of matrices:
///
///   sums[rows, columns] += numbers[rows, rounds.., terms] * vectors[rounds.., terms, columns]
///
/// Neighbours along `columns` lie side by side in `sums` and in `vectors`, so that whole vectors of
/// them are multiplied with single numbers. Positions name StageModel::loops and
/// StageModel::tensors; rows -1: there is only one.
///
/// A window that slides along the columns, as in sums[f, x] += numbers[f, r] * vectors[x + r],
/// begins within a vector for most r. Its loops run around the transfers of `vectors`, one
/// iteration at a time: a transfer may begin anywhere, and what it brings begins at a vector.
struct ProductForm {
  int rows = -1;
  int columns = -1;
  int terms = -1;
  int sums = -1;
  int numbers = -1;
  int vectors = -1;
  std::vector<int> rounds = {};   ///< other loops of the reduction, outermost first; at most two
  std::vector<int> windows = {};  ///< loops of the reduction that move `vectors` along the columns
};

/// The ways in which a stage is such a product: one for each choice of its loops; none when it is
/// another sum, or when no dimension that it writes lies so.
std::vector<ProductForm> product_forms(const StageModel& stage, const BodyModel& body);

/// Whether a loop is one of the product's own.
bool is_multiplied(const ProductForm& form, int loop);

/// Whether a loop is one of its windows.
bool is_window(const ProductForm& form, int loop);

/// Elements in near memory from one iteration of a loop to the next, in a buffer of a tile.
std::int64_t stride_elems(const TensorModel& tensor, int loop, const Tiles& tiles);

}  // namespace solway::memory_planner
