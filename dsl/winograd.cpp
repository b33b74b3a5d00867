#include "dsl/winograd.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "dsl/detail/known_weights.h"
#include "dsl/detail/plane_form.h"
#include "dsl/detail/rewrite_expr.h"
#include "dsl/minimal_filtering.h"
#include "support/error.h"

namespace solway::dsl {
namespace {

using detail::PlaneForm;
/// What stands for an axis of the convolution in a stage.
using Values = std::map<Axis, Expr>;

constexpr std::int64_t kPanel = 32;  ///< filters that lie side by side: two vectors of 16
constexpr int kMostPoints = 8;

std::int64_t extents_of(const std::vector<Axis>& axes) {
  std::int64_t out = 1;
  for (const Axis& axis : axes) out *= axis->extent();
  return out;
}

/// A dimension of a stage: an axis of the convolution, or a number of its own.
struct Dim {
  std::string name;
  std::int64_t extent = 0;
};

PlaneConvolution sizes_of(const Tensor& tensor, const PlaneForm& form) {
  PlaneConvolution out;
  out.rows = form.y->extent();
  out.columns = form.x->extent();
  out.taps = static_cast<int>(form.r->extent());
  out.channels = extents_of(form.channels);
  out.filters = extents_of(form.filters);
  out.others = extents_of(tensor->axis) / out.rows / out.columns / out.filters;
  out.has_known_weights =
      form.weights->kind == ExprKind::Read && form.weights->tensor->is_constant();
  out.has_channels_innermost = !form.channels.empty() &&
                               form.image_axes.back() == form.channels.back() &&
                               tensor->axis.back() == form.filters.back();
  return out;
}

class Chain {
 public:
  Chain(const Tensor& tensor, PlaneForm form, int outputs, const SourceLoc& where)
      : tensor_(tensor),
        form_(std::move(form)),
        convolution_(sizes_of(tensor, form_)),
        where_(where),
        filtering_(minimal_filtering(outputs, static_cast<int>(form_.r->extent()))),
        m_(outputs),
        points_(filtering_.points()),
        tile_rows_((form_.y->extent() + m_ - 1) / m_),
        tile_columns_((form_.x->extent() + m_ - 1) / m_) {
    find_panels();
  }

  Tensor run() {
    auto stages = std::make_shared<WinogradStages>();
    const Tensor weights = make_weights(*stages);
    const Tensor columns = make_columns();
    const Tensor image = make_image(columns);
    const Tensor products = make_products(image, weights);
    const Tensor rows = make_rows(products);
    stages->weights = weights->name;
    stages->columns = columns->name;
    stages->image = image->name;
    stages->products = products->name;
    stages->rows = rows->name;
    stages->row = place_of(tensor_->axis, form_.y);
    stages->column = place_of(tensor_->axis, form_.x);
    stages->image_row = 2 + place_of(form_.image_axes, form_.y);
    stages->image_column = 2 + place_of(form_.image_axes, form_.x);
    for (const Axis& axis : form_.filters) stages->filters.push_back(place_of(tensor_->axis, axis));
    stages->panel_axis = stages->filters[panels_.split];
    stages->panel = panels_.in_panel;
    stages->outputs = filtering_.outputs;
    stages->convolution = convolution_;
    stages->amplification = filtering_.amplification();
    auto result = std::make_shared<TensorNode>(*make_result(rows));
    result->winograd = std::move(stages);
    return result;
  }

 private:
  static std::size_t place_of(const std::vector<Axis>& axes, const Axis& axis) {
    return static_cast<std::size_t>(std::find(axes.begin(), axes.end(), axis) - axes.begin());
  }

  using Body = std::function<Expr(const std::vector<Expr>&)>;

  Expr number(std::int64_t value) const { return make_int(value, DType::Int64, true, where_); }
  Expr op(BinaryOp kind, const Expr& a, const Expr& b) const {
    return make_binary(kind, a, b, where_);
  }
  Expr read(const Tensor& tensor, std::vector<Expr> index) const {
    return make_read(tensor, std::move(index), where_);
  }

  /// A stage over new axes.
  Tensor stage(const std::string& suffix, const std::vector<Dim>& dims, const Body& body) const {
    Extents shape;
    std::vector<Axis> axes;
    std::vector<Expr> values;
    std::set<std::string> taken;
    for (const Dim& dim : dims) {
      std::string name = dim.name;
      for (int n = 1; !taken.insert(name).second; ++n) name = dim.name + "_" + std::to_string(n);
      shape.emplace_back(dim.extent);
      axes.push_back(make_axis(name, AxisKind::Spatial, 0, dim.extent, where_));
      values.push_back(make_axis_ref(axes.back(), where_));
    }
    const std::string name = tensor_->name + suffix;
    return make_compute(shape, axes, body(values), name, where_);
  }

  /// Row `index` of a matrix times a vector.
  Expr row_of(const FractionMatrix& matrix, const Expr& index,
              const std::vector<Expr>& vector) const {
    const std::vector<Expr> rows = linear_forms(matrix, vector, where_);
    Expr out = rows.back();
    for (std::size_t n = rows.size() - 1; n-- > 0;) {
      out = make_select(op(BinaryOp::Eq, index, number(static_cast<std::int64_t>(n))), rows[n], out,
                        where_);
    }
    return out;
  }

  /// The dimensions that stand for axes: tiles in the place of rows and columns.
  std::vector<Dim> dims_of(const std::vector<Axis>& axes) const {
    std::vector<Dim> out;
    for (const Axis& axis : axes) {
      if (axis == form_.y) {
        out.push_back({"ty", tile_rows_});
      } else if (axis == form_.x) {
        out.push_back({"tx", tile_columns_});
      } else {
        out.push_back({axis->name, axis->extent()});
      }
    }
    return out;
  }

  static Values values_of(const std::vector<Axis>& axes, const std::vector<Expr>& at,
                          std::size_t first) {
    Values out;
    for (std::size_t k = 0; k < axes.size(); ++k) out[axes[k]] = at[first + k];
    return out;
  }

  static std::vector<Expr> listed(const Values& values, const std::vector<Axis>& axes) {
    std::vector<Expr> out;
    for (const Axis& axis : axes) out.push_back(values.at(axis));
    return out;
  }

  std::vector<Dim> with_points(const std::string& a, std::int64_t extent, const std::string& b,
                               std::vector<Dim> dims) const {
    dims.insert(dims.begin(), {Dim{a, extent}, Dim{b, points_}});
    return dims;
  }

  /// D in row a and column b of a window; 0 where no result needs it, behind the last row.
  Expr window(const Values& tile, int a, const Expr& b) const {
    const Expr row = op(BinaryOp::Add, op(BinaryOp::Mul, tile.at(form_.y), number(m_)), number(a));
    const Expr column = op(BinaryOp::Add, op(BinaryOp::Mul, tile.at(form_.x), number(m_)), b);
    Values values = tile;
    values[form_.y] = row;
    values[form_.x] = column;
    values[form_.r] = values[form_.q] = number(0);
    Expr out = detail::with_axes(form_.image, values);
    const auto limit = [&](const Expr& at, const Axis& axis, std::int64_t tiles) {
      const std::int64_t end = axis->extent() + filtering_.taps - 1;
      if (tiles * m_ + filtering_.taps - 1 == end) return;
      out = make_select(op(BinaryOp::Lt, at, number(end)), out,
                        make_float(0, tensor_->type, false, where_), where_);
    };
    limit(column, form_.x, tile_columns_);
    limit(row, form_.y, tile_rows_);
    return out;
  }

  Tensor make_columns() const {
    const std::vector<Axis>& axes = form_.image_axes;
    return stage("_B", with_points("i", points_, "b", dims_of(axes)), [&](const auto& at) {
      const Values tile = values_of(axes, at, 2);
      std::vector<Expr> d;
      for (int a = 0; a < points_; ++a) d.push_back(window(tile, a, at[1]));
      return row_of(filtering_.input, at[0], d);
    });
  }

  /// Row at[dim] of a matrix times `from` along that dimension.
  Expr product_along(const FractionMatrix& matrix, const Tensor& from, std::vector<Expr> at,
                     std::size_t dim) const {
    const Expr row = at[dim];
    std::vector<Expr> vector;
    for (std::size_t b = 0; b < matrix[0].size(); ++b) {
      at[dim] = number(static_cast<std::int64_t>(b));
      vector.push_back(read(from, at));
    }
    return row_of(matrix, row, vector);
  }

  Tensor make_image(const Tensor& columns) const {
    return stage("_V", with_points("i", points_, "j", dims_of(form_.image_axes)),
                 [&](const auto& at) { return product_along(filtering_.input, columns, at, 1); });
  }

  /// How the filters lie: whole panels outside of the points, what is in one innermost.
  void find_panels() {
    const Axis last = form_.filters.back();
    const std::size_t count = form_.filters.size();
    if (last->extent() % kPanel == 0) {
      panels_.split = count - 1;
      panels_.in_panel = kPanel;
    } else if (kPanel % last->extent() == 0 && count > 1 &&
               form_.filters[count - 2]->extent() % (kPanel / last->extent()) == 0) {
      panels_.split = count - 2;
      panels_.in_panel = kPanel / last->extent();
    } else {
      panels_.split = count - 1;
      panels_.in_panel = last->extent();
    }
  }

  /// The dimensions of the weights: panels, two points, groups and channels, what is in a panel.
  std::vector<Dim> weight_dims(std::int64_t second) const {
    std::vector<Dim> out;
    for (std::size_t k = 0; k < panels_.split; ++k) {
      out.push_back({form_.filters[k]->name, form_.filters[k]->extent()});
    }
    out.push_back({form_.filters[panels_.split]->name,
                   form_.filters[panels_.split]->extent() / panels_.in_panel});
    out.push_back({"i", points_});
    out.push_back({"j", second});
    for (const auto* axes : {&form_.groups, &form_.channels}) {
      for (const Axis& axis : *axes) out.push_back({axis->name, axis->extent()});
    }
    out.push_back({form_.filters[panels_.split]->name, panels_.in_panel});
    for (std::size_t k = panels_.split + 1; k < form_.filters.size(); ++k) {
      out.push_back({form_.filters[k]->name, form_.filters[k]->extent()});
    }
    return out;
  }

  /// An index of the weights, from values of the axes and of two points.
  std::vector<Expr> weight_index(const Values& values, const Expr& i, const Expr& j) const {
    std::vector<Expr> out;
    for (std::size_t k = 0; k < panels_.split; ++k) out.push_back(values.at(form_.filters[k]));
    const Expr& at = values.at(form_.filters[panels_.split]);
    out.push_back(op(BinaryOp::FloorDiv, at, number(panels_.in_panel)));
    out.push_back(i);
    out.push_back(j);
    for (const Axis& axis : form_.groups) out.push_back(values.at(axis));
    for (const Axis& axis : form_.channels) out.push_back(values.at(axis));
    out.push_back(op(BinaryOp::Mod, at, number(panels_.in_panel)));
    for (std::size_t k = panels_.split + 1; k < form_.filters.size(); ++k) {
      out.push_back(values.at(form_.filters[k]));
    }
    return out;
  }

  /// The axes of W at an index of the weights.
  Values weight_values(const std::vector<Expr>& at) const {
    Values out;
    std::size_t n = 0;
    for (std::size_t k = 0; k < panels_.split; ++k) out[form_.filters[k]] = at[n++];
    const Expr panel = op(BinaryOp::Mul, at[n++], number(panels_.in_panel));
    n += 2;
    for (const Axis& axis : form_.groups) out[axis] = at[n++];
    for (const Axis& axis : form_.channels) out[axis] = at[n++];
    out[form_.filters[panels_.split]] = op(BinaryOp::Add, panel, at[n++]);
    for (std::size_t k = panels_.split + 1; k < form_.filters.size(); ++k)
      out[form_.filters[k]] = at[n++];
    return out;
  }

  Tensor make_weights(WinogradStages& stages) const {
    const std::string name = tensor_->name + "_U";
    if (auto known = detail::known_weights(form_, filtering_, panels_, name, where_)) return *known;
    const std::size_t points_at = panels_.split + 1;
    const Tensor columns =
        stage("_G", weight_dims(filtering_.taps), [&](const std::vector<Expr>& at) {
          std::vector<Expr> taps;
          for (int a = 0; a < filtering_.taps; ++a) {
            Values values = weight_values(at);
            values[form_.r] = number(a);
            values[form_.q] = at[points_at + 1];
            taps.push_back(detail::with_axes(form_.weights, values));
          }
          return row_of(filtering_.filter, at[points_at], taps);
        });
    stages.filter_columns = columns->name;
    return stage("_U", weight_dims(points_), [&](const std::vector<Expr>& at) {
      return product_along(filtering_.filter, columns, at, points_at + 1);
    });
  }

  Tensor make_products(const Tensor& image, const Tensor& weights) const {
    return stage("_M", with_points("i", points_, "j", dims_of(tensor_->axis)), [&](const auto& at) {
      Values values = values_of(tensor_->axis, at, 2);
      std::vector<Axis> sums;
      for (const Axis& axis : form_.channels) {
        sums.push_back(make_axis(axis->name, AxisKind::Reduce, 0, axis->extent(), where_));
        values[axis] = make_axis_ref(sums.back(), where_);
      }
      std::vector<Expr> index = listed(values, form_.image_axes);
      index.insert(index.begin(), {at[0], at[1]});
      const Expr product =
          op(BinaryOp::Mul, read(image, index), read(weights, weight_index(values, at[0], at[1])));
      return make_reduce(ReduceOp::Sum, product, sums, where_);
    });
  }

  Tensor make_rows(const Tensor& products) const {
    return stage("_A", with_points("k", m_, "j", dims_of(tensor_->axis)),
                 [&](const auto& at) { return product_along(filtering_.output, products, at, 0); });
  }

  Tensor make_result(const Tensor& rows) const {
    std::vector<Dim> dims;
    for (const Axis& axis : tensor_->axis) dims.push_back({axis->name, axis->extent()});
    return stage("", dims, [&](const auto& at) {
      Values values = values_of(tensor_->axis, at, 0);
      const Expr y = values.at(form_.y);
      const Expr x = values.at(form_.x);
      values[form_.y] = op(BinaryOp::FloorDiv, y, number(m_));
      values[form_.x] = op(BinaryOp::FloorDiv, x, number(m_));
      std::vector<Expr> vector;
      for (int j = 0; j < points_; ++j) {
        std::vector<Expr> index = listed(values, tensor_->axis);
        index.insert(index.begin(), {op(BinaryOp::Mod, y, number(m_)), number(j)});
        vector.push_back(read(rows, index));
      }
      return row_of(filtering_.output, op(BinaryOp::Mod, x, number(m_)), vector);
    });
  }

  const Tensor& tensor_;
  PlaneForm form_;
  PlaneConvolution convolution_;
  const SourceLoc& where_;
  MinimalFiltering filtering_;
  std::int64_t m_;
  std::int64_t points_;
  std::int64_t tile_rows_;
  std::int64_t tile_columns_;
  detail::FilterPanels panels_;
};

}  // namespace

std::variant<PlaneConvolution, std::string> plane_convolution_of(const Tensor& tensor) {
  const auto found = detail::plane_form_of(tensor);
  if (const auto* why = std::get_if<std::string>(&found)) return *why;
  return sizes_of(tensor, std::get<PlaneForm>(found));
}

Tensor winograd(const Tensor& tensor, int outputs, const SourceLoc& where) {
  auto found = detail::plane_form_of(tensor);
  const std::string request = "winograd('" + tensor->name + "', " + std::to_string(outputs) + ")";
  if (const auto* why = std::get_if<std::string>(&found)) {
    throw UnsupportedError({where, request + " is no convolution that minimal filtering computes",
                            *why, "keep '" + tensor->name + "' as it is"});
  }
  const auto& form = std::get<PlaneForm>(found);
  const auto taps = static_cast<int>(form.r->extent());
  if (outputs < 1 || taps < 2 || outputs + taps - 1 > kMostPoints) {
    throw UnsupportedError(
        {where, request + " of " + std::to_string(taps) + " x " + std::to_string(taps) + " taps",
         "it takes " + std::to_string(outputs + taps - 1) + " points, of 2 to " +
             std::to_string(kMostPoints) + ", and at least one result and two taps",
         "take tiles of 1 to " + std::to_string(std::max(1, kMostPoints + 1 - taps))});
  }
  return Chain(tensor, form, outputs, where).run();
}

}  // namespace solway::dsl
