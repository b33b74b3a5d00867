#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schedule/state.h"

/// The smallest legal thing to do in place of a primitive that was refused.
namespace solway::schedule {

/// A primitive that was refused.
struct Attempt {
  std::string primitive;     ///< "reorder"
  std::string stage;         ///< whose loops it takes
  std::vector<LoopId> axes;  ///< the loops that it names; of a buffer, only its position
  /// Applies the primitive with other loops in place of `axes`; nullopt when it is refused.
  std::function<std::optional<State>(const State&, const std::vector<LoopId>&)> apply;
};

/// What makes it legal.
struct Fix {
  std::size_t number = 0;  ///< among the candidates
  std::string text;        ///< "s[H].skew('i', by='t', factor=1), then reorder"
  State state;             ///< after the prelude; after the whole, when something is done instead
};

inline constexpr std::size_t kFixCandidates = 50;
/// Operations for each proof of a candidate: kFixCandidates of them are 5 million.
inline constexpr unsigned long kFixBudget = 100'000;
/// The clock behind them, for all candidates together.
inline constexpr double kFixSeconds = 3;

/// The first candidate, from number `first` on, after which the primitive is legal. A candidate is
/// a prelude (a skew, a shift, a split), or the same primitive on other loops. `where` goes to the
/// log of the state. Nullopt when none of kFixCandidates is legal within the bounds above.
std::optional<Fix> suggest_fix(const State& state, const Attempt& attempt, const SourceLoc& where,
                               std::size_t first = 0);

}  // namespace solway::schedule
