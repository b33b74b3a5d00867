#include "lowering/turn_copies.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

constexpr std::int64_t kMostInGroup = 4;  ///< rows of which elements lie side by side

/// A loop.
struct Range {
  std::string var;
  Expr begin;
  Expr end;

  /// Iterations, which are none where it ends before it begins.
  Expr count() const { return ir::simplify(ir::max(ir::sub(end, begin), ir::index(0))); }
};

std::optional<Range> range_of(const ir::For& s) {
  if (s.for_kind != ir::ForKind::Serial || ir::has_load(s.begin) || ir::has_load(s.end)) {
    return std::nullopt;
  }
  return Range{s.var, s.begin, s.end};
}

/// Two loops, of bounds of their own, around a copy of one element to near memory.
struct CopyNest {
  Range outer;
  Range inner;
  const ir::Store* store = nullptr;
  const ir::Load* load = nullptr;
};

std::optional<CopyNest> copy_nest(const ir::For& s) {
  const auto* inner = s.body.as_or_null<ir::For>();
  const auto* store = inner == nullptr ? nullptr : inner->body.as_or_null<ir::Store>();
  const auto* load = store == nullptr ? nullptr : store->value.as_or_null<ir::Load>();
  if (load == nullptr || load->buffer == store->buffer || store->buffer->scope == "main" ||
      store->buffer->scope == "register" || load->buffer->type != store->buffer->type) {
    return std::nullopt;
  }
  const auto outer_range = range_of(s);
  const auto inner_range = range_of(*inner);
  if (!outer_range || !inner_range) return std::nullopt;
  if (ir::mentions(inner->begin, s.var) || ir::mentions(inner->end, s.var)) return std::nullopt;
  return CopyNest{*outer_range, *inner_range, store, load};
}

/// Two loops around a store that turns.
struct TurnedCopy {
  Range rows;   ///< along neighbours in the source
  Range lanes;  ///< along neighbours in the destination
  const ir::Store* store = nullptr;
  const ir::Load* load = nullptr;
  Expr stride;  ///< in the source, from lane to lane
};

std::optional<TurnedCopy> turned_copy(const CopyNest& nest) {
  TurnedCopy out{nest.outer, nest.inner, nest.store, nest.load, {}};
  const Expr to = ir::flat_index(*nest.store->buffer, nest.store->indices);
  const Expr from = ir::flat_index(*nest.load->buffer, nest.load->indices);
  if (ir::try_coefficient(to, out.lanes.var) != 1) std::swap(out.rows, out.lanes);
  if (ir::try_coefficient(to, out.lanes.var) != 1) return std::nullopt;
  if (ir::try_coefficient(from, out.rows.var) != 1) return std::nullopt;
  if (!ir::try_coefficient(to, out.rows.var) || ir::has_load(from)) return std::nullopt;
  const Expr stride = ir::coefficient_or_undefined(from, out.lanes.var);
  if (!stride.defined()) return std::nullopt;
  out.stride = ir::simplify(stride);
  if (ir::try_constant(out.stride).value_or(2) < 2) return std::nullopt;
  return out;
}

struct ConstantRange {
  std::string var;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

std::optional<ConstantRange> constant(const Range& range) {
  const auto begin = ir::try_constant(range.begin);
  const auto end = ir::try_constant(range.end);
  if (!begin || !end) return std::nullopt;
  return ConstantRange{range.var, *begin, *end};
}

/// Two loops around a store of rows of which as many elements lie side by side as there are rows.
struct GroupedCopy {
  ConstantRange rows;
  ConstantRange
      columns;  ///< neighbours in the source, as far apart in the destination as rows are many
  const ir::Store* store = nullptr;
  const ir::Load* load = nullptr;
};

std::optional<GroupedCopy> grouped_copy(const CopyNest& nest) {
  const auto outer = constant(nest.outer);
  const auto inner = constant(nest.inner);
  if (!outer || !inner) return std::nullopt;
  GroupedCopy out{*outer, *inner, nest.store, nest.load};
  const Expr to = ir::flat_index(*nest.store->buffer, nest.store->indices);
  const Expr from = ir::flat_index(*nest.load->buffer, nest.load->indices);
  if (ir::try_coefficient(to, out.rows.var) != 1) std::swap(out.rows, out.columns);
  const std::int64_t rows = out.rows.end - out.rows.begin;
  const bool is_group = rows >= 2 && rows <= kMostInGroup &&
                        ir::try_coefficient(to, out.rows.var) == 1 &&
                        ir::try_coefficient(to, out.columns.var) == rows &&
                        ir::try_coefficient(from, out.columns.var) == 1 &&
                        ir::try_coefficient(from, out.rows.var).has_value();
  return is_group ? std::optional(out) : std::nullopt;
}

class Turner final : public ir::Mutator {
 public:
  explicit Turner(const VectorForms& forms) : forms_(forms) {}

 private:
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    const auto nest = copy_nest(s);
    if (!nest) return Mutator::rewrite(s, self);
    if (const auto groups = grouped_copy(*nest)) return in_groups(*groups, self);
    const auto copy = turned_copy(*nest);
    if (!copy || (!ir::try_constant(copy->stride) && !forms_.has_strides)) return self;
    const auto known = forms_.lanes.find(copy->store->buffer->type);
    const std::int64_t lanes = known == forms_.lanes.end() ? 1 : known->second;
    const auto rows = ir::try_constant(copy->rows.count());
    const auto columns = ir::try_constant(copy->lanes.count());
    if (lanes < 2 || rows.value_or(lanes) < lanes || columns.value_or(lanes) < lanes) return self;
    return in_squares(*copy, lanes, s.where);
  }

  /// Vectors of each row, whose stores code generation puts together.
  Stmt in_groups(const GroupedCopy& copy, const Stmt& self) const {
    const SourceLoc& where = self.where();
    const auto known = forms_.lanes.find(copy.store->buffer->type);
    const std::int64_t columns = copy.columns.end - copy.columns.begin;
    std::int64_t lanes = known == forms_.lanes.end() ? 1 : known->second;
    while (lanes > columns) lanes /= 2;
    if (lanes < 2) return self;
    const std::int64_t whole = columns / lanes;
    const std::string block = copy.columns.var + "_block";
    const Expr column =
        ir::add(ir::mul(ir::Var::make(block), ir::index(lanes)), ir::index(copy.columns.begin));
    std::vector<Stmt> rows;
    for (std::int64_t row = copy.rows.begin; row < copy.rows.end; ++row) {
      const std::map<std::string, Expr> values = {{copy.rows.var, ir::index(row)},
                                                  {copy.columns.var, column}};
      const Expr loaded =
          ir::VectorLoad::make(copy.load->buffer, placed(copy.load->indices, values), 1,
                               {static_cast<int>(lanes), false});
      rows.push_back(ir::VectorStore::make(copy.store->buffer, placed(copy.store->indices, values),
                                           copy.rows.end - copy.rows.begin, loaded, {},
                                           copy.store->where));
    }
    std::vector<Stmt> parts = {ir::For::make(block, ir::index(0), ir::index(whole),
                                             ir::ForKind::Serial,
                                             ir::Block::make(std::move(rows), where), where)};
    add_rest(parts, copy, {copy.rows.var, ir::index(copy.rows.begin), ir::index(copy.rows.end)},
             {copy.columns.var, ir::index(copy.columns.begin + whole * lanes),
              ir::index(copy.columns.end)});
    return ir::Block::make(std::move(parts), where);
  }

  static std::vector<Expr> placed(const std::vector<Expr>& indices,
                                  const std::map<std::string, Expr>& values) {
    std::vector<Expr> out;
    for (const Expr& e : indices) out.push_back(ir::substitute(e, values));
    return out;
  }

  /// Squares of all rows that fill one, and other rows element by element.
  Stmt in_squares(const TurnedCopy& copy, std::int64_t lanes, const SourceLoc& where) const {
    const std::string row_block = copy.rows.var + "_block";
    const std::string lane_block = copy.lanes.var + "_block";
    const auto at = [&](const std::string& block, const Range& range) {
      return ir::add(ir::mul(ir::Var::make(block), ir::index(lanes)), range.begin);
    };
    const auto loop = [&](const std::string& block, const Expr& count, const Stmt& body) {
      return ir::For::make(block, ir::index(0), count, ir::ForKind::Serial, body, where);
    };
    const Expr columns = copy.lanes.count();
    const Expr whole_columns = ir::fold(BinaryOp::FloorDiv, columns, ir::index(lanes));
    const Expr whole_rows = ir::fold(BinaryOp::FloorDiv, copy.rows.count(), ir::index(lanes));
    const Expr lanes_end = ir::add(copy.lanes.begin, ir::mul(whole_columns, ir::index(lanes)));
    const Expr rows_end = ir::add(copy.rows.begin, ir::mul(whole_rows, ir::index(lanes)));
    const Expr row = at(row_block, copy.rows);
    std::vector<Stmt> of_rows = {
        loop(lane_block, whole_columns, square(copy, lanes, row, at(lane_block, copy.lanes), {}))};
    const bool has_masks =
        forms_.masked_bytes > 0 && size_bytes(copy.store->buffer->type) >= forms_.masked_bytes;
    const Expr rest = ir::fold(BinaryOp::Mod, columns, ir::index(lanes));
    if (has_masks && ir::try_constant(rest) != 0) {
      of_rows.push_back(ir::If::make(ir::fold(BinaryOp::Gt, rest, ir::index(0)),
                                     square(copy, lanes, row, lanes_end, rest), {}, where));
    }
    std::vector<Stmt> parts = {loop(row_block, whole_rows, ir::Block::make(std::move(of_rows)))};
    if (!has_masks) {
      add_rest(parts, copy, {copy.rows.var, copy.rows.begin, rows_end},
               {copy.lanes.var, lanes_end, copy.lanes.end});
    }
    add_rest(parts, copy, {copy.rows.var, rows_end, copy.rows.end}, copy.lanes);
    return ir::Block::make(std::move(parts), where);
  }

  /// Of `active` columns; undefined: as many as rows.
  static Stmt square(const TurnedCopy& copy, std::int64_t lanes, const Expr& first_row,
                     const Expr& column, const Expr& active) {
    std::vector<Stmt> square;
    for (std::int64_t row = 0; row < lanes; ++row) {
      const std::map<std::string, Expr> values = {
          {copy.rows.var, ir::add(first_row, ir::index(row))}, {copy.lanes.var, column}};
      const Expr loaded =
          ir::VectorLoad::make(copy.load->buffer, placed(copy.load->indices, values), copy.stride,
                               {static_cast<int>(lanes), false}, active);
      square.push_back(ir::VectorStore::make(copy.store->buffer,
                                             placed(copy.store->indices, values), 1, loaded, active,
                                             copy.store->where));
    }
    return ir::Block::make(std::move(square));
  }

  template <typename Copy>
  static void add_rest(std::vector<Stmt>& parts, const Copy& copy, const Range& rows,
                       const Range& lanes) {
    const auto is_empty = [](const Range& range) { return ir::try_constant(range.count()) == 0; };
    if (is_empty(rows) || is_empty(lanes)) return;
    const SourceLoc& where = copy.store->where;
    const auto loop = [&](const Range& range, const Stmt& body) {
      return ir::For::make(range.var, range.begin, range.end, ir::ForKind::Serial, body, where);
    };
    const Stmt one = ir::Store::make(copy.store->buffer, copy.store->indices, copy.store->value,
                                     copy.store->where);
    parts.push_back(loop(rows, loop(lanes, one)));
  }

  const VectorForms& forms_;
};

}  // namespace

Stmt turn_copies(const Stmt& s, const VectorForms& forms) { return Turner(forms)(s); }

}  // namespace solway::lowering
