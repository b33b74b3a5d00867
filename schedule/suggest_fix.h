#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "schedule/changed_calls.h"

/// The smallest legal thing to do in place of a primitive that was refused.
namespace solway::schedule {

/// What makes it legal.
struct Fix {
  std::size_t number = 0;  ///< among the candidates
  std::string text;        ///< "s[H].skew('i', by='t', factor=1), then reorder"
  State state;             ///< after the prelude; after the whole, when something is done instead
};

inline constexpr std::size_t kFixCandidates = 50;
/// Operations of all candidates together; the proof of each may take an equal part.
inline constexpr unsigned long kFixBudget = 5'000'000;
/// The clock behind them, for all candidates together.
inline constexpr double kFixSeconds = 3;

/// The first candidate, from number `first` on, after which the primitive is legal. A candidate is
/// a prelude (a skew, a shift, a split), or the call with other loops, a smaller number, or without
/// its region. `where` goes to the log of the state. Nullopt when none of kFixCandidates is legal
/// within the bounds above.
std::optional<Fix> suggest_fix(const State& state, const Attempt& attempt, const SourceLoc& where,
                               std::size_t first = 0);

}  // namespace solway::schedule
