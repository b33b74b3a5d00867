#pragma once

#include <map>
#include <memory>
#include <string>

#include "driver/frontend/tensor.h"
#include "schedule/order.h"

namespace solway {

/// A computation and the code that a person wrote for it, for Stage::tensorize. Made by
/// intrinsic().
class Intrinsic {
 public:
  explicit Intrinsic(std::shared_ptr<const schedule::Intrinsic> node) : node_(std::move(node)) {}

  const std::shared_ptr<const schedule::Intrinsic>& node() const { return node_; }
  const std::string& name() const { return node_->name; }

 private:
  std::shared_ptr<const schedule::Intrinsic> node_;
};

/// `tensor` is one reduction, or one expression without any, of placeholders; `code` is C text by
/// the name of the target, in which the names of tensors are pointers to their first elements and
/// <name>_stride0, <name>_stride1, ... how many elements apart the neighbours along each dimension
/// are. A reduction adds to what its output holds. The arrays do not overlap. What the code
/// computes is not checked. `name`: "" for that of the tensor.
///
///   const Intrinsic twice = intrinsic(
///       Y, {{"c", "for (int i = 0; i < 4; ++i) Y[i * Y_stride0] = X[i * X_stride0] * 2;"}});
///   s[C].tensorize(inner, twice);
///
/// Throws DslError for a tensor that is not computed, for no code, and for a name that is none in
/// C.
Intrinsic intrinsic(const Tensor& tensor, const std::map<std::string, std::string>& code,
                    const std::string& name = "", Line line = Line::current());

/// Code that the compiler makes, for Stage::tensorize. Made by micro_kernel().
struct MicroKernel {};

/// Stands for a product of matrices, C[i, j] += A[i, k] * B[k, j], whose code is assembly of the
/// target's cores.
///
///   s[C].tensorize(ii, micro_kernel());
MicroKernel micro_kernel();

}  // namespace solway
