#pragma once

#include <string>
#include <vector>

#include "dsl/expr.h"

namespace solway::dsl {

/// A dense row-major tensor of constant shape: a placeholder (no body) or a compute.
class TensorNode {
 public:
  std::string name;
  std::vector<std::int64_t> shape;
  DType type = DType::Float32;
  SourceLoc where;

  std::vector<Axis> axis;         ///< one spatial axis per dimension; empty for a placeholder
  std::vector<Axis> reduce_axis;  ///< of all reductions in the body, in order of appearance
  Expr body;                      ///< null for a placeholder

  bool is_placeholder() const { return body == nullptr; }
};

/// Throws DslError for a negative extent or a name that is not an identifier.
Tensor make_placeholder(std::vector<std::int64_t> shape, DType type, std::string name,
                        SourceLoc where);

/// `axis` are the spatial axes, one per dimension, that `body` uses. The element type is the
/// body's. Throws DslError for a read outside a tensor, with one index that goes out.
Tensor make_compute(std::vector<std::int64_t> shape, std::vector<Axis> axis, Expr body,
                    std::string name, SourceLoc where);

/// The tensors that `body` of `tensor` reads, each once, in order of appearance.
std::vector<Tensor> inputs_of(const Tensor& tensor);

}  // namespace solway::dsl
