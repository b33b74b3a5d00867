#include "driver/write_vector_plan.h"

#include <algorithm>
#include <set>

#include "driver/detail/planned_primitives.h"
#include "driver/no_loop.h"
#include "driver/place_buffer.h"
#include "schedule/prefetch_lines.h"
#include "schedule/reorder.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using memory_planner::VectorPlan;
using memory_planner::VectorStage;
using schedule::LoopId;
using schedule::State;

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

/// What became of one loop of the stage.
struct Parts {
  LoopId groups = kNoLoop;  ///< over groups of tiles
  LoopId outer = kNoLoop;   ///< over tiles, or over blocks of a reduction
  LoopId middle = kNoLoop;  ///< the rest of a reduction's block; vectors of a tile that are held
  LoopId inner = kNoLoop;   ///< what is held, the lanes, or terms that are written out together
  LoopId group = kNoLoop;   ///< of a reduction, the bytes of a dot
};

class VectorWriter {
 public:
  VectorWriter(const State& state, const VectorStage& stage, const VectorPlan& plan,
               const SourceLoc& where)
      : stage_(stage), plan_(plan), where_(where), out_{state, {}, {}}, parts_(stage.ids.size()) {}

  WrittenVectors write() {
    for (int k = 0; k < size(); ++k) split_loop(k);
    reorder_loops();
    mark_loops();
    for (const memory_planner::Panel& panel : plan_.panels) add_panel(panel);
    if (plan_.in_registers && stage_.can_hold) hold();
    for (const memory_planner::EarlyLines& lines : plan_.early) ask_early(lines);
    return std::move(out_);
  }

 private:
  int size() const { return static_cast<int>(stage_.ids.size()); }
  const std::string& name() const { return stage_.name; }
  bool is_spatial(int k) const { return stage_.loops[index(k)].kind == dsl::AxisKind::Spatial; }

  /// Cuts `rest` in blocks; it becomes what runs inside one, and the loop over blocks is returned:
  /// none where one block is all of it.
  LoopId cut(LoopId& rest, std::int64_t factor) {
    if (factor >= out_.state.order.loop(rest).extent()) return kNoLoop;
    return split_off(out_.state, name(), rest, factor, where_);
  }

  void split_loop(int k) {
    Parts& parts = parts_[index(k)];
    LoopId rest = stage_.ids[index(k)];
    const std::int64_t held = plan_.held[index(k)];
    if (k == plan_.vector) {
      split_lanes(rest, held, parts);
    } else if (!is_spatial(k)) {
      if (k == plan_.blocked) parts.outer = cut(rest, plan_.block);
      if (k == plan_.dot) {
        parts.middle = cut(rest, plan_.dot_terms);
        parts.group = rest;
      } else if (k == plan_.together.loop) {
        parts.middle = cut(rest, plan_.together.size);
        parts.inner = rest;
      } else {
        parts.middle = rest;
      }
    } else if (held == 1) {
      parts.outer = rest;
    } else {
      parts.outer = cut(rest, held);
      parts.inner = rest;
    }
    if (k == plan_.groups.loop && parts.outer != kNoLoop) {
      parts.groups = cut(parts.outer, plan_.groups.size);
    }
  }

  /// Lowering takes as many vectors at a time as there are registers for.
  bool holds_in_lanes() const { return memory_planner::holds_in_lanes(stage_, plan_); }

  /// Columns of a panel: as many as fill registers of four times the least length, and not more,
  /// so that the panel stays in the cache.
  std::int64_t panel_columns(std::int64_t vectors) const { return vectors * stage_.lanes * 4; }

  void split_lanes(LoopId rest, std::int64_t vectors, Parts& parts) {
    if (holds_in_lanes()) {
      if (!plan_.panels.empty()) parts.outer = cut(rest, panel_columns(vectors));
      parts.inner = rest;
      return;
    }
    if (!stage_.is_update || !is_spatial(plan_.vector)) {
      const bool is_cut = plan_.in_blocks || plan_.turned >= 0 || plan_.interleaved >= 0;
      if (is_cut) parts.outer = cut(rest, stage_.lanes);
      parts.inner = rest;
      return;
    }
    if (!plan_.in_blocks) {
      parts.outer = cut(rest, vectors * stage_.lanes);
      parts.inner = rest;
      return;
    }
    LoopId blocks = cut(rest, stage_.lanes);
    parts.inner = rest;
    if (blocks == kNoLoop) return;
    if (vectors == 1) {
      parts.outer = blocks;
      return;
    }
    parts.outer = cut(blocks, vectors);
    parts.middle = blocks;
  }

  /// Loops over blocks of the reduction, then over groups of tiles and tiles; the terms; what is
  /// held; the lanes.
  /// Fixed loops stand around all. Where nothing is reduced, only the lanes move.
  void reorder_loops() {
    std::vector<LoopId> order;
    const auto add = [&](LoopId id) {
      if (id != kNoLoop) order.push_back(id);
    };
    for (const int k : plan_.outer) {
      if (is_fixed(k)) add(parts_[index(k)].outer);
    }
    if (plan_.blocked >= 0) add(parts_[index(plan_.blocked)].outer);
    if (plan_.groups.loop >= 0) add(parts_[index(plan_.groups.loop)].groups);
    for (const int k : plan_.outer) {
      if (!is_fixed(k)) add(parts_[index(k)].outer);
    }
    if (holds_in_lanes()) add(parts_[index(plan_.vector)].inner);
    const bool has_terms_in_lanes = plan_.vector >= 0 && !is_spatial(plan_.vector);
    for (int k = 0; k < size(); ++k) {
      if (!is_spatial(k) && k != plan_.vector) add(parts_[index(k)].middle);
    }
    if (plan_.together.loop >= 0) add(parts_[index(plan_.together.loop)].inner);
    if (has_terms_in_lanes) add(parts_[index(plan_.vector)].inner);
    for (const bool in_vectors : {false, true}) {
      for (int k = 0; k < size(); ++k) {
        const bool is_row = is_spatial(k) && k != plan_.vector;
        if (is_row && (plan_.vector >= 0 && moves_vectors(k)) == in_vectors)
          add(parts_[index(k)].inner);
      }
    }
    if (plan_.vector >= 0 && !holds_in_lanes() && !has_terms_in_lanes) {
      add(parts_[index(plan_.vector)].middle);
      add(parts_[index(plan_.vector)].inner);
    }
    if (plan_.dot >= 0) add(parts_[index(plan_.dot)].group);
    const std::vector<LoopId>& present = out_.state.stage_loops.at(name());
    if (order == present || order.size() < 2) return;
    out_.state = schedule::reorder(out_.state, name(), order, where_);
  }

  /// Whether a row has other vectors to load than the one before. Such rows stand inside of those
  /// that spread another number over lanes, which is then used while it is in a register.
  bool moves_vectors(int k) const {
    return std::any_of(stage_.accesses.begin(), stage_.accesses.end(), [&](const auto& access) {
      return !access.is_written && access.depends(plan_.vector) && access.depends(k);
    });
  }

  bool is_fixed(int k) const {
    return stage_.loops[index(k)].tiling != memory_planner::Tiling::Free;
  }

  void mark_loops() {
    for (int k = 0; k < size(); ++k) {
      const Parts& parts = parts_[index(k)];
      if (parts.group != kNoLoop) unroll(parts.group);
      if (k == plan_.vector) {
        if (parts.middle != kNoLoop) unroll(parts.middle);
        out_.state = schedule::vectorize(out_.state, name(), parts.inner, where_);
      } else if (parts.inner != kNoLoop) {
        unroll(parts.inner);
      } else if (plan_.written_out[index(k)] && parts.middle != kNoLoop) {
        unroll(parts.middle);
      }
    }
  }

  void unroll(LoopId id) { out_.state = schedule::unroll(out_.state, name(), id, where_); }

  /// The loops inside the loops over tiles.
  std::vector<LoopId> inside() const {
    std::vector<LoopId> out;
    for (int k = 0; k < size(); ++k) {
      const Parts& parts = parts_[index(k)];
      if (parts.middle != kNoLoop) out.push_back(parts.middle);
      if (parts.inner != kNoLoop) out.push_back(parts.inner);
      if (parts.group != kNoLoop) out.push_back(parts.group);
    }
    return out;
  }

  void add_panel(const memory_planner::Panel& panel) {
    PlacedBuffer request;
    request.stage = name();
    request.tensor = panel.array;
    request.references = panel.references;
    if (panel.fits) request.at = loop_of_others(panel);
    if (request.at) around_.insert(panel.array);
    if (!request.at) {
      request.region = varying_loops(out_.state, schedule::AccessKind::Reads, name(), panel.array,
                                     inside(), panel.references);
    }
    if (panel.lanes >= 0 && request.at) request.loop_layout = in_strips(panel);
    if (panel.in_groups) request.loop_layout = in_groups(panel);
    if (panel.in_rows) lay_in_rows(panel, request);
    if (panel.lanes >= 0 && request.loop_layout.empty()) {
      const auto rank = out_.state.program->array(panel.array).shape.size();
      for (int d = 0; d < static_cast<int>(rank); ++d) {
        if (d != panel.lanes) request.layout.push_back(d);
      }
      request.layout.push_back(panel.lanes);
    }
    place(schedule::AccessKind::Reads, request, "read in place");
  }

  /// Outside of all loops over tiles: rows of tiles, the terms, and the rows that one holds.
  void lay_in_rows(const memory_planner::Panel& panel, PlacedBuffer& request) const {
    const std::vector<LoopId>& own = out_.state.stage_loops.at(name());
    const schedule::Region all = varying_loops(out_.state, schedule::AccessKind::Reads, name(),
                                               panel.array, own, panel.references);
    request.region = all;
    if (plan_.blocked >= 0) {
      request.region.reset();
      request.at = parts_[index(plan_.blocked)].outer;
    }
    std::vector<LoopId> held;
    for (const auto& moved : all) {
      if (moved.loop == request.at) continue;
      const auto of = std::find_if(parts_.begin(), parts_.end(),
                                   [&](const Parts& parts) { return parts.inner == moved.loop; });
      const bool is_held = of != parts_.end() && is_spatial(static_cast<int>(of - parts_.begin()));
      (is_held ? held : request.loop_layout).push_back(moved.loop);
    }
    request.loop_layout.insert(request.loop_layout.end(), held.begin(), held.end());
  }

  /// The loops that put groups of terms innermost, those of neighbouring lanes side by side.
  std::vector<LoopId> in_groups(const memory_planner::Panel& panel) const {
    const LoopId lanes = parts_[index(plan_.vector)].inner;
    const LoopId group = parts_[index(plan_.dot)].group;
    std::vector<LoopId> out;
    for (const auto& moved : varying_loops(out_.state, schedule::AccessKind::Reads, name(),
                                           panel.array, inside(), panel.references)) {
      if (moved.loop != lanes && moved.loop != group) out.push_back(moved.loop);
    }
    out.push_back(lanes);
    out.push_back(group);
    return out;
  }

  /// The loops that put what a tile reads of a turned copy side by side, where the copy holds
  /// several tiles: its rows would lie as far apart as all of them are wide, often in the same
  /// places of the cache. Empty where tiles are no strips of the copy.
  std::vector<LoopId> in_strips(const memory_planner::Panel& panel) const {
    const Parts& lanes = parts_[index(plan_.vector)];
    if (lanes.outer == kNoLoop || lanes.middle != kNoLoop) return {};
    std::vector<LoopId> out{lanes.outer};
    const std::vector<LoopId>& own = out_.state.stage_loops.at(name());
    for (const auto& moved : varying_loops(out_.state, schedule::AccessKind::Reads, name(),
                                           panel.array, own, panel.references)) {
      const bool is_of_lanes = moved.loop == lanes.outer || moved.loop == lanes.inner;
      if (!is_of_lanes && out_.state.order.loop(moved.loop).extent() > 1) out.push_back(moved.loop);
    }
    out.push_back(lanes.inner);
    return out;
  }

  /// The innermost loop of other stages around this one that moves what a panel has, where
  /// loops that do not stand inside of that.
  std::optional<LoopId> loop_of_others(const memory_planner::Panel& panel) const {
    const std::vector<LoopId>& own = out_.state.stage_loops.at(name());
    const std::vector<LoopId>& path = out_.state.order.placement_of(stage_.statement).path;
    const auto first_own = std::find_first_of(path.begin(), path.end(), own.begin(), own.end());
    const std::vector<LoopId> others(path.begin(), first_own);
    const schedule::Region moving = varying_loops(out_.state, schedule::AccessKind::Reads, name(),
                                                  panel.array, others, panel.references);
    if (moving.empty() || moving.back().loop == others.back()) return std::nullopt;
    return moving.back().loop;
  }

  void hold() {
    PlacedBuffer request;
    request.stage = name();
    request.tensor = stage_.result;
    request.scope = "register";
    if (holds_in_lanes()) {
      request.at = parts_[index(plan_.vector)].inner;
    } else {
      request.layout = lanes_last();
      request.at = innermost_tile_loop();
    }
    if (!request.at) {
      request.region =
          varying_loops(out_.state, schedule::AccessKind::Writes, name(), stage_.result, inside());
    }
    place(schedule::AccessKind::Writes, request, "kept in memory");
  }

  /// The loop over tiles, or over the terms of a reduction.
  LoopId around_what_is_held(int k) const {
    return is_spatial(k) ? parts_[index(k)].outer : parts_[index(k)].middle;
  }

  void ask_early(const memory_planner::EarlyLines& lines) {
    const LoopId loop = around_what_is_held(lines.loop);
    if (loop == kNoLoop || around_.count(lines.array) != 0) return;
    std::optional<LoopId> inside;
    if (lines.inside >= 0) {
      inside = around_what_is_held(lines.inside);
      if (*inside == kNoLoop) return;
    }
    out_.state = schedule::prefetch_lines(out_.state, name(), lines.array, loop, lines.distance,
                                          inside, where_);
  }

  /// The dimensions of the result with the one along which the lanes run at the end; empty where
  /// it is there already, or no one dimension is.
  std::vector<int> lanes_last() const {
    const auto at = std::find_if(stage_.accesses.begin(), stage_.accesses.end(),
                                 [](const auto& access) { return access.is_written; });
    if (at == stage_.accesses.end() || plan_.in_blocks) return {};
    const auto has_lanes = [&](const memory_planner::DimModel& dim) {
      return std::any_of(dim.terms.begin(), dim.terms.end(),
                         [&](const auto& term) { return term.loop == plan_.vector; });
    };
    const auto dim = std::find_if(at->dims.begin(), at->dims.end(), has_lanes);
    if (dim == at->dims.end() || dim + 1 == at->dims.end()) return {};
    const int lanes = static_cast<int>(dim - at->dims.begin());
    std::vector<int> out;
    for (int d = 0; d < static_cast<int>(at->dims.size()); ++d) {
      if (d != lanes) out.push_back(d);
    }
    out.push_back(lanes);
    return out;
  }

  std::optional<LoopId> innermost_tile_loop() const {
    for (std::size_t n = plan_.outer.size(); n-- > 0;) {
      const LoopId outer = parts_[index(plan_.outer[n])].outer;
      if (outer != kNoLoop) return outer;
    }
    if (plan_.blocked >= 0) return parts_[index(plan_.blocked)].outer;
    return std::nullopt;
  }

  void place(schedule::AccessKind kind, const PlacedBuffer& request, const std::string& verdict) {
    const auto leave = [&](const Error& error) {
      out_.remarks.push_back({"auto_schedule of '" + request.tensor + "' in '" + name() + "'",
                              verdict, error.report().what + ": " + error.report().why, where_});
    };
    try {
      schedule::BufferResult made = place_buffer(out_.state, kind, request, where_);
      out_.state = std::move(made.state);
      out_.buffers.push_back(made.buffer);
    } catch (const UnsupportedError& error) {
      leave(error);
    } catch (const AnalysisBudgetError& error) {
      leave(error);
    } catch (const IllegalScheduleError& error) {
      leave(error);
    }
  }

  const VectorStage& stage_;
  const VectorPlan& plan_;
  SourceLoc where_;
  WrittenVectors out_;
  std::vector<Parts> parts_;      ///< per loop of the stage
  std::set<std::string> around_;  ///< arrays whose copies stand in loops of other stages
};

}  // namespace

WrittenVectors write_vector_plan(const State& state, const VectorStage& stage,
                                 const VectorPlan& plan, const SourceLoc& where) {
  return VectorWriter(state, stage, plan, where).write();
}

}  // namespace solway::driver
