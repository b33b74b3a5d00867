#include "dsl/detail/known_weights.h"

#include <cstring>
#include <utility>

#include "dsl/detail/rewrite_expr.h"

namespace solway::dsl::detail {
namespace {

/// A loop over elements of W and of C_U together.
struct Walk {
  std::int64_t extent = 1;
  std::int64_t step = 0;    ///< elements of W from one iteration to the next
  std::int64_t stride = 0;  ///< elements of C_U
};

/// Where an element that is read lies, row-major; nullopt when an index is not linear.
std::optional<LinearForm> offset_of(const Expr& read) {
  LinearForm out;
  std::int64_t stride = 1;
  for (std::size_t d = read->operands.size(); d-- > 0;) {
    const std::optional<LinearForm> index = linear_form(read->operands[d]);
    if (!index) return std::nullopt;
    for (const auto& [axis, factor] : index->factors) out.factors[axis] += factor * stride;
    out.constant += index->constant * stride;
    stride *= read->tensor->shape[d];
  }
  return out;
}

template <typename Number>
class Filtered {
 public:
  Filtered(const PlaneForm& form, const MinimalFiltering& filtering, const FilterPanels& panels,
           LinearForm offset)
      : filtering_(filtering),
        offset_(std::move(offset)),
        down_(offset_.factor(form.r)),
        right_(offset_.factor(form.q)) {
    const auto walk = [&](const Axis& axis, std::int64_t extent, std::int64_t times) {
      walks_.push_back({extent, offset_.factor(axis) * times, 0});
      shape_.push_back(extent);
    };
    for (std::size_t k = 0; k < panels.split; ++k)
      walk(form.filters[k], form.filters[k]->extent(), 1);
    const Axis& split = form.filters[panels.split];
    walk(split, split->extent() / panels.in_panel, panels.in_panel);
    points_at_ = shape_.size();
    shape_.insert(shape_.end(), 2, filtering.points());
    for (const Axis& axis : form.groups) walk(axis, axis->extent(), 1);
    for (const Axis& axis : form.channels) walk(axis, axis->extent(), 1);
    walk(split, panels.in_panel, 1);
    for (std::size_t k = panels.split + 1; k < form.filters.size(); ++k) {
      walk(form.filters[k], form.filters[k]->extent(), 1);
    }
    find_strides();
  }

  Tensor run(const Tensor& weights, const std::string& name, const SourceLoc& where) {
    from_.resize(weights->values->size() / sizeof(Number));
    std::memcpy(from_.data(), weights->values->data(), weights->values->size());
    visit(0, offset_.constant, 0);
    std::vector<std::byte> bytes(to_.size() * sizeof(Number));
    std::memcpy(bytes.data(), to_.data(), bytes.size());
    return make_constant(shape_, weights->type, name, std::move(bytes), where);
  }

 private:
  void find_strides() {
    std::int64_t stride = 1;
    for (std::size_t d = shape_.size(); d-- > 0; stride *= shape_[d]) {
      if (d == points_at_) row_stride_ = stride;
      if (d == points_at_ + 1) column_stride_ = stride;
      if (d < points_at_) walks_[d].stride = stride;
      if (d >= points_at_ + 2) walks_[d - 2].stride = stride;
    }
    to_.resize(static_cast<std::size_t>(stride));
  }

  void visit(std::size_t depth, std::int64_t from, std::int64_t to) {
    if (depth == walks_.size()) return transform(from, to);
    const Walk& walk = walks_[depth];
    for (std::int64_t n = 0; n < walk.extent; ++n) {
      visit(depth + 1, from + n * walk.step, to + n * walk.stride);
    }
  }

  void transform(std::int64_t from, std::int64_t to) {
    const auto points = static_cast<std::size_t>(filtering_.points());
    for (std::size_t i = 0; i < points; ++i) {
      for (std::size_t j = 0; j < points; ++j) {
        const std::int64_t at = to + static_cast<std::int64_t>(i) * row_stride_ +
                                static_cast<std::int64_t>(j) * column_stride_;
        to_[static_cast<std::size_t>(at)] = static_cast<Number>(at_points(i, j, from));
      }
    }
  }

  /// The sum over a and b of G[i, a] G[j, b] W[a, b].
  double at_points(std::size_t i, std::size_t j, std::int64_t from) const {
    const auto taps = static_cast<std::size_t>(filtering_.taps);
    double sum = 0;
    for (std::size_t a = 0; a < taps; ++a) {
      for (std::size_t b = 0; b < taps; ++b) {
        const std::int64_t at =
            from + static_cast<std::int64_t>(a) * down_ + static_cast<std::int64_t>(b) * right_;
        sum += filtering_.filter[i][a].value() * filtering_.filter[j][b].value() *
               static_cast<double>(from_[static_cast<std::size_t>(at)]);
      }
    }
    return sum;
  }

  const MinimalFiltering& filtering_;
  LinearForm offset_;
  std::int64_t down_;   ///< elements of W from one tap to the one below
  std::int64_t right_;  ///< ... to the next one
  std::vector<Walk> walks_;
  std::vector<std::int64_t> shape_;
  std::size_t points_at_ = 0;  ///< the dimension of the first point
  std::int64_t row_stride_ = 0;
  std::int64_t column_stride_ = 0;
  std::vector<Number> from_;
  std::vector<Number> to_;
};

}  // namespace

std::optional<Tensor> known_weights(const PlaneForm& form, const MinimalFiltering& filtering,
                                    const FilterPanels& panels, const std::string& name,
                                    const SourceLoc& where) {
  const Expr& read = form.weights;
  if (read->kind != ExprKind::Read || !read->tensor->is_constant()) return std::nullopt;
  std::optional<LinearForm> offset = offset_of(read);
  if (!offset) return std::nullopt;
  if (read->tensor->type == DType::Float32) {
    return Filtered<float>(form, filtering, panels, *std::move(offset))
        .run(read->tensor, name, where);
  }
  if (read->tensor->type != DType::Float64) return std::nullopt;
  return Filtered<double>(form, filtering, panels, *std::move(offset))
      .run(read->tensor, name, where);
}

}  // namespace solway::dsl::detail
