#include "memory_planner/correlate.h"

namespace solway::memory_planner {

std::vector<std::set<int>> correlate(const StageModel& stage) {
  std::vector<std::set<int>> out;
  for (const TensorModel& tensor : stage.tensors) {
    std::set<int>& loops = out.emplace_back();
    for (const DimModel& dim : tensor.dims) {
      for (const IndexTerm& term : dim.terms) loops.insert(term.loop);
    }
  }
  return out;
}

}  // namespace solway::memory_planner
