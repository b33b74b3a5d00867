#include "memory_planner/classify_loops.h"

#include <algorithm>

namespace solway::memory_planner {

LoopClassifier::LoopClassifier(const StageModel& stage)
    : stage_(stage), growing_dims_(stage.tensors.size(), 0) {
  for (std::size_t k = 0; k < stage.loops.size(); ++k) {
    if (stage.loops[k].tiling == Tiling::Free) open_.insert(static_cast<int>(k));
  }
  advance();
}

LoopClasses LoopClassifier::classify() const {
  LoopClasses out;
  for (const int loop : open_) {
    bool is_size = false;
    bool is_num = false;
    for (std::size_t t = 0; t < stage_.tensors.size(); ++t) {
      const int growing = growing_dims_[t];
      if (growing < rank(t) && depends_on(dim(t, growing), loop)) is_size = true;
      for (int d = growing + 1; d < rank(t); ++d) {
        if (depends_on(dim(t, d), loop)) is_num = true;
      }
    }
    if (is_size && is_num) out.comp.push_back(loop);
    if (is_size && !is_num) out.size.push_back(loop);
    if (!is_size && is_num) out.num.push_back(loop);
  }
  return out;
}

void LoopClassifier::complete(int loop) {
  open_.erase(loop);
  advance();
}

void LoopClassifier::reopen(int loop) {
  open_.insert(loop);
  for (std::size_t t = 0; t < stage_.tensors.size(); ++t) {
    for (int d = 0; d < growing_dims_[t]; ++d) {
      if (!depends_on(dim(t, d), loop)) continue;
      growing_dims_[t] = d;
      break;
    }
  }
}

const DimModel& LoopClassifier::dim(std::size_t tensor, int from_lowest) const {
  const std::vector<DimModel>& dims = stage_.tensors[tensor].dims;
  return dims[dims.size() - 1 - static_cast<std::size_t>(from_lowest)];
}

int LoopClassifier::rank(std::size_t tensor) const {
  return static_cast<int>(stage_.tensors[tensor].dims.size());
}

bool LoopClassifier::is_complete(const DimModel& dim) const {
  return std::none_of(dim.terms.begin(), dim.terms.end(),
                      [&](const IndexTerm& term) { return open_.count(term.loop) != 0; });
}

bool LoopClassifier::depends_on(const DimModel& dim, int loop) {
  return std::any_of(dim.terms.begin(), dim.terms.end(),
                     [&](const IndexTerm& term) { return term.loop == loop; });
}

void LoopClassifier::advance() {
  for (std::size_t t = 0; t < stage_.tensors.size(); ++t) {
    int& growing = growing_dims_[t];
    while (growing < rank(t) && is_complete(dim(t, growing))) ++growing;
  }
}

}  // namespace solway::memory_planner
