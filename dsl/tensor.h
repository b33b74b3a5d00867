#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "dsl/expr.h"
#include "dsl/plane_convolution.h"

namespace solway::dsl {

struct TensorTuple;

/// The stages by which minimal filtering computes a convolution, see winograd.h: their names.
struct WinogradStages {
  PlaneConvolution convolution;
  std::string filter_columns;  ///< "" where the weights are a constant
  std::string weights;
  std::string columns;
  std::string image;
  std::string products;
  std::string rows;
  std::size_t row = 0;               ///< the dimension of the result that runs over rows
  std::size_t column = 0;            ///< ... and over columns
  std::size_t image_row = 0;         ///< the dimension of `image` that runs over rows of tiles
  std::size_t image_column = 0;      ///< ... and over columns
  std::size_t panel_axis = 0;        ///< the dimension of the result of which a panel holds a part,
  std::int64_t panel = 1;            ///< so many, and all of the later ones over filters
  std::vector<std::size_t> filters;  ///< dimensions of the result over filters
  int outputs = 0;                   ///< m: results of a tile in each direction
  double amplification = 0;  ///< how much larger than those of a plain sum rounding errors may be
};

/// A dense row-major tensor: a placeholder (no body), a constant (its values), a compute, a
/// recurrence (its body reads earlier elements of itself, by `self`) or an update (the contents of
/// `base` after steps that store into it).
class TensorNode {
 public:
  std::string name;
  std::vector<std::int64_t> shape;  ///< the most that each extent can be
  /// Per dimension, the extent where it depends on sizes, else null; empty when all are constant.
  std::vector<Expr> symbolic_shape;
  DType type = DType::Float32;
  SourceLoc where;

  std::vector<Axis> axis;         ///< one spatial axis per dimension; empty for a placeholder; of
                                  ///< an update, those of its steps
  std::vector<Axis> reduce_axis;  ///< of all reductions in the body, in order of appearance
  Expr body;                      ///< null for a placeholder and a constant
  /// Of a constant: its elements in memory, row-major.
  std::shared_ptr<const std::vector<std::byte>> values;
  Expr domain;  ///< condition on `axis`: where the body is stored; null: everywhere
  Tensor self;  ///< of a recurrence: the placeholder by which its body reads earlier elements
  Tensor base;  ///< of an update: the tensor that it changes
  std::vector<Expr> index;  ///< of an update: the element that a step stores, per dimension
  /// The tensors of a compute with several values; null for a tensor alone.
  const TensorTuple* tuple = nullptr;
  /// Of the last stage of a chain that winograd() made: all others; else null.
  std::shared_ptr<const WinogradStages> winograd;
  /// The update that took this tensor's place, while there is one: who reads this tensor must have
  /// been defined before it. The only field that changes after a tensor was made.
  mutable std::weak_ptr<const TensorNode> updated_by;

  bool is_placeholder() const { return body == nullptr && values == nullptr; }
  bool is_constant() const { return values != nullptr; }
  bool is_update() const { return base != nullptr; }
  /// The name of its memory: updates share that of what they change.
  const std::string& storage_name() const { return is_update() ? base->storage_name() : name; }
  bool has_constant_shape() const { return symbolic_shape.empty(); }
  Extent extent(std::size_t dimension) const;
  Extents extents() const;
  void set_shape(const Extents& extents);
};

/// Throws DslError for a negative extent or a name that is not an identifier.
Tensor make_placeholder(const Extents& shape, DType type, std::string name, SourceLoc where);

/// A tensor of known values: the elements in memory, row-major.
Tensor make_constant(const std::vector<std::int64_t>& shape, DType type, std::string name,
                     std::vector<std::byte> values, SourceLoc where);

/// `axis` are the spatial axes, one per dimension, that `body` uses. The element type is the
/// body's. `domain`, where there is one, is an affine condition on the axes: elements outside keep
/// what the memory held. Throws DslError for a read outside a tensor, with one index that goes out.
Tensor make_compute(const Extents& shape, std::vector<Axis> axis, Expr body, std::string name,
                    SourceLoc where, Expr domain = nullptr);

/// The sizes in the shape, the axes, the body and the domain of a tensor, each once.
std::vector<Size> sizes_of(const Tensor& tensor);

/// Tensors that one compute makes over one domain, one per value. They live and die together.
struct TensorTuple : std::enable_shared_from_this<TensorTuple> {
  std::vector<TensorNode> members;
};

/// As make_compute, with one tensor per body.
std::vector<Tensor> make_computes(const Extents& shape, const std::vector<Axis>& axis,
                                  const std::vector<Expr>& bodies,
                                  const std::vector<std::string>& names, const SourceLoc& where,
                                  const Expr& domain = nullptr);

/// The tensors that are computed together with `tensor`, in order; itself when it stands alone.
std::vector<Tensor> members_of(const Tensor& tensor);

/// The first of them: the tensor that their stage is named after.
Tensor stage_of(const Tensor& tensor);

/// The tensors that the body of `tensor` reads, each once, in order of appearance, with
/// those of its tuple: not a recurrence itself; of an update, what it changes comes first.
std::vector<Tensor> inputs_of(const Tensor& tensor);

/// What a tensor was before all updates: the tensor that the memory is named after.
Tensor root_of(const Tensor& tensor);

}  // namespace solway::dsl
