#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lowering/ir/stmt.h"

/// The first and the last iterations of loops in which transfers run ahead of their use.
namespace solway::lowering {

/// How a loop asks in some of its iterations only for what is used later.
///
///   Guarded  one loop, and conditions in each iteration
///   Peeled   a prologue, a steady state and an epilogue, without conditions
///   ByCost   which of the two takes fewer cycles
enum class PipelineForm : std::uint8_t { ByCost, Guarded, Peeled };

/// The form of that name: "auto", "guarded", "peeled".
std::optional<PipelineForm> try_pipeline_form(const std::string& name);

/// What conditions and code cost on a machine whose cores have instruction caches.
struct PeelCosts {
  double guard_cycles = 0;       ///< of a condition, each time
  double line_cycles = 0;        ///< to fetch a line of code, once
  std::int64_t line_bytes = 1;   ///< of code
  std::int64_t cache_bytes = 0;  ///< room for code
  std::int64_t cores = 1;        ///< that share out a parallel loop
};

/// What was decided for one loop. Cycles are those of a core for what the two forms do not have in
/// common: conditions on the one side, more code on the other.
struct PeelChoice {
  std::string loop;  ///< its variable
  bool is_peeled = false;
  double guarded_cycles = -1;  ///< negative: not counted
  double peeled_cycles = -1;   ///< negative: not counted, or it cannot be
  std::string why_not;         ///< why it cannot be peeled, or why nothing is counted
  SourceLoc where;
};

/// Cuts loops where the condition of a transfer in them changes, so that no part has it. A part of
/// one iteration is no loop.
///
///   before: for ko in [0, 16) {
///             if ((ko + 1) < 16) { issue AA_get get A[...] -> AA[((ko + 1) % 2), 0] ... }
///             wait AA_get slot (ko % 2)
///             ... }
///   after:  for ko in [0, 15) {
///             issue AA_get get A[...] -> AA[((ko + 1) % 2), 0] ...
///             wait AA_get slot (ko % 2)
///             ... }
///           wait AA_get slot 1
///           ...
///
/// Loops stay whole that are not serial, whose bounds are not constant, or that would have more
/// than kMostParts parts. `costs`: of the machine; nullopt: not known, and ByCost keeps conditions.
///
/// Needs: names defined once around their uses. Keeps: everything else, by identity, but for
/// simplify_bounds on what was cut; names are then unique around their uses but may occur in
/// several copies.
ir::Stmt peel_pipelines(const ir::Stmt& s, PipelineForm form, const std::optional<PeelCosts>& costs,
                        std::vector<PeelChoice>& choices);

/// Parts of a loop at most.
inline constexpr std::size_t kMostParts = 5;

}  // namespace solway::lowering
