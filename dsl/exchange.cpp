#include "dsl/exchange.h"

#include <functional>
#include <memory>
#include <utility>

#include "dsl/detail/rewrite_expr.h"

namespace solway::dsl {
namespace {

class Exchange {
 public:
  explicit Exchange(const std::map<Tensor, Tensor>& by) : made_(by) {}

  bool is_possible = true;

  Tensor of(const Tensor& tensor) {
    const auto known = made_.find(tensor);
    if (known != made_.end()) return known->second;
    bool is_changed = false;
    for (const Tensor& read : inputs_of(tensor)) is_changed |= of(read) != read;
    return made_[tensor] = is_changed ? remade(tensor) : tensor;
  }

 private:
  Tensor remade(const Tensor& tensor) {
    if (tensor->is_update() || tensor->self != nullptr || tensor->tuple != nullptr) {
      is_possible = false;
      return tensor;
    }
    auto node = std::make_shared<TensorNode>(*tensor);
    node->body = detail::rewrite(tensor->body, reads_);
    return node;
  }

  std::map<Tensor, Tensor> made_;
  /// A read of an exchanged tensor; its indices may read others.
  std::function<Expr(const Expr&)> reads_ = [this](const Expr& e) -> Expr {
    if (e->kind != ExprKind::Read || of(e->tensor) == e->tensor) return nullptr;
    auto read = std::make_shared<ExprNode>(*e);
    read->tensor = of(e->tensor);
    for (Expr& index : read->operands) index = detail::rewrite(index, reads_);
    return read;
  };
};

}  // namespace

std::optional<std::vector<Tensor>> exchange(const std::vector<Tensor>& outputs,
                                            const std::map<Tensor, Tensor>& by) {
  Exchange exchanged(by);
  std::vector<Tensor> out;
  for (const Tensor& tensor : outputs) out.push_back(exchanged.of(tensor));
  if (!exchanged.is_possible) return std::nullopt;
  return out;
}

}  // namespace solway::dsl
