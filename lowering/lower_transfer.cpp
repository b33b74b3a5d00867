#include "lowering/lower_transfer.h"

#include <algorithm>
#include <utility>

#include "lowering/ir/fold.h"
#include "lowering/ir/merge_dims.h"
#include "lowering/ir/simplify.h"
#include "lowering/symbolic_shape.h"
#include "support/error.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::TransferDim;

/// One dimension of a buffer along a dimension of the tensor.
struct Level {
  schedule::BufferDim dim;
  std::size_t at = 0;  ///< number of the dimension, without slots
};

/// The dimensions of the buffer along one of the tensor, whole panels before their elements.
std::vector<Level> levels_along(const schedule::Buffer& buffer, int dim) {
  std::vector<Level> out;
  for (std::size_t k = 0; k < buffer.dims.size(); ++k) {
    if (buffer.dims[k].dim == dim) out.push_back({buffer.dims[k], k});
  }
  std::sort(out.begin(), out.end(),
            [](const Level& a, const Level& b) { return a.dim.step > b.dim.step; });
  return out;
}

/// Elements along a dimension of the tensor that fill the panels inside of one level.
struct Block {
  std::size_t level = 0;
  Expr count;                ///< of that level
  std::vector<Expr> digits;  ///< where it begins, in the levels before
};

/// `count` elements that the buffer holds, divided at each level into what fills its panels and the
/// rest.
std::vector<Block> blocks_of(const std::vector<Level>& levels, const Expr& count) {
  if (levels.empty()) return {{0, count, {}}};
  std::vector<Block> out;
  std::vector<Expr> digits;
  Expr rest = count;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const Expr step = ir::index(levels[level].dim.step / levels.back().dim.step);
    const Expr number = ir::simplify(ir::fold(BinaryOp::FloorDiv, rest, step));
    if (ir::try_constant(number) != 0) out.push_back({level, number, digits});
    digits.push_back(number);
    rest = ir::simplify(ir::fold(BinaryOp::Mod, rest, step));
  }
  return out;
}

/// A block per dimension of the tensor, under a name and a condition of its own.
struct Part {
  std::string id;
  std::vector<Block> blocks;
  Expr condition;  ///< undefined: there is something to move
};

std::string id_of(const std::string& transfer, std::size_t part) {
  if (part == 0) return transfer;
  return transfer + "_rest" + (part == 1 ? "" : std::to_string(part));
}

/// `part`, and one more dimension of it; `may_be_empty` where the block may have no elements.
Part with_block(const Part& part, const Block& block, bool may_be_empty) {
  Part out = part;
  out.blocks.push_back(block);
  if (!may_be_empty || ir::try_constant(block.count)) return out;
  const Expr some = ir::fold(BinaryOp::Gt, block.count, ir::index(0));
  out.condition = out.condition.defined() ? ir::fold(BinaryOp::And, out.condition, some) : some;
  return out;
}

std::vector<Part> parts_of(const schedule::Buffer& buffer, const std::string& transfer,
                           const std::vector<Expr>& count) {
  std::vector<Part> out(1);
  for (std::size_t d = 0; d < count.size(); ++d) {
    const auto levels = levels_along(buffer, static_cast<int>(d));
    const std::vector<Block> blocks = blocks_of(levels, count[d]);
    std::vector<Part> longer;
    for (const Part& part : out) {
      for (const Block& block : blocks) {
        longer.push_back(with_block(part, block, levels.size() > 1));
      }
    }
    out = std::move(longer);
  }
  for (std::size_t k = 0; k < out.size(); ++k) out[k].id = id_of(transfer, k);
  return out;
}

/// One block per dimension: what print_loops shows.
std::vector<Part> whole(const std::string& transfer, const std::vector<Expr>& count) {
  Part out{transfer, {}, {}};
  for (const Expr& n : count) out.blocks.push_back({0, n, {}});
  return {out};
}

ir::Stmt guarded(const Part& part, ir::Stmt stmt) {
  return part.condition.defined() ? ir::If::make(part.condition, std::move(stmt)) : stmt;
}

/// Distance in elements between neighbours along each dimension of the tensor.
std::vector<Expr> main_strides_of(const TransferPlace& place) {
  if (place.flat) return flat_strides(place.flat);
  std::vector<Expr> out;
  for (const std::int64_t stride : place.main->strides_elems()) out.push_back(ir::index(stride));
  return out;
}

/// The dimensions of one part; its indices move to where it begins.
std::vector<TransferDim> place_part(const schedule::Statement& statement,
                                    const schedule::Buffer& buffer, const Part& part,
                                    TransferPlace& place, TransferDims dims) {
  const std::vector<Expr> main_strides = main_strides_of(place);
  const std::vector<std::int64_t> near_strides = place.near->strides_elems();
  std::vector<TransferDim> out;
  for (std::size_t d = 0; d < main_strides.size(); ++d) {
    const std::vector<Level> levels = levels_along(buffer, static_cast<int>(d));
    const Block& block = part.blocks[d];
    if (levels.empty()) {  // its near stride is never used
      if (ir::try_constant(block.count) != 1) {
        throw InternalError({statement.where, "transfer '" + statement.copy->transfer + "'",
                             "it moves several elements along dimension " + std::to_string(d) +
                                 " of '" + buffer.moved_from() +
                                 "', which the buffer does not have",
                             ""});
      }
      out.push_back({block.count, main_strides[d], 1});
    }
    for (std::size_t k = 0; k < block.digits.size(); ++k) {
      const std::size_t at = buffer.first_dim() + levels[k].at;
      const Expr elements = ir::mul(block.digits[k], ir::index(levels[k].dim.step));
      place.main_index[d] = ir::add(place.main_index[d], elements);
      place.near_index[at] = ir::add(place.near_index[at], block.digits[k]);
    }
    const std::size_t end = dims == TransferDims::Merged ? levels.size() : block.level + 1;
    for (std::size_t k = block.level; k < std::min(end, levels.size()); ++k) {
      const schedule::BufferDim& dim = levels[k].dim;
      out.push_back({k == block.level ? block.count : ir::index(dim.wrap),
                     ir::mul(ir::index(dim.step), main_strides[d]),
                     near_strides[buffer.first_dim() + levels[k].at]});
    }
  }
  return out;
}

constexpr const char* kRow = "_row";

/// The slot of one row of the region in `slot`, undefined where there is one.
Expr slot_of_row(const Expr& slot, const TransferRow& row) {
  if (!slot.defined()) return row.number;
  return ir::simplify(ir::add(ir::mul(slot, ir::index(row.all)), row.number));
}

}  // namespace

ir::Stmt issue_of(const schedule::Statement& statement, const schedule::Buffer& buffer,
                  const TransferPlace& place, TransferDims dims) {
  const bool is_merged = dims == TransferDims::Merged;
  const std::string& transfer = statement.copy->transfer;
  std::vector<ir::Stmt> out;
  for (const Part& part :
       is_merged ? parts_of(buffer, transfer, place.count) : whole(transfer, place.count)) {
    TransferPlace own = place;
    std::vector<TransferDim> moved = place_part(statement, buffer, part, own, dims);
    ir::TransferIssue::Fields fields;
    fields.id = part.id;
    fields.direction = statement.copy->direction == schedule::CopyDirection::Get
                           ? ir::TransferDirection::Get
                           : ir::TransferDirection::Put;
    fields.main = std::move(own.main);
    fields.main_index = std::move(own.main_index);
    if (own.flat) fields.main_index = {flat_index(own.flat, fields.main_index)};
    if (buffer.depth > 1) {
      fields.slot = own.near_index.front();
      fields.num_slots = buffer.depth;
    }
    if (fields.direction == ir::TransferDirection::Get) fields.unit_elems = buffer.unit_elems;
    if (own.row) {
      fields.id += kRow;
      fields.slot = slot_of_row(fields.slot, *own.row);
      fields.num_slots *= static_cast<int>(own.row->all);
    }
    fields.near = std::move(own.near);
    fields.near_index = std::move(own.near_index);
    fields.dims = is_merged ? ir::merge_dims(moved) : std::move(moved);
    out.push_back(guarded(part, ir::TransferIssue::make(std::move(fields), statement.where)));
  }
  return ir::Block::make(std::move(out));
}

ir::Stmt issue_within_border(const schedule::Statement& statement, const schedule::Buffer& buffer,
                             const TransferPlace& place) {
  const ir::Stmt cut = issue_of(statement, buffer, place, TransferDims::Merged);
  if (buffer.dims.empty()) return cut;
  const schedule::BufferDim& row = buffer.dims.back();
  const Expr& count = place.count[static_cast<std::size_t>(row.dim)];
  const bool is_plain = row.step == 1 && row.wrap == 0;
  if (!is_plain || ir::try_constant(count)) return cut;
  TransferPlace whole = place;
  const Expr all = ir::index(place.near->shape.back());
  whole.count[static_cast<std::size_t>(row.dim)] = all;
  whole.near_index.back() = ir::index(0);
  return ir::If::make(ir::fold(BinaryOp::Eq, count, all),
                      issue_of(statement, buffer, whole, TransferDims::Merged), cut);
}

ir::Stmt wait_for(const schedule::Statement& statement, const schedule::Buffer& buffer,
                  const ir::Expr& slot, const std::vector<Expr>& count, TransferDims dims) {
  const std::string& transfer = statement.copy->transfer;
  std::vector<ir::Stmt> out;
  for (const Part& part :
       dims == TransferDims::Merged ? parts_of(buffer, transfer, count) : whole(transfer, count)) {
    out.push_back(guarded(part, ir::TransferWait::make(part.id, slot, statement.where)));
  }
  return ir::Block::make(std::move(out));
}

ir::Stmt wait_for_row(const schedule::Statement& statement, const schedule::Buffer& buffer,
                      const ir::Expr& slot, const TransferRow& row) {
  return ir::TransferWait::make(statement.copy->transfer + kRow,
                                slot_of_row(buffer.depth > 1 ? slot : Expr{}, row),
                                statement.where);
}

}  // namespace solway::lowering
