#include "driver/row_chains.h"

#include <algorithm>
#include <set>

#include "driver/detail/nest_writer.h"
#include "driver/planned_draft.h"
#include "memory_planner/compute_cost.h"
#include "schedule/compute_at.h"
#include "support/divisors.h"

namespace solway::driver {
namespace {

using memory_planner::AccessDirection;
using memory_planner::LaneAccess;
using memory_planner::LoopCut;
using memory_planner::NestPlan;
using memory_planner::StageModel;
using memory_planner::TensorModel;
using schedule::LoopId;
using schedule::State;

std::size_t at(int k) { return static_cast<std::size_t>(k); }

class RowPlanner {
 public:
  RowPlanner(const State& state, const RowChain& chain, const Target& target,
             const memory_planner::Room& room)
      : chain_(chain), target_(target), room_(room) {
    for (const std::string& name : chain.members) add(state, name);
    add(state, chain.host);
    passed_.insert(chain.members.begin(), chain.members.end());
  }

  std::optional<RowPlan> run() {
    for (const RowPlan::Stage& one : stages_) {
      if (!can_count(one)) return std::nullopt;
    }
    choose_cores();
    std::optional<RowPlan> best;
    const std::int64_t part = on_cores_ == last_row() ? part_ : extent(last_row());
    for (std::int64_t rows = 1; rows <= part; ++rows) {
      if (part % rows != 0) continue;
      RowPlan plan = plan_of(rows);
      if (plan.bytes > room_.capacity_bytes) break;
      const NestPlan& host = plan.stages.back().plan;
      if (host.parallel.empty() && host.outer.empty()) break;  // one tile is all
      if (!best || plan.cycles < best->cycles) best = std::move(plan);
    }
    return best;
  }

 private:
  void add(const State& state, const std::string& name) {
    RowPlan::Stage& one = stages_.emplace_back();
    one.stage = memory_planner::extract_stage(state, name);
    one.body = memory_planner::model_body(state, one.stage.model, target_);
  }

  int last_row() const { return static_cast<int>(chain_.rows) - 1; }
  std::int64_t extent(int row) const { return stages_.back().stage.model.loops[at(row)].extent; }

  /// One statement, whose outer loops are the host's.
  bool can_count(const RowPlan::Stage& one) const {
    const StageModel& model = one.stage.model;
    if (model.is_nested || !one.body.statements.empty() || one.stage.keeps_order) return false;
    if (model.loops.size() < chain_.rows) return false;
    for (int k = 0; k <= last_row(); ++k) {
      const memory_planner::LoopModel& loop = model.loops[at(k)];
      if (loop.kind != dsl::AxisKind::Spatial || loop.extent != extent(k)) return false;
    }
    if (!std::all_of(model.tensors.begin(), model.tensors.end(),
                     [&](const TensorModel& tensor) { return has_rows_in_front(tensor); })) {
      return false;
    }
    return std::all_of(model.loops.begin(), model.loops.end(), [](const auto& loop) {
      return loop.extent > 0 && loop.tiling == memory_planner::Tiling::Free && !loop.is_parallel;
    });
  }

  /// Whether a tensor that members pass on is accessed row by row in its first dimensions: those
  /// are the loops over rows of who computes it.
  bool has_rows_in_front(const TensorModel& tensor) const {
    if (passed_.count(tensor.name) == 0) return true;
    if (tensor.dims.size() < chain_.rows) return false;
    for (int k = 0; k <= last_row(); ++k) {
      const memory_planner::DimModel& dim = tensor.dims[at(k)];
      const bool is_row = dim.base == 1 && dim.terms.size() == 1 && dim.terms[0].loop == k &&
                          dim.terms[0].growth == 1;
      if (!is_row && extent(k) > 1) return false;
    }
    return true;
  }

  /// The loop over rows that busies the most cores, the outermost of these.
  void choose_cores() {
    const std::int64_t cores = target_.cores.count;
    for (int k = 1; k <= last_row(); ++k) {
      if (std::min(extent(k), cores) > std::min(extent(on_cores_), cores)) on_cores_ = k;
    }
    part_ = ceil_div(extent(on_cores_), cores);
  }

  NestPlan cuts_of(const StageModel& model, std::int64_t rows) const {
    NestPlan plan;
    for (const memory_planner::LoopModel& loop : model.loops) {
      plan.cuts.push_back({loop.extent, loop.extent, 1});
    }
    for (int k = 0; k <= last_row(); ++k) {
      LoopCut& cut = plan.cuts[at(k)];
      if (k == on_cores_ && target_.cores.count > 1) {
        cut.part = part_;
        plan.parallel.push_back(k);
        plan.grid[0] = ceil_div(extent(k), part_);
      }
      cut.tile = k == last_row() ? std::min(rows, cut.part) : 1;
      if (cut.tile < cut.part) plan.outer.push_back(k);
    }
    plan.depths.assign(model.tensors.size(), 1);
    return plan;
  }

  /// Vectors along a loop inside of the rows, all of it, if that is computed sooner.
  void choose_vectors(const RowPlan::Stage& one, NestPlan& plan) const {
    const StageModel& model = one.stage.model;
    NestPlan best = plan;
    double least = memory_planner::compute_cycles(model, one.body, plan, target_);
    for (int k = last_row() + 1; k < static_cast<int>(model.loops.size()); ++k) {
      if (!may_run_in_vectors(one, k)) continue;
      NestPlan other = plan;
      other.vector = k;
      other.cuts[at(k)].held = other.cuts[at(k)].tile;
      const double cycles = memory_planner::compute_cycles(model, one.body, other, target_);
      if (cycles >= least) continue;
      least = cycles;
      best = std::move(other);
    }
    plan = std::move(best);
  }

  bool may_run_in_vectors(const RowPlan::Stage& one, int loop) const {
    const StageModel& model = one.stage.model;
    const std::int64_t lanes = one.body.lanes;
    if (lanes <= 1 || model.loops[at(loop)].extent < 2 * lanes) return false;
    const bool is_across = model.loops[at(loop)].kind == dsl::AxisKind::Reduce;
    if (is_across != one.body.is_reduction) return false;
    return std::all_of(model.tensors.begin(), model.tensors.end(), [&](const TensorModel& t) {
      const LaneAccess access = memory_planner::lane_access(t, loop);
      if (t.direction == AccessDirection::Read) return access != LaneAccess::Gathered;
      return access == (is_across ? LaneAccess::Same : LaneAccess::Contiguous);
    });
  }

  /// The stages that read as much of a tensor in a tile as this one does; fewer than two where
  /// one needs something else.
  std::vector<std::string> readers_of_tile(const TensorModel& tensor) const {
    std::vector<std::string> out;
    if (tensor.direction != AccessDirection::Read) return out;
    const auto extents = [](const TensorModel& t) {
      std::vector<std::pair<std::int64_t, std::int64_t>> sizes;
      for (const memory_planner::DimModel& dim : t.dims) sizes.emplace_back(dim.extent, dim.base);
      return sizes;
    };
    for (const RowPlan::Stage& one : stages_) {
      for (const TensorModel& t : one.stage.model.tensors) {
        if (t.name != tensor.name) continue;
        if (t.direction != tensor.direction || extents(t) != extents(tensor)) return {};
        if (moves_with_rows(t) != moves_with_rows(tensor)) return {};
        out.push_back(one.stage.model.name);
      }
    }
    return out;
  }

  bool moves_with_rows(const TensorModel& tensor) const {
    for (int k = 0; k <= last_row(); ++k) {
      if (memory_planner::depends(tensor, k)) return true;
    }
    return false;
  }

  /// Whether a stage before this one has the buffer of the tensor.
  static bool is_read_before(const RowPlan& plan, const RowPlan::Stage& one,
                             const TensorModel& tensor) {
    return std::any_of(plan.shared.begin(), plan.shared.end(), [&](const RowPlan::Shared& shared) {
      return shared.tensor == tensor.name && shared.readers.front() != one.stage.model.name;
    });
  }

  RowPlan plan_of(std::int64_t rows) const {
    RowPlan out;
    out.stages = stages_;
    double computing = 0;
    std::vector<memory_planner::TensorCost> costs;
    std::vector<int> depths;
    const auto* engine = target_.engine_or_null(target_.default_scope);
    for (RowPlan::Stage& one : out.stages) {
      const StageModel& model = one.stage.model;
      one.plan = cuts_of(model, rows);
      choose_vectors(one, one.plan);
      computing += memory_planner::compute_cycles(model, one.body, one.plan, target_);
      const memory_planner::CostInputs in{&model, &one.body, &target_, engine};
      const memory_planner::Tiles tiles = memory_planner::tiles_of(one.plan);
      for (std::size_t t = 0; t < model.tensors.size(); ++t) {
        const TensorModel& tensor = model.tensors[t];
        if (is_read_before(out, one, tensor)) {
          one.plan.depths[t] = 0;
          continue;
        }
        const std::int64_t bytes =
            memory_planner::buffer_bytes(tensor, tiles, room_.alignment_bytes);
        if (passed_.count(tensor.name) != 0) {
          if (tensor.direction == AccessDirection::Write) out.bytes += bytes;
          continue;
        }
        const int index = static_cast<int>(t);
        const int depth = memory_planner::can_overlap(model, one.plan, index) ? 2 : 1;
        one.plan.depths[t] = depth;
        if (auto readers = readers_of_tile(tensor); readers.size() > 1) {
          one.plan.depths[t] = 0;
          const bool moves = memory_planner::loops_around(model, one.plan, index) > 0;
          out.shared.push_back({tensor.name, std::move(readers), depth, moves});
        }
        out.bytes += depth * bytes;
        costs.push_back(memory_planner::tensor_cost(in, one.plan, index));
        depths.push_back(depth);
      }
    }
    const RowPlan::Stage& host = out.stages.back();
    const memory_planner::CostInputs in{&host.stage.model, &host.body, &target_, engine};
    out.cycles = memory_planner::total_of(in, computing, costs, depths).total();
    // What stays in near memory has no transfers.
    for (RowPlan::Stage& one : out.stages) {
      for (std::size_t t = 0; t < one.plan.depths.size(); ++t) {
        if (passed_.count(one.stage.model.tensors[t].name) != 0) one.plan.depths[t] = 0;
      }
    }
    return out;
  }

  const RowChain& chain_;
  const Target& target_;
  memory_planner::Room room_;
  std::vector<RowPlan::Stage> stages_;  ///< the host last, not planned
  std::set<std::string> passed_;        ///< what members compute
  int on_cores_ = 0;                    ///< the loop over rows that runs on the cores
  std::int64_t part_ = 1;               ///< its iterations of one part
};

class RowWriter {
 public:
  RowWriter(const State& state, const RowChain& chain, const RowPlan& plan, const SourceLoc& where)
      : chain_(chain),
        plan_(plan),
        where_(where),
        host_(state, plan.stages.back().stage, plan.stages.back().plan, where) {}

  WrittenNest write() {
    write_loops();
    write_inside();
    return take();
  }

  /// The host may; a member computes one tensor, once.
  bool depends_on_itself() const { return host_.depends_on_itself(); }

  State& state() { return host_.state(); }

  WrittenNest take() {
    WrittenNest out = host_.take();
    out.buffers.insert(out.buffers.end(), buffers_.begin(), buffers_.end());
    out.remarks.insert(out.remarks.end(), remarks_.begin(), remarks_.end());
    return out;
  }

  void write_loops() {
    host_.write_loops();
    const NestPlan& plan = plan_.stages.back().plan;
    const std::vector<LoopId>& loops = state().stage_loops.at(chain_.host);
    part_ = plan.parallel.empty() ? loops.front() : loops[plan.parallel.size() - 1];
    level_ = loops[plan.parallel.size() + plan.outer.size() - 1];
    for (auto name = chain_.members.rbegin(); name != chain_.members.rend(); ++name) {
      state() = schedule::compute_at(state(), *name, chain_.host, level_, where_);
    }
  }

  bool write_inside() {
    for (const RowPlan::Shared& shared : plan_.shared) {
      PlacedBuffer request;
      request.stage = shared.readers.front();
      request.also.assign(shared.readers.begin() + 1, shared.readers.end());
      request.tensor = shared.tensor;
      request.depth = shared.depth;
      request.at = shared.moves ? level_ : part_;
      add_buffer(schedule::AccessKind::Reads, request);
    }
    for (std::size_t k = 0; k + 1 < plan_.stages.size(); ++k) write_member(plan_.stages[k]);
    return host_.write_inside();
  }

 private:
  void write_member(const RowPlan::Stage& one) {
    const StageModel& model = one.stage.model;
    for (std::size_t t = 0; t < model.tensors.size(); ++t) {
      if (one.plan.depths[t] == 0) continue;
      PlacedBuffer request;
      request.stage = model.name;
      request.tensor = model.tensors[t].name;
      request.depth = one.plan.depths[t];
      const bool moves = memory_planner::loops_around(model, one.plan, static_cast<int>(t)) > 0;
      request.at = moves ? level_ : part_;
      add_buffer(access_kind(model.tensors[t]), request);
    }
    if (one.plan.vector < 0) return;
    state() = schedule::vectorize(state(), model.name, own_loop(one), where_);
  }

  void add_buffer(schedule::AccessKind kind, const PlacedBuffer& request) {
    const auto buffer = try_buffer(state(), kind, request, remarks_, where_);
    if (buffer) buffers_.push_back(*buffer);
  }

  /// The loop of a member that runs in vectors: its own loops stand behind those of the host.
  LoopId own_loop(const RowPlan::Stage& one) {
    const std::vector<LoopId>& loops = state().stage_loops.at(one.stage.model.name);
    const std::size_t shared = loops.size() - one.stage.loops.size();
    return loops[shared + at(one.plan.vector)];
  }

  const RowChain& chain_;
  const RowPlan& plan_;
  SourceLoc where_;
  NestWriter host_;
  LoopId part_ = kNoLoop;   ///< the innermost loop that runs on the cores
  LoopId level_ = kNoLoop;  ///< the innermost loop over tiles
  std::vector<std::string> buffers_;
  Remarks remarks_;
};

}  // namespace

std::optional<RowPlan> plan_rows(const State& state, const RowChain& chain, const Target& target,
                                 const memory_planner::Room& room) {
  return RowPlanner(state, chain, target, room).run();
}

WrittenNest write_rows(const State& state, const RowChain& chain, const RowPlan& plan,
                       const SourceLoc& where) {
  if (auto out = try_draft(RowWriter(state, chain, plan, where), where)) return *std::move(out);
  return RowWriter(state, chain, plan, where).write();
}

}  // namespace solway::driver
