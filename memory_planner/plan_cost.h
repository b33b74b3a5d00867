#pragma once

#include <algorithm>
#include <vector>

#include "memory_planner/body_model.h"
#include "memory_planner/nest_plan.h"
#include "support/target.h"

namespace solway::memory_planner {

/// Cycles of a stage by the target's figures, the start and end of the cores not counted.
struct PlanCost {
  double compute = 0;  ///< the busiest core's, with its requests of transfers
  double hidden = 0;   ///< of the engine, for buffers of depth 2: while something is computed
  double waits = 0;    ///< for buffers of depth 1
  double fill = 0;     ///< for the first region of each series, while nothing is computed
  double drain = 0;    ///< computing while nothing is moved
  double bursts = 0;   ///< waiting behind what all cores move at once, in between
  double fixed = 0;    ///< parameters, and code that is fetched
  /// The slower of computing and of the engine covers the other. Where it is computing, cores that
  /// are not served in turn still wait for some of what is moved.
  double total() const {
    constexpr double kUncovered = 0.1;
    const double computing = compute + fill + bursts;
    const double moving = hidden + drain;
    const double spare = std::max(0.0, computing - hidden);
    return std::max(computing, moving) + kUncovered * std::min(spare, hidden) + waits + fixed;
  }
};

/// What the model knows of a stage besides the plan.
struct CostInputs {
  const StageModel* stage = nullptr;
  const BodyModel* body = nullptr;
  const Target* target = nullptr;
  const TransferEngine* engine = nullptr;  ///< of the memory that is staged in
};

/// What one staged tensor costs, whatever the depth of its buffer.
struct TensorCost {
  double my_parts = 1;    ///< parts of parallel loops that the busiest core runs
  double rounds = 1;      ///< transfers of each of them
  double series = 1;      ///< of these, those that follow each other before one is waited for:
                          ///< in the innermost loop around, or across all of them
  double requests = 1;    ///< of a transfer
  double cut = 0;         ///< how many of the transfers move one row after the other: those that
                          ///< load a region with a border, or store one with a slanted side;
  double rows = 0;        ///< and how many requests those have
  double directions = 0;  ///< 2: what is loaded and stored
  double got = 0;         ///< cycles of the engine, of all cores together
  double put = 0;
  double get_start = 0;
  double put_start = 0;
  double exchanging = 0;   ///< of a core: what others read, borders filled, tiles turned or slid
  double unused = 0;       ///< of a core: computing from the last use of a tile to the next tile,
                           ///< when its one region can be loaded; infinite: all of it
  bool is_late = false;    ///< its one region leaves while the next tile is computed
  bool is_copied = false;  ///< what is read is nothing that the engine moves: element by element
  int around = 0;          ///< loops over tiles around its transfers
};

/// What one transfer of a tensor's tile costs, in whatever order the tiles come.
struct BoxCost {
  double my_parts = 1;       ///< parts of parallel loops that the busiest core runs
  double all_parts = 1;      ///< of all cores
  double filled = 1;         ///< how much of the boxes that are counted lies within the loops
  double readers = 1;        ///< how many of the cores transfer, where they share
  double bus = 1;            ///< how much longer the busiest bus takes than if all shared the work
  double requests = 1;       ///< of a transfer
  double got = 0;            ///< cycles of the engine
  double put = 0;            ///< 0 for what is only read
  double cut = 0, rows = 0;  ///< as in TensorCost
  double exchanging = 0;     ///< of a core, to have what others read
  double filling = 0;        ///< of a core, to fill the border, to turn what has landed
  /// Of a core, where the engine does not move such boxes: to copy one element by element.
  double copying_in = 0, copying_out = 0;
};

/// Depends on the parallel loops and their parts, on who shares `tensor`, and on the tiles of loops
/// on which it depends; not on NestPlan::outer.
BoxCost box_cost(const CostInputs& in, const NestPlan& plan, int tensor);

/// What a tensor costs in a plan whose boxes cost that.
TensorCost tensor_cost(const CostInputs& in, const NestPlan& plan, int tensor, const BoxCost& box);

TensorCost tensor_cost(const CostInputs& in, const NestPlan& plan, int tensor);

/// What a plan costs whose tensors and computing cost that; depths as in NestPlan.
PlanCost total_of(const CostInputs& in, double computing, const std::vector<TensorCost>& tensors,
                  const std::vector<int>& depths);

/// Below what plans cost whose tensors are staged in one region or in two.
struct LeastCost {
  double computing = 0;  ///< of the busiest core
  double moving = 0;     ///< of the engine
  LeastCost operator+(const LeastCost& other) const {
    return {computing + other.computing, moving + other.moving};
  }
};

/// What a tensor adds to it, whatever the depth of its buffer.
LeastCost least_of(const TensorCost& tensor);

/// What either of two ways to move a tensor adds at least.
LeastCost least_of_both(const LeastCost& one, const LeastCost& other);

/// No more than total_of(...).total(), for all depths from 1 on: what is not hidden behind
/// computing is waited for.
double least_total(const CostInputs& in, const LeastCost& cost);

/// The same for these depths, all from 1 on: what has one region is waited for.
double least_total(const CostInputs& in, double computing, const std::vector<TensorCost>& tensors,
                   const std::vector<int>& depths);

/// What a plan costs.
PlanCost cost_of(const CostInputs& in, const NestPlan& plan);

/// Cycles for the start and the end of the cores.
double start_cycles(const Target& target);

/// Where the transfers of a tensor stand: loops of NestPlan::outer around them.
int loops_around(const StageModel& stage, const NestPlan& plan, int tensor);

/// Whether the transfers of a tensor can run ahead over several loops over tiles as over one: there
/// are several around them, and its tiles have nothing in common that they keep.
bool can_run_across(const StageModel& stage, const NestPlan& plan, int tensor);

/// Whether one region of a tensor has time to be loaded anew after its last use
/// (schedule/single_buffer.h): what lands is used no longer when it has been turned, and where a
/// product is used up in each tile, its reader runs before the next one.
bool can_load_early(const StageModel& stage, const NestPlan& plan, int tensor);

/// Whether a tensor is loaded while others are used: it has two regions, or one that is turned.
bool runs_ahead(const StageModel& stage, const NestPlan& plan, int tensor);

/// Whether the one region of a tensor can leave while the next tile is computed
/// (schedule/single_buffer.h): it holds what is computed with the results of a product.
bool can_put_late(const StageModel& stage, const NestPlan& plan, int tensor);

/// Whether a second region of the tensor can be moved while one is used: a loop over tiles that
/// one core runs stands around its transfers. Where tiles begin at several places of the units in
/// which they are read, regions that take turns are not proved within the budget.
bool can_overlap(const StageModel& stage, const NestPlan& plan, int tensor);

}  // namespace solway::memory_planner
