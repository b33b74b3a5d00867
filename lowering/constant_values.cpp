#include "lowering/constant_values.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>

#include "dsl/evaluate.h"

namespace solway::lowering {
namespace {

std::int64_t product(const std::vector<std::int64_t>& factors) {
  return std::accumulate(factors.begin(), factors.end(), std::int64_t{1}, std::multiplies<>());
}

/// The axis on which an index depends; null for a constant; nullopt where there are several.
std::optional<dsl::Axis> only_axis(const dsl::Expr& index) {
  if (index->kind == dsl::ExprKind::AxisRef) return index->axis;
  dsl::Axis out;
  for (const dsl::Expr& operand : index->operands) {
    const std::optional<dsl::Axis> own = only_axis(operand);
    if (!own || (*own && out && *own != out)) return std::nullopt;
    if (*own) out = *own;
  }
  return out;
}

/// Finds the places of elements. What depends on one dimension alone, as the indices of most
/// layouts do, is taken from a table.
class Places {
 public:
  explicit Places(const schedule::Array& array) : layout_(*array.layout) {
    for (const dsl::Axis& axis : layout_.axes) tables_.emplace_back(axis->end, 0);
    std::int64_t stride = 1;
    for (std::size_t k = layout_.index.size(); k-- > 0; stride *= array.shape[k]) {
      add(layout_.index[k], stride);
    }
  }

  std::int64_t place_of(const std::vector<std::int64_t>& element) {
    std::int64_t out = first_;
    for (std::size_t k = 0; k < element.size(); ++k) out += tables_[k][element[k]];
    if (others_.empty()) return out;
    for (std::size_t k = 0; k < element.size(); ++k) values_[layout_.axes[k]] = element[k];
    for (const auto& [index, stride] : others_) out += stride * dsl::evaluate(index, {}, values_);
    return out;
  }

 private:
  void add(const dsl::Expr& index, std::int64_t stride) {
    const std::optional<dsl::Axis> axis = only_axis(index);
    if (!axis) {
      others_.emplace_back(index, stride);
    } else if (*axis == nullptr) {
      first_ += stride * dsl::evaluate(index, {});
    } else {
      const auto at = std::find(layout_.axes.begin(), layout_.axes.end(), *axis);
      std::vector<std::int64_t>& table = tables_.at(at - layout_.axes.begin());
      for (std::int64_t value = 0; value < (*axis)->end; ++value) {
        table[value] += stride * dsl::evaluate(index, {}, {{*axis, value}});
      }
    }
  }

  const schedule::Layout& layout_;
  std::int64_t first_ = 0;
  std::vector<std::vector<std::int64_t>> tables_;  ///< per dimension
  std::vector<std::pair<dsl::Expr, std::int64_t>> others_;
  std::map<dsl::Axis, std::int64_t> values_;
};

}  // namespace

std::shared_ptr<const std::vector<std::byte>> constant_values(const schedule::Array& array) {
  if (!array.layout) return array.tensor->values;
  const std::vector<std::int64_t>& shape = array.tensor->shape;
  const std::vector<std::byte>& values = *array.tensor->values;
  const auto width = static_cast<std::int64_t>(size_bytes(array.type));
  auto out = std::make_shared<std::vector<std::byte>>(product(array.shape) * width);
  Places places(array);
  std::vector<std::int64_t> element(shape.size(), 0);
  for (std::int64_t k = 0; k < product(shape); ++k) {
    std::memcpy(out->data() + places.place_of(element) * width, values.data() + k * width, width);
    for (std::size_t d = shape.size(); d-- > 0 && ++element[d] == shape[d];) element[d] = 0;
  }
  return out;
}

}  // namespace solway::lowering
