#include "driver/write_winograd.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "driver/detail/planned_primitives.h"
#include "driver/fast_math.h"
#include "driver/fuse_stages.h"
#include "driver/no_loop.h"
#include "driver/place_buffer.h"
#include "driver/share_out.h"
#include "driver/winograd_tiles.h"
#include "memory_planner/reuse.h"
#include "schedule/compute_at.h"
#include "schedule/compute_inline.h"
#include "schedule/draft.h"
#include "schedule/fuse.h"
#include "schedule/parallel.h"
#include "schedule/prefetch_lines.h"
#include "schedule/reorder.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using dsl::WinogradStages;
using schedule::LoopId;
using schedule::State;

bool has_axes_in_order(const dsl::Expr& e, const dsl::Tensor& of, const dsl::Tensor& reader) {
  if (e->kind == dsl::ExprKind::Read && e->tensor == of) {
    for (std::size_t d = 0; d < e->operands.size(); ++d) {
      const dsl::Expr& index = e->operands[d];
      if (index->kind != dsl::ExprKind::AxisRef || index->axis != reader->axis[d]) return false;
    }
    return true;
  }
  return std::all_of(e->operands.begin(), e->operands.end(), [&](const dsl::Expr& operand) {
    return has_axes_in_order(operand, of, reader);
  });
}

/// The stage of that name; null: there is none.
dsl::Tensor stage_named(const State& state, const std::string& name) {
  for (const dsl::Tensor& stage : state.program->stages) {
    if (stage->name == name) return stage;
  }
  return nullptr;
}

/// The stage that alone reads `result`, element by element with the same axes; null: there is none.
dsl::Tensor elementwise_reader(const State& state, const dsl::Tensor& result) {
  const std::vector<std::string> readers = readers_of(state, result->name);
  if (readers.size() != 1 || is_touched(state, readers[0]) || !is_named_once(state, result->name)) {
    return nullptr;
  }
  const dsl::Tensor reader = stage_named(state, readers[0]);
  const bool is_plain = reader != nullptr && !reader->is_update() && reader->self == nullptr &&
                        reader->tuple == nullptr && reader->domain == nullptr &&
                        reader->reduce_axis.empty() && reader->winograd == nullptr;
  if (!is_plain || reader->shape != result->shape || reader->type != result->type) return nullptr;
  return has_axes_in_order(reader->body, result, reader) ? reader : nullptr;
}

class WinogradWriter {
 public:
  WinogradWriter(const State& state, const dsl::Tensor& result, const Target& target,
                 const SourceLoc& where)
      : state_(schedule::begin_draft(state)),
        result_(result),
        chain_(*result->winograd),
        target_(target),
        where_(where),
        lanes_(target.lanes(result->type)) {
    const dsl::Tensor& image = stage_named(state_, chain_.image);
    const dsl::PlaneConvolution& sizes = chain_.convolution;
    const std::int64_t points = chain_.outputs + sizes.taps - 1;
    const std::int64_t bytes = points * points * size_bytes(result->type);
    const std::int64_t panel = filters_in_panel();
    WinogradPlane plane;
    plane.rows = image->shape[chain_.image_row];
    plane.columns = image->shape[chain_.image_column];
    plane.channels = sizes.channels;
    plane.panels = panels_in_a_row();
    plane.image_bytes = bytes * sizes.channels;
    plane.weight_bytes = bytes * sizes.channels * sizes.filters;
    plane.product_bytes = bytes * panel;
    plane.vectors = std::max<std::int64_t>(1, panel / lanes_);
    tiles_ = winograd_tiles(plane, target);
    const bool is_whole = tiles_.rows == plane.rows && tiles_.columns == plane.columns;
    const double cycles = winograd_cycles(sizes, chain_.outputs, result->type, target);
    is_shared_ = cycles >= kLeastSharedCycles;
    is_apart_ = is_shared_ && is_whole && sizes.others == 1;
  }

  std::optional<WrittenWinograd> write() {
    take_readers();
    write_result();
    place(chain_.rows, result_->name, tile_, schedule::TileRegion::Exact);
    if (!is_apart_) {
      place(chain_.products, result_->name, sums_at_, schedule::TileRegion::Box);
      place(chain_.image, result_->name, block_, schedule::TileRegion::Box);
    }
    write_image();
    write_products();
    unroll_tile(chain_.rows, 2);
    auto settled = schedule::try_settle(std::move(state_), {"auto_schedule", where_});
    if (!settled) return std::nullopt;
    return WrittenWinograd{*std::move(settled), stages_, passes_, shared_};
  }

 private:
  /// Puts the result into what reads it element by element: that stage has its loops then.
  void take_readers() {
    stages_ = {result_->name};
    while (is_movable(state_, result_->name)) {
      const dsl::Tensor reader = elementwise_reader(state_, result_);
      if (reader == nullptr) return;
      passes_.push_back(memory_planner::cycles_of_pass(state_, result_->name, target_));
      state_ = schedule::compute_inline(state_, result_->name, where_);
      result_ = reader;
      stages_.push_back(reader->name);
    }
  }

  /// The loops of a stage's axes, which no primitive has replaced yet, and then of its sums.
  std::vector<LoopId> loops_of(const std::string& stage) const {
    std::vector<LoopId> out;
    for (const auto& [axis, id] : state_.axis_loops.at(stage)) out.push_back(id);
    return out;
  }

  std::int64_t filters_in_panel() const {
    std::int64_t out = chain_.panel;
    for (const std::size_t d : chain_.filters) {
      if (d > chain_.panel_axis) out *= result_->shape[d];
    }
    return out;
  }

  /// Iterations of the innermost loop over panels.
  std::int64_t panels_in_a_row() const {
    const std::int64_t parts = result_->shape[chain_.panel_axis] / chain_.panel;
    if (parts > 1) return parts;
    std::int64_t out = 1;
    for (const std::size_t d : chain_.filters) {
      if (d < chain_.panel_axis) out = result_->shape[d];
    }
    return out;
  }

  /// The loop over blocks, a place to compute other stages at; `rest` becomes what is inside.
  LoopId split(const std::string& stage, LoopId& rest, std::int64_t factor) {
    return split_off(state_, stage, rest, factor, where_);
  }

  /// The same; kNoLoop where one block is all of it.
  LoopId cut(const std::string& stage, LoopId& rest, std::int64_t factor) {
    return factor < state_.order.loop(rest).extent() ? split(stage, rest, factor) : kNoLoop;
  }

  void reorder(const std::string& stage, std::vector<LoopId> order) {
    order.erase(std::remove(order.begin(), order.end(), kNoLoop), order.end());
    if (order == state_.stage_loops.at(stage)) return;
    state_ = schedule::reorder(state_, stage, order, where_);
  }

  void place(const std::string& stage, const std::string& consumer, LoopId loop,
             schedule::TileRegion region) {
    state_ = schedule::compute_at(state_, stage, consumer, loop, where_, region);
  }

  void unroll(const std::string& stage, LoopId loop) {
    state_ = schedule::unroll(state_, stage, loop, where_);
  }

  void vectorize(const std::string& stage, LoopId loop) {
    state_ = schedule::vectorize(state_, stage, loop, where_);
  }

  /// Blocks, panels, tiles, rows and columns of a tile, lanes.
  void write_result() {
    const std::string& name = result_->name;
    std::vector<LoopId> loops = loops_of(name);
    LoopId y = loops[chain_.row];
    LoopId x = loops[chain_.column];
    LoopId tile_rows = split(name, y, chain_.outputs);
    LoopId tile_columns = split(name, x, chain_.outputs);
    const LoopId block_rows = split(name, tile_rows, tiles_.rows);
    block_ = split(name, tile_columns, tiles_.columns);
    std::vector<LoopId> order;
    for (std::size_t d = 0; d < loops.size(); ++d) {
      const bool is_filter =
          std::find(chain_.filters.begin(), chain_.filters.end(), d) != chain_.filters.end();
      if (!is_filter && d != chain_.row && d != chain_.column) order.push_back(loops[d]);
    }
    order.insert(order.end(), {block_rows, block_});
    const auto around_blocks = static_cast<std::ptrdiff_t>(order.size()) - 1;
    LoopId lanes = loops.back();
    std::vector<LoopId> vectors;  // of a panel
    for (const std::size_t d : chain_.filters) {
      LoopId rest = loops[d];
      if (d < chain_.panel_axis) {
        order.push_back(panel_ = rest);
        continue;
      }
      if (d == chain_.panel_axis) {
        const LoopId panels = cut(name, rest, chain_.panel);
        if (panels != kNoLoop) order.push_back(panel_ = panels);
      }
      if (d + 1 == loops.size()) {
        const LoopId blocks = cut(name, rest, lanes_);
        if (blocks != kNoLoop) vectors.push_back(blocks);
        lanes = rest;
      } else {
        vectors.push_back(rest);
      }
    }
    if (!is_apart_) keep_sums_of_panels(order);
    const std::vector<LoopId> shared(order.begin(),
                                     is_apart_ ? order.end() : order.begin() + around_blocks);
    order.insert(order.end(), vectors.begin(), vectors.end());
    order.insert(order.end(), {tile_rows, tile_columns, y, x, lanes});
    tile_ = tile_columns;
    reorder(name, order);
    share_out(name, shared);
    unroll(name, y);
    unroll(name, x);
    vectorize(name, lanes);
  }

  /// Decides where the sums of so many panels are: in the loop around these. `order` ends with the
  /// loops over blocks and panels.
  void keep_sums_of_panels(std::vector<LoopId>& order) {
    sums_at_ = order.back();
    if (panel_ == kNoLoop || tiles_.panels == 1) return;
    if (tiles_.panels == state_.order.loop(panel_).extent()) {
      sums_at_ = order[order.size() - 2];
      return;
    }
    LoopId rest = panel_;
    order.back() = sums_at_ = split(result_->name, rest, tiles_.panels);
    order.push_back(rest);
  }

  /// The first of some loops, outermost first, that has several iterations, for threads.
  void share_out(const std::string& stage, const std::vector<LoopId>& loops) {
    if (!is_shared_) return;
    const auto at = std::find_if(loops.begin(), loops.end(),
                                 [&](LoopId loop) { return state_.order.loop(loop).extent() > 1; });
    if (at == loops.end()) return;
    state_ = schedule::parallel(state_, stage, *at, where_);
    if (stage == result_->name) shared_ = schedule::loop_name(state_, *at);
  }

  /// Tile by tile, one vector of channels at a time.
  void write_image() {
    const std::string& name = chain_.image;
    const std::vector<LoopId> loops = loops_of(name);
    LoopId lanes = loops.back();
    const LoopId blocks = cut(name, lanes, lanes_);
    std::vector<LoopId> order;
    for (std::size_t d = 2; d + 1 < loops.size(); ++d) {
      if (d != chain_.image_row && d != chain_.image_column) order.push_back(loops[d]);
    }
    order.insert(order.end(), {blocks, loops[chain_.image_row], loops[chain_.image_column],
                               loops[0], loops[1], lanes});
    reorder(name, order);
    if (is_apart_) share_out(name, order);
    place(chain_.columns, name, loops[chain_.image_column], schedule::TileRegion::Exact);
    unroll(name, loops[0]);
    unroll(name, loops[1]);
    vectorize(name, lanes);
    const std::vector<LoopId> inner = loops_of(chain_.columns);
    std::vector<LoopId> columns_first(inner.begin() + 2, inner.end() - 1);
    columns_first.insert(columns_first.end(), {inner[1], inner[0], inner.back()});
    reorder(chain_.columns, columns_first);
    unroll_tile(chain_.columns, 2);
  }

  /// Unrolls the first loops of a stage's axes; the last one runs in lanes.
  void unroll_tile(const std::string& stage, std::size_t count) {
    const std::vector<LoopId> loops = loops_of(stage);
    for (std::size_t k = 0; k < count; ++k) unroll(stage, loops[k]);
    vectorize(stage, loops.back());
  }

  /// Product by product, panel by panel, with tiles and a panel of filters in registers.
  void write_products() {
    const std::string& name = chain_.products;
    const std::vector<LoopId> loops = loops_of(name);
    const std::size_t rank = result_->shape.size() + 2;
    LoopId rows = loops[chain_.row + 2];
    LoopId columns = loops[chain_.column + 2];
    const LoopId row_blocks = cut(name, rows, tiles_.held_rows);
    const LoopId column_blocks = cut(name, columns, tiles_.held_columns);
    std::vector<LoopId> order = {loops[0], loops[1]};
    std::vector<LoopId> panel;
    for (std::size_t d = 0; d < result_->shape.size(); ++d) {
      if (d == chain_.row || d == chain_.column) continue;
      LoopId rest = loops[d + 2];
      if (d == chain_.panel_axis) {
        const LoopId panels = cut(name, rest, chain_.panel);
        if (panels != kNoLoop) order.push_back(panels);
      }
      const bool is_filter =
          std::find(chain_.filters.begin(), chain_.filters.end(), d) != chain_.filters.end();
      (is_filter && d >= chain_.panel_axis ? panel : order).push_back(rest);
    }
    LoopId around_tiles = order.back();
    order.insert(order.end(), {row_blocks, column_blocks});
    order.erase(std::remove(order.begin(), order.end(), kNoLoop), order.end());
    const LoopId around_tile = order.back();
    order.insert(order.end(), loops.begin() + static_cast<std::ptrdiff_t>(rank), loops.end());
    order.insert(order.end(), {rows, columns});
    order.insert(order.end(), panel.begin(), panel.end());
    reorder(name, order);
    unroll(name, rows);
    unroll(name, columns);
    for (std::size_t k = 0; k + 1 < panel.size(); ++k) unroll(name, panel[k]);
    vectorize(name, panel.back());
    if (is_apart_) {
      const LoopId points = share_products_out(around_tile);
      if (around_tiles == loops[1]) around_tiles = points;
    }
    if (!tiles_.asks_early) return;
    // Of the next panel, while all tiles use this one: memory answers all the time.
    state_ = schedule::prefetch_lines(state_, name, chain_.weights, around_tiles, 1, loops.back(),
                                      where_);
  }

  /// Points on threads; sums of a stage that stands by itself are kept in registers by a buffer.
  /// Gives the loop over all points.
  LoopId share_products_out(LoopId around_tile) {
    const std::string& name = chain_.products;
    PlacedBuffer kept;
    kept.stage = kept.tensor = name;
    kept.at = around_tile;
    kept.scope = "register";
    state_ = place_buffer(state_, schedule::AccessKind::Writes, kept, where_).state;
    const std::vector<LoopId> loops = loops_of(name);
    schedule::FuseResult made = schedule::fuse(state_, name, {loops[0], loops[1]}, where_);
    state_ = std::move(made.state);
    share_out(name, {made.fused});
    return made.fused;
  }

  State state_;
  dsl::Tensor result_;  ///< the stage with the loops
  const WinogradStages& chain_;
  const Target& target_;
  SourceLoc where_;
  std::vector<std::string> stages_;
  std::vector<double> passes_;
  std::string shared_;  ///< the loop of which each thread runs a part
  int lanes_;
  WinogradTiles tiles_;
  bool is_shared_ = false;    ///< worth threads
  bool is_apart_ = false;     ///< one block of tiles: each stage is shared out by itself
  LoopId block_ = kNoLoop;    ///< the innermost loop over blocks of tiles
  LoopId panel_ = kNoLoop;    ///< the innermost loop over panels
  LoopId sums_at_ = kNoLoop;  ///< the loop in which sums are computed
  LoopId tile_ = kNoLoop;     ///< the innermost loop over tiles
};

}  // namespace

dsl::Tensor open_winograd(const State& state, const dsl::Tensor& stage) {
  if (stage->winograd == nullptr) return nullptr;
  const WinogradStages& chain = *stage->winograd;
  for (const std::string& name :
       {stage->name, chain.columns, chain.image, chain.products, chain.rows}) {
    if (state.stage_loops.count(name) == 0 || is_touched(state, name)) return nullptr;
  }
  return stage;
}

std::optional<WrittenWinograd> write_winograd(const State& state, const dsl::Tensor& result,
                                              const Target& target, const SourceLoc& where) {
  return WinogradWriter(state, result, target, where).write();
}

}  // namespace solway::driver
