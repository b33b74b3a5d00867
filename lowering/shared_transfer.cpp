#include "lowering/shared_transfer.h"

#include <algorithm>
#include <utility>

#include "lowering/ir/fold.h"
#include "lowering/ir/simplify.h"
#include "schedule/broadcast.h"
#include "schedule/shared_reads.h"
#include "support/error.h"
#include "support/message_parts.h"

namespace solway::lowering {
namespace {

using ir::Expr;

std::int64_t cores_of(const std::vector<LineOfCores>& lines) {
  std::int64_t out = 1;
  for (const LineOfCores& line : lines) out *= line.cores;
  return out;
}

/// How cores divide a region, whose dimensions are those of the buffer.
CoreParts parts_of(const ir::BufferNode& near, const schedule::Buffer& buffer, std::int64_t cores) {
  const auto first = near.shape.begin() + static_cast<std::ptrdiff_t>(buffer.first_dim());
  return divide_among_cores({first, near.shape.end()}, size_bytes(near.type), cores);
}

/// Which of several parts along a dimension of a buffer a core has.
struct Share {
  std::size_t dim;     ///< of the buffer's dims
  Expr number;         ///< 0 <= number < parts
  std::int64_t parts;  ///< of all cores
  std::int64_t rows;   ///< of one part
};

/// Leaves a place the rows of one part, as far as it has them.
void cut(TransferPlace& place, const schedule::Buffer& buffer, const Share& share) {
  const schedule::BufferDim& dim = buffer.dims[share.dim];
  const auto d = static_cast<std::size_t>(dim.dim);
  const std::size_t near_dim = buffer.first_dim() + share.dim;
  const std::int64_t extent = place.near->shape[near_dim];
  const Expr own = ir::simplify(ir::mul(share.number, ir::index(share.rows)));
  const Expr own_end = ir::add(own, ir::index(share.rows));
  Expr& near = place.near_index[near_dim];
  const Expr first = near;
  const bool is_even = ir::try_constant(ir::simplify(first)) == 0 &&
                       ir::try_constant(place.count[d]) == extent &&
                       share.rows * share.parts == extent;
  near = is_even ? own : ir::simplify(ir::fold(BinaryOp::Max, first, own));
  const Expr skipped = is_even ? own : ir::sub(near, first);
  const Expr last = ir::add(first, place.count[d]);
  place.main_index[d] = ir::add(place.main_index[d], ir::mul(skipped, ir::index(dim.step)));
  place.count[d] =
      is_even ? ir::index(share.rows) : ir::simplify(ir::sub(ir::min(last, own_end), near));
}

/// The number of this core among all that share.
Expr number_of(const std::vector<LineOfCores>& lines) {
  Expr out = ir::index(0);
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    out = ir::add(ir::mul(out, ir::index(line->cores)), line->place);
  }
  return ir::simplify(out);
}

/// Which of `cores` runs an iteration.
Expr place_in(const schedule::State& state, const schedule::Buffer& buffer, const OpenLoop& open,
              std::int64_t cores) {
  const schedule::Loop& loop = state.order.loop(open.id);
  const auto begin = ir::try_constant(ir::simplify(open.begin));
  const auto end = ir::try_constant(ir::simplify(open.end));
  const std::int64_t extent = begin && end ? *end - *begin : 0;
  if (extent <= 0 || extent % cores != 0) {
    throw ScheduleArgumentError(
        {buffer.shared_at,
         "broadcast(" + buffer.name + ", over=\"" + to_string(buffer.shared_by) + "\"): the " +
             std::to_string(loop.extent()) + " iterations of '" + loop.name +
             "' do not divide evenly among " + std::to_string(cores) + " cores of this target",
         "some cores would make fewer copies, and leave the others waiting for their parts",
         "split so that '" + loop.name + "' has a multiple of " + std::to_string(cores) +
             " iterations"});
  }
  const Expr from_begin = ir::sub(open.value, open.begin);
  return ir::simplify(ir::fold(BinaryOp::FloorDiv, from_begin, ir::index(extent / cores)));
}

}  // namespace

std::vector<LineOfCores> lines_of(const schedule::State& state, const schedule::Buffer& buffer,
                                  const std::vector<OpenLoop>& open, const Mesh& mesh) {
  std::vector<LineOfCores> out;
  for (const schedule::LoopId id : schedule::sharing_loops(state, buffer)) {
    const schedule::Loop& loop = state.order.loop(id);
    const auto at =
        std::find_if(open.begin(), open.end(), [&](const OpenLoop& one) { return one.id == id; });
    const bool is_on_mesh = loop.hardware == "row" || loop.hardware == "column";
    if (at == open.end()) {
      if (loop.extent() == 1 && loop.parts == 1) continue;  // one core: nobody to share with
      place_in(state, buffer, {id, ir::index(0), ir::index(loop.extent()), ir::index(0)},
               is_on_mesh ? 2 : mesh.rows * mesh.columns);
      continue;
    }
    if (!is_on_mesh) {
      const Expr core = place_in(state, buffer, *at, mesh.rows * mesh.columns);
      const Expr columns = ir::index(mesh.columns);
      out.push_back(
          {ir::MeshLine::Row, ir::simplify(ir::fold(BinaryOp::Mod, core, columns)), mesh.columns});
      out.push_back({ir::MeshLine::Column,
                     ir::simplify(ir::fold(BinaryOp::FloorDiv, core, columns)), mesh.rows});
      continue;
    }
    // The cores of a row have different columns.
    const bool is_row = loop.hardware == "column";
    const std::int64_t all = is_row ? mesh.columns : mesh.rows;
    const std::int64_t cores = loop.parts == 0 ? all : loop.parts;
    out.push_back({is_row ? ir::MeshLine::Row : ir::MeshLine::Column,
                   place_in(state, buffer, *at, cores), cores});
  }
  std::stable_sort(out.begin(), out.end(), [](const LineOfCores& a, const LineOfCores& b) {
    return a.line == ir::MeshLine::Row && b.line == ir::MeshLine::Column;
  });
  return out;
}

TransferPlace part_of(const TransferPlace& place, const schedule::Buffer& buffer,
                      const std::vector<LineOfCores>& lines) {
  const std::int64_t cores = cores_of(lines);
  if (cores == 1 || buffer.dims.empty()) return place;
  const CoreParts rows = parts_of(*place.near, buffer, cores);
  const Expr number = number_of(lines);
  TransferPlace out = place;
  if (rows.blocks == 1) {
    cut(out, buffer, {rows.dim, number, cores, rows.per_core});
    return out;
  }
  const std::int64_t per_block = cores / rows.blocks;
  const Expr block = ir::fold(BinaryOp::FloorDiv, number, ir::index(per_block));
  const Expr within = ir::fold(BinaryOp::Mod, number, ir::index(per_block));
  cut(out, buffer, {rows.dim - 1, block, rows.blocks, 1});
  cut(out, buffer, {rows.dim, within, per_block, rows.per_core});
  return out;
}

ir::Stmt exchanges_of(const ir::Buffer& near, const schedule::Buffer& buffer, const Expr& slot,
                      const std::vector<LineOfCores>& lines) {
  if (buffer.dims.empty()) return ir::Block::make({});  // one element, which each core reads
  const CoreParts rows = parts_of(*near, buffer, cores_of(lines));
  std::vector<ir::Stmt> out;
  const bool is_even = rows.per_core * cores_of(lines) == rows.all_rows();
  std::int64_t per_place = rows.per_core;  // rows that a core of the line has to give
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const std::int64_t per_line = per_place * lines[k].cores;
    const std::vector<LineOfCores> around(lines.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                                          lines.end());
    const Expr first = ir::simplify(ir::mul(number_of(around), ir::index(per_line)));
    ir::Exchange::Fields fields;
    fields.buffer = near;
    fields.indices.assign(near->shape.size(), ir::index(0));
    if (buffer.depth > 1) fields.indices.front() = slot;
    const std::size_t dim = buffer.first_dim() + rows.dim;
    fields.indices[dim] = first;
    if (rows.blocks > 1) {
      const Expr extent = ir::index(rows.rows);
      fields.indices[dim - 1] = ir::simplify(ir::fold(BinaryOp::FloorDiv, first, extent));
      fields.indices[dim] = ir::simplify(ir::fold(BinaryOp::Mod, first, extent));
    }
    fields.line = lines[k].line;
    fields.part = lines[k].place;
    fields.parts = lines[k].cores;
    fields.part_elems = per_place * rows.row_elems;
    const Expr most = ir::index(per_line);
    const Expr all = is_even ? most : ir::min(ir::sub(ir::index(rows.all_rows()), first), most);
    fields.num_elems = ir::simplify(ir::mul(all, ir::index(rows.row_elems)));
    if (lines[k].cores > 1) out.push_back(ir::Exchange::make(std::move(fields), buffer.shared_at));
    per_place = per_line;
  }
  return ir::Block::make(std::move(out));
}

}  // namespace solway::lowering
