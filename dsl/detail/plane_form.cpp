#include "dsl/detail/plane_form.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "dsl/detail/rewrite_expr.h"
#include "support/dtype.h"

namespace solway::dsl::detail {
namespace {

/// Whether an expression depends on two axes only by their sum.
bool is_of_sum(const Expr& e, const Axis& a, const Axis& b) {
  if (const std::optional<LinearForm> form = linear_form(e))
    return form->factor(a) == form->factor(b);
  return std::all_of(e->operands.begin(), e->operands.end(),
                     [&](const Expr& operand) { return is_of_sum(operand, a, b); });
}

bool has_reduction(const Expr& e) {
  return e->kind == ExprKind::Reduce ||
         std::any_of(e->operands.begin(), e->operands.end(), has_reduction);
}

/// The first element that an expression reads; null: none.
Expr first_read(const Expr& e) {
  if (e->kind == ExprKind::Read) return e;
  for (const Expr& operand : e->operands) {
    if (Expr found = first_read(operand)) return found;
  }
  return nullptr;
}

/// Axes in the order of the last dimension of `read` that depends on each; others first.
std::vector<Axis> in_order_of(const Expr& read, std::vector<Axis> axes) {
  std::map<Axis, int> last;
  for (std::size_t d = 0; d < read->operands.size(); ++d) {
    for (const Axis& axis : axes_in(read->operands[d])) last[axis] = static_cast<int>(d) + 1;
  }
  std::stable_sort(axes.begin(), axes.end(),
                   [&](const Axis& a, const Axis& b) { return last[a] < last[b]; });
  return axes;
}

class Recognition {
 public:
  Recognition(const Tensor& tensor, Expr image, Expr weights)
      : tensor_(tensor), in_image_(axes_in(image)), in_weights_(axes_in(weights)) {
    form_.image = std::move(image);
    form_.weights = std::move(weights);
  }

  std::optional<PlaneForm> run() {
    if (has_reduction(form_.image) || has_reduction(form_.weights)) return std::nullopt;
    const Expr read = first_read(form_.image);
    if (read == nullptr || !find_windows() || !sort_axes()) return std::nullopt;
    form_.image_axes = in_order_of(read, form_.image_axes);
    form_.channels = in_order_of(read, form_.channels);
    return form_;
  }

 private:
  /// Finds y with r and x with q: exactly two pairs that D depends on by their sums only.
  bool find_windows() {
    std::vector<std::pair<Axis, Axis>> pairs;
    for (const Axis& axis : tensor_->axis) {
      if (in_image_.count(axis) == 0 || in_weights_.count(axis) != 0) continue;
      for (const Axis& tap : tensor_->reduce_axis) {
        const bool is_tap = in_image_.count(tap) != 0 && in_weights_.count(tap) != 0;
        if (is_tap && is_of_sum(form_.image, axis, tap)) pairs.emplace_back(axis, tap);
      }
    }
    if (pairs.size() != 2 || pairs[0].first == pairs[1].first ||
        pairs[0].second == pairs[1].second) {
      return false;
    }
    std::tie(form_.y, form_.r) = pairs[0];
    std::tie(form_.x, form_.q) = pairs[1];
    return form_.r->extent() == form_.q->extent();
  }

  bool sort_axes() {
    for (const Axis& axis : tensor_->axis) {
      const bool of_image = in_image_.count(axis) != 0;
      const bool of_weights = in_weights_.count(axis) != 0;
      if (of_image) form_.image_axes.push_back(axis);
      if (of_weights) (of_image ? form_.groups : form_.filters).push_back(axis);
    }
    for (const Axis& axis : tensor_->reduce_axis) {
      if (axis == form_.r || axis == form_.q) continue;
      if (in_image_.count(axis) == 0 || in_weights_.count(axis) == 0) return false;
      form_.image_axes.push_back(axis);
      form_.channels.push_back(axis);
    }
    return !form_.filters.empty();
  }

  const Tensor& tensor_;
  std::set<Axis> in_image_;
  std::set<Axis> in_weights_;
  PlaneForm form_;
};

/// The term of a sum of products, D * W or select(condition, D * W, 0).
struct Term {
  Expr product;
  Expr condition;  ///< null: always
  Expr zero;

  /// A factor, as it stands or as the one that is zero where the condition does not hold.
  Expr factor(std::size_t k) const { return product->operands[k]; }
  Expr guarded(std::size_t k) const {
    if (condition == nullptr) return factor(k);
    return make_select(condition, factor(k), zero, product->where);
  }
};

bool is_zero(const Expr& e) {
  return (e->kind == ExprKind::Float && e->float_value == 0) ||
         (e->kind == ExprKind::Int && e->int_value == 0);
}

std::optional<Term> term_of(const Expr& e) {
  Term out{e, nullptr, nullptr};
  if (e->kind == ExprKind::Select && is_zero(e->operands[2])) {
    out = {e->operands[1], e->operands[0], e->operands[2]};
  }
  const Expr& product = out.product;
  if (product->kind != ExprKind::Binary || product->binary != BinaryOp::Mul) return std::nullopt;
  return out;
}

bool starts_at_zero(const Axis& axis) { return axis->is_constant() && axis->begin == 0; }

}  // namespace

std::variant<PlaneForm, std::string> plane_form_of(const Tensor& tensor) {
  const std::string name = "'" + tensor->name + "'";
  if (tensor->body == nullptr || tensor->is_update() || tensor->self != nullptr ||
      tensor->tuple != nullptr || tensor->domain != nullptr) {
    return name + " is no tensor of one value for each index, computed in any order";
  }
  const Expr& sum = tensor->body;
  const bool is_sum =
      sum->kind == ExprKind::Reduce && sum->combiner == nullptr && sum->reduce == ReduceOp::Sum;
  const std::optional<Term> term = is_sum ? term_of(sum->operands[0]) : std::nullopt;
  if (!term) return name + " is no sum of products";
  if (tensor->type != DType::Float32 && tensor->type != DType::Float64) {
    return name + " is " + std::string(to_string(tensor->type)) + ", not float32 or float64";
  }
  if (!tensor->has_constant_shape() ||
      !std::all_of(tensor->axis.begin(), tensor->axis.end(), starts_at_zero) ||
      !std::all_of(tensor->reduce_axis.begin(), tensor->reduce_axis.end(), starts_at_zero)) {
    return name + " has sizes that are known only when it runs, or loops that do not begin at 0";
  }
  for (const std::size_t image : {0U, 1U}) {
    const Expr weights = term->factor(1 - image);
    if (auto found = Recognition(tensor, term->guarded(image), weights).run()) return *found;
  }
  return name + " has no windows as high as they are wide that move by one row and one column";
}

}  // namespace solway::dsl::detail
