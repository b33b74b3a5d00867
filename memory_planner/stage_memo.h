#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "memory_planner/divide_loops.h"
#include "memory_planner/extract_stage.h"

namespace solway::memory_planner {

/// extract_stage and divide_loops, with what they returned before. Who compares forms of a stage
/// asks for the same descriptions of it and of its neighbours again and again, and what isl has to
/// say of their accesses takes longer than many a search.
class StageMemo {
 public:
  /// What extract_stage returns.
  PlannedStage extract(const schedule::State& state, const std::string& stage,
                       const std::vector<std::string>& direct = {}, const Decided& decided = {});

  /// What divide_loops returns, and throws.
  std::optional<DividedLoops> divide(const schedule::State& state, const std::string& stage,
                                     const SourceLoc& where);

  std::size_t extractions() const;

 private:
  struct Extracted {
    std::string name;
    std::vector<std::string> direct;
    Decided decided;
    PlannedStage stage;
  };

  struct Known {
    schedule::State state;
    std::vector<Extracted> stages = {};
    std::map<std::string, std::optional<DividedLoops>> divided = {};
  };

  Known& known(const schedule::State& state);

  std::vector<Known> known_;
};

}  // namespace solway::memory_planner
