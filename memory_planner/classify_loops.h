#pragma once

#include <set>
#include <vector>

#include "memory_planner/stage_model.h"

namespace solway::memory_planner {

/// Loops by what their tile changes in the transfers. A loop that no tensor depends on is in none.
///
///   size  the dimension of some tensor that grows its buffer next: longer transfers
///   num   a higher dimension only: more transfers
///   comp  both
struct LoopClasses {
  std::vector<int> comp;
  std::vector<int> size;
  std::vector<int> num;
};

/// Which loops grow the buffers at present. Buffers grow from the contiguous dimension upwards: a
/// dimension is complete once all loops that it depends on lie wholly inside the tile, and then
/// the next one grows.
///
/// Source: swTVM, Algorithm 5; `classify` is its CLASSIFY, `complete` and `reopen` are its UPDATE
/// with the directions UP and DOWN.
class LoopClassifier {
 public:
  /// Loops whose tile the user fixed are complete from the start.
  explicit LoopClassifier(const StageModel& stage);

  LoopClasses classify() const;

  /// The tile of `loop` is now its whole range.
  void complete(int loop);

  /// It is no longer.
  void reopen(int loop);

  /// The dimension of a tensor that grows next, counted from the contiguous one; its rank when all
  /// are complete.
  int growing_dim(int tensor) const { return growing_dims_[static_cast<std::size_t>(tensor)]; }

 private:
  /// Counted from the contiguous dimension, as the paper counts.
  const DimModel& dim(std::size_t tensor, int from_lowest) const;
  int rank(std::size_t tensor) const;
  bool is_complete(const DimModel& dim) const;
  static bool depends_on(const DimModel& dim, int loop);
  void advance();

  const StageModel& stage_;
  std::set<int> open_;  ///< loops whose tile is less than their range: the paper's varSet
  std::vector<int> growing_dims_;
};

}  // namespace solway::memory_planner
