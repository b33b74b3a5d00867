#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dsl/size.h"
#include "support/dtype.h"
#include "support/scalar_op.h"
#include "support/source_loc.h"

/// Tensor expressions: what an operator computes.
namespace solway::dsl {

class TensorNode;
/// A placeholder or a computed tensor; a shared handle, equal iff it is the same tensor.
using Tensor = std::shared_ptr<const TensorNode>;

struct Combiner;

enum class AxisKind : std::uint8_t { Spatial, Reduce };

/// One index variable that runs over begin <= value < end. Equal iff it is the same node.
struct AxisNode {
  std::string name;
  AxisKind kind = AxisKind::Spatial;
  std::int64_t begin = 0;
  std::int64_t end = 0;  ///< half-open
  Expr begin_value;      ///< when it depends on sizes; `begin` is then the least that it can be
  Expr end_value;        ///< when it depends on sizes; `end` is then the most
  SourceLoc where;

  bool is_constant() const { return begin_value == nullptr && end_value == nullptr; }

  std::int64_t extent() const { return end - begin; }
};
using Axis = std::shared_ptr<const AxisNode>;

/// The ends of an axis: constants, or expressions of sizes; `max` of the end bounds all of them.
Extent begin_of(const Axis& axis);
Extent end_of(const Axis& axis);

enum class ExprKind : std::uint8_t {
  Int,
  Float,
  SizeRef,
  AxisRef,
  Read,
  Unary,
  Binary,
  Select,
  Cast,
  Reduce,
  Item,
  Param,
  Bounded
};

/// One node of an expression. Which fields are set follows from `kind`:
///
///   Int      int_value                    a literal; `weak` when it came as a Python number
///   Float    float_value
///   SizeRef  size                         a number known when the kernel runs, int64
///   AxisRef  axis                         the value of an index variable, int64
///   Read     tensor, operands = indices   one element of a tensor
///   Unary    unary, operands[0]
///   Binary   binary, operands[0..1]
///   Select   operands = {condition, if_true, if_false}; only the chosen side is evaluated
///   Cast     operands[0] converted to `type`
///   Reduce   reduce or combiner, axes, operands = the values that are combined; accumulated in
///            `type`, with a combiner in its types
///   Item     operands[0] = a Reduce of several values, int_value = which one
///   Param    int_value = which parameter of a Combiner
///   Bounded  operands = {index, begin, end}: an index with begin <= index < end, as the user
///            promises; both are numbers or affine in sizes
///
/// Nodes are made by the functions below (reductions also by reducer.h), which check and promote
/// types, and never change.
struct ExprNode {
  ExprKind kind = ExprKind::Int;
  DType type = DType::Int64;
  bool weak = false;  ///< a Python literal: takes the other operand's type, as in NumPy 2
  std::int64_t int_value = 0;
  double float_value = 0;
  UnaryOp unary = UnaryOp::Neg;
  BinaryOp binary = BinaryOp::Add;
  ReduceOp reduce = ReduceOp::Sum;
  Size size;
  Axis axis;
  std::vector<Axis> axes;
  std::shared_ptr<const Combiner> combiner;
  Tensor tensor;
  std::vector<Expr> operands;
  SourceLoc where;  ///< the user's line
};

/// An index variable over begin <= value < end. Throws DslError when end < begin whatever the
/// sizes.
Axis make_axis(std::string name, AxisKind kind, const Extent& begin, const Extent& end,
               SourceLoc where);

Expr make_int(std::int64_t value, DType type, bool weak, SourceLoc where);
Expr make_float(double value, DType type, bool weak, SourceLoc where);
Expr make_size_ref(Size size, SourceLoc where);
Expr make_axis_ref(Axis axis, SourceLoc where);
/// Throws DslError when the number of indices is not the tensor's rank or an index is no integer.
Expr make_read(Tensor tensor, std::vector<Expr> indices, SourceLoc where);
/// Throws DslError for an operand type that the operation does not take.
Expr make_unary(UnaryOp op, Expr operand, SourceLoc where);
/// Promotes both operands to their common type by NumPy 2's rules (literals are weak).
Expr make_binary(BinaryOp op, Expr a, Expr b, SourceLoc where);
Expr make_select(Expr condition, Expr if_true, Expr if_false, SourceLoc where);
Expr make_cast(Expr operand, DType type, SourceLoc where);
/// An index that depends on data, with the user's promise that begin <= index < end. Throws
/// DslError when it is no integer or the range is empty for some values of sizes.
Expr make_bounded(Expr index, const Extent& begin, const Extent& end, SourceLoc where);
/// How many elements a Bounded node may be of.
Extent extent_of_promise(const ExprNode& bounded);
/// A declared reduction; reorderable by explicit primitives on its axes. A 16-bit float is
/// accumulated in float32: the result is a Cast of the Reduce node. The smallest and the largest
/// condition are All and Any.
Expr make_reduce(ReduceOp op, Expr operand, std::vector<Axis> axes, SourceLoc where);

/// The value that leaves every other unchanged under `op`: 0, 1, the largest, the smallest value
/// of `type` (infinities for floats).
Expr identity_of(ReduceOp op, DType type);

/// Structural text: "A[i, k] * B[k, j]".
std::string to_string(const Expr& expr);

}  // namespace solway::dsl
