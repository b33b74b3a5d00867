#include "driver/write_winograd.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "driver/detail/planned_primitives.h"
#include "driver/fast_math.h"
#include "driver/fuse_stages.h"
#include "driver/no_loop.h"
#include "driver/share_out.h"
#include "memory_planner/reuse.h"
#include "memory_planner/vector_plan_cost.h"
#include "schedule/compute_at.h"
#include "schedule/compute_inline.h"
#include "schedule/draft.h"
#include "schedule/parallel.h"
#include "schedule/reorder.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using dsl::WinogradStages;
using schedule::LoopId;
using schedule::State;

constexpr double kLanes = 16;  ///< numbers in a vector, of which each is spread by itself

std::vector<std::int64_t> divisors_of(std::int64_t n) {
  std::vector<std::int64_t> out;
  for (std::int64_t d = 1; d <= n; ++d) {
    if (n % d == 0) out.push_back(d);
  }
  return out;
}

constexpr double kSecond = 1.0;  ///< cycles for a vector from the second-level cache
constexpr double kThird = 2.2;   ///< ... from beyond

/// What a block of tiles costs beside its products, for each of them: weights are loaded once per
/// block, the image once per panel.
double loads_per_tile(double tiles, std::int64_t image_bytes, std::int64_t weight_bytes,
                      std::int64_t room) {
  const auto level = [&](double bytes) {
    return bytes <= static_cast<double>(room) / 2 ? kSecond : kThird;
  };
  const double weights = 2 * level(static_cast<double>(weight_bytes)) / tiles;
  return weights + level(tiles * static_cast<double>(image_bytes)) / kLanes;
}

/// A block of tiles, of equal parts, whole rows where several rows are taken.
void choose_block(const WinogradPlane& plane, std::int64_t room, WinogradTiles& out) {
  double best = -1;
  for (const std::int64_t width : divisors_of(plane.columns)) {
    for (const std::int64_t height : divisors_of(plane.rows)) {
      if (height > 1 && width < plane.columns) continue;
      const std::int64_t tiles = width * height;
      if (tiles > 1 && tiles * plane.product_bytes > room / 2) continue;
      const double cost =
          loads_per_tile(static_cast<double>(tiles), plane.image_bytes, plane.weight_bytes, room);
      if (best >= 0 && cost >= best) continue;
      best = cost;
      out.rows = height;
      out.columns = width;
    }
  }
}

/// The sums that registers hold of a block: as many as fit.
void choose_held(std::int64_t most, WinogradTiles& out) {
  for (const std::int64_t width : divisors_of(out.columns)) {
    for (const std::int64_t height : divisors_of(out.rows)) {
      if (width * height > most || width * height < out.held_rows * out.held_columns) continue;
      out.held_rows = height;
      out.held_columns = width;
    }
  }
}

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
  if (readers.size() != 1 || is_touched(state, readers[0]) || !only_read(state, result->name)) {
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
    plane.image_bytes = bytes * sizes.channels;
    plane.weight_bytes = bytes * sizes.channels * sizes.filters;
    plane.product_bytes = bytes * panel;
    plane.vectors = std::max<std::int64_t>(1, panel / lanes_);
    tiles_ = winograd_tiles(plane, target);
  }

  std::optional<WrittenWinograd> write() {
    take_readers();
    write_result();
    const LoopId around_tiles = panel_ == kNoLoop ? block_ : panel_;
    place(chain_.rows, result_->name, tile_, schedule::TileRegion::Exact);
    place(chain_.products, result_->name, around_tiles, schedule::TileRegion::Box);
    place(chain_.image, result_->name, block_, schedule::TileRegion::Box);
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
    order.insert(order.end(), vectors.begin(), vectors.end());
    order.insert(order.end(), {tile_rows, tile_columns, y, x, lanes});
    tile_ = tile_columns;
    reorder(name, order);
    share_out(block_rows);
    unroll(name, y);
    unroll(name, x);
    vectorize(name, lanes);
  }

  /// Rows of blocks for threads, where there are several and they are worth it.
  void share_out(LoopId block_rows) {
    const std::int64_t blocks = state_.order.loop(block_rows).extent();
    const double cycles =
        winograd_cycles(chain_.convolution, chain_.outputs, result_->type, target_);
    if (blocks < 2 || cycles < kLeastSharedCycles) return;
    state_ = schedule::parallel(state_, result_->name, block_rows, where_);
    shared_ = schedule::loop_name(state_, block_rows);
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

  /// Product by product, tiles and a panel of filters in registers.
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
      const bool is_filter =
          std::find(chain_.filters.begin(), chain_.filters.end(), d) != chain_.filters.end();
      (is_filter && d >= chain_.panel_axis ? panel : order).push_back(loops[d + 2]);
    }
    order.insert(order.end(), {row_blocks, column_blocks});
    order.insert(order.end(), loops.begin() + static_cast<std::ptrdiff_t>(rank), loops.end());
    order.insert(order.end(), {rows, columns});
    order.insert(order.end(), panel.begin(), panel.end());
    reorder(name, order);
    unroll(name, rows);
    unroll(name, columns);
    for (std::size_t k = 0; k + 1 < panel.size(); ++k) unroll(name, panel[k]);
    vectorize(name, panel.back());
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
  LoopId block_ = kNoLoop;  ///< the innermost loop over blocks of tiles
  LoopId panel_ = kNoLoop;  ///< the innermost loop over panels
  LoopId tile_ = kNoLoop;   ///< the innermost loop over tiles
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

WinogradTiles winograd_tiles(const WinogradPlane& plane, const Target& target) {
  WinogradTiles out;
  choose_block(plane, memory_planner::caches_of(target).second_bytes, out);
  choose_held((target.vector->registers - 2 - plane.vectors) / plane.vectors, out);
  return out;
}

std::optional<WrittenWinograd> write_winograd(const State& state, const dsl::Tensor& result,
                                              const Target& target, const SourceLoc& where) {
  return WinogradWriter(state, result, target, where).write();
}

}  // namespace solway::driver
