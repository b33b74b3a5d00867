#pragma once

#include <optional>
#include <string>
#include <vector>

#include "memory_planner/stage_model.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::memory_planner {

struct StatementModel;

/// What vectors along a loop take, where what is the same for all its iterations is computed before
/// it.
struct WithinLoop {
  double issue_cycles = 1;
  double chain_cycles = 0;
  bool operator==(const WithinLoop&) const = default;
};

/// What one iteration of a stage's innermost loop computes, as instructions of a core. Of a stage
/// with nested reductions: of all its statements together.
struct BodyModel {
  double issue_cycles = 1;       ///< of the pipe for arithmetic, for one vector
  double number_cycles = 1;      ///< the same for one number
  double chain_cycles = 0;       ///< from the first value that is there to the last that is made
  double accumulate_cycles = 0;  ///< of a reduction: from one update of a sum to the next
  bool is_reduction = false;     ///< updates what it writes
  bool is_product = false;       ///< adds up products of an element each of two tensors
  /// Stores one of two values, by conditions that each concern one loop, as a border around an
  /// image: vectors of a whole row are cut where they change (lowering/split_selects.h).
  bool cuts_rows = false;
  int lanes = 1;               ///< elements of a vector; 1: it has no vector form
  std::string no_vector;       ///< why not; "" when it has one
  double epilogue_cycles = 0;  ///< of what is computed with one result, see epilogue.h
  std::vector<int> accesses;   ///< per tensor of the stage, places read or written
  std::vector<std::vector<std::int64_t>> shapes;  ///< per tensor, of all of it
  std::vector<StatementModel> statements;         ///< each by itself; empty when there is one
  double filled = 1;   ///< of the iterations of its loops, how many run (iteration_samples.h)
  double entered = 1;  ///< of those of its spatial loops, how many have terms of a reduction
  /// Where selects of numbers are weighed, as chain_cycles and accesses for those: what the sides
  /// of a select take, as often as they are chosen.
  std::optional<double> number_chain_cycles = std::nullopt;
  std::vector<double> number_accesses = {};
  std::vector<WithinLoop> within = {};  ///< per loop of the stage; empty: as all vectors
  bool operator==(const BodyModel&) const = default;
};

/// One statement of a stage with nested reductions.
struct StatementModel {
  /// The loops at the same positions as the stage's; those that are not around the statement run
  /// once. The tensors, too: what it only reads is read.
  StageModel stage;
  BodyModel body;
  std::vector<bool> around;  ///< per loop of the stage
  bool operator==(const StatementModel&) const = default;
};

/// Whether a statement is sum += a[..] * b[..], of a type that vectors hold.
bool adds_products(const schedule::Statement& s, DType type);

/// Which iterations a model is of.
enum class Iterated : std::uint8_t {
  Boxes,   ///< all of the box around the loops, and both sides of each select
  Exactly  ///< those that run; of numbers, each side of a select as often as it is chosen
};

/// Reads the expressions of the stage's statements, initialisations left out. Needs: a target with
/// [timing]; `stage` is what extract_stage returned.
BodyModel model_body(const schedule::State& state, const StageModel& stage, const Target& target,
                     Iterated iterated = Iterated::Boxes);

}  // namespace solway::memory_planner
