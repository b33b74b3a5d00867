#pragma once

#include <string>
#include <vector>

#include "dsl/expr.h"

namespace solway::dsl {

/// A dense row-major tensor of constant shape: a placeholder (no body), a compute, a recurrence
/// (its body reads earlier elements of itself, by `self`) or an update (the contents of `base`
/// after steps that store into it).
class TensorNode {
 public:
  std::string name;
  std::vector<std::int64_t> shape;
  DType type = DType::Float32;
  SourceLoc where;

  std::vector<Axis> axis;         ///< one spatial axis per dimension; empty for a placeholder; of
                                  ///< an update, those of its steps
  std::vector<Axis> reduce_axis;  ///< of all reductions in the body, in order of appearance
  Expr body;                      ///< null for a placeholder
  Expr domain;  ///< condition on `axis`: where the body is stored; null: everywhere
  Tensor self;  ///< of a recurrence: the placeholder by which its body reads earlier elements
  Tensor base;  ///< of an update: the tensor that it changes
  std::vector<Expr> index;  ///< of an update: the element that a step stores, per dimension
  /// The update that took this tensor's place, while there is one: who reads this tensor must have
  /// been defined before it. The only field that changes after a tensor was made.
  mutable std::weak_ptr<const TensorNode> updated_by;

  bool is_placeholder() const { return body == nullptr; }
  bool is_update() const { return base != nullptr; }
  /// The name of its memory: updates share that of what they change.
  const std::string& storage_name() const { return is_update() ? base->storage_name() : name; }
};

/// Throws DslError for a negative extent or a name that is not an identifier.
Tensor make_placeholder(std::vector<std::int64_t> shape, DType type, std::string name,
                        SourceLoc where);

/// `axis` are the spatial axes, one per dimension, that `body` uses. The element type is the
/// body's. `domain`, where there is one, is an affine condition on the axes: elements outside keep
/// what the memory held. Throws DslError for a read outside a tensor, with one index that goes out.
Tensor make_compute(std::vector<std::int64_t> shape, std::vector<Axis> axis, Expr body,
                    std::string name, SourceLoc where, Expr domain = nullptr);

/// The tensors that the body of `tensor` reads, each once, in order of appearance: not a recurrence
/// itself; of an update, what it changes comes first.
std::vector<Tensor> inputs_of(const Tensor& tensor);

/// What a tensor was before all updates: the tensor that the memory is named after.
Tensor root_of(const Tensor& tensor);

}  // namespace solway::dsl
