#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lowering/ir/buffer.h"
#include "lowering/ir/type.h"
#include "support/scalar_op.h"

namespace solway::ir {

enum class ExprKind : std::uint8_t {
  IntImm,
  FloatImm,
  Var,
  Unary,
  Binary,
  Select,
  Cast,
  Load,
  Broadcast,
  Ramp,
  VectorLoad,
  ReduceLanes,
  Dot,
  VectorScale
};

/// Base of expression nodes. Immutable after `make`.
struct ExprNode {
  const ExprKind kind;
  Type type;

  ExprNode(const ExprNode&) = delete;
  ExprNode& operator=(const ExprNode&) = delete;
  virtual ~ExprNode() = default;

 protected:
  explicit ExprNode(ExprKind k) : kind(k) {}
};

/// A shared handle to an immutable expression; a default one is undefined.
class Expr {
 public:
  Expr() = default;
  explicit Expr(std::shared_ptr<const ExprNode> node) : node_(std::move(node)) {}

  bool defined() const { return node_ != nullptr; }
  ExprKind kind() const { return node_->kind; }
  const Type& type() const { return node_->type; }
  const ExprNode& node() const { return *node_; }
  /// The same node, not only equal text.
  bool same_as(const Expr& other) const { return node_ == other.node_; }
  /// The node when it is a `T`, else null (also for an undefined expression).
  template <class T>
  const T* as_or_null() const {
    return node_ && node_->kind == T::kKind ? static_cast<const T*>(node_.get()) : nullptr;
  }
  /// The node as a `T`; requires kind() == T::kKind.
  template <class T>
  const T& as() const {
    return static_cast<const T&>(*node_);
  }

 private:
  std::shared_ptr<const ExprNode> node_;
};

/// An integer or Bool literal: `5` (int64), `5i32`, `-3i8`, `true`. The value fits the type.
struct IntImm final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::IntImm;
  std::int64_t value = 0;

  static Expr make(std::int64_t value, DType type = DType::Int64);

 private:
  IntImm() : ExprNode(kKind) {}
};

/// A float literal, rounded to its type (a NaN becomes the quiet one): `0.5f32`, `1e+300f64`,
/// `-inf_f32`, `nan_f64`.
struct FloatImm final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::FloatImm;
  double value = 0;

  static Expr make(double value, DType type);

 private:
  FloatImm() : ExprNode(kKind) {}
};

/// A variable that a For (int64) or a Let defines. Equal iff the names are equal.
struct Var final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Var;
  std::string name;

  static Expr make(std::string name, Type type = kInt64);

 private:
  Var() : ExprNode(kKind) {}
};

/// `neg(a)`, `not(a)`, `sqrt(a)`, ... Neg, Abs and Sign take integers (wrapping) and floats, Not
/// takes Bool, BitNot integers, the rest floats. Round goes to the nearest even. Operands of this
/// and of Binary have types that are computed in (see arithmetic_type); the others are cast.
struct Unary final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Unary;
  UnaryOp op = UnaryOp::Neg;
  Expr operand;

  static Expr make(UnaryOp op, Expr operand);

 private:
  Unary() : ExprNode(kKind) {}
};

/// `(a + b)`, `min(a, b)`, ... of two operands of one type; comparisons give Bool.
///
/// Signed integers wrap. FloorDiv and Mod round towards minus infinity; x // 0 and x % 0 of
/// integers are 0; of floats they are NumPy's floor_divide and remainder. Div takes floats. Min and
/// Max give NaN when either operand is NaN. Fmod of integers by 0 is 0. Pow of integers wraps; a
/// negative exponent gives the power truncated towards zero (0 for base 0). And, Or evaluate their
/// second operand only if needed.
struct Binary final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Binary;
  BinaryOp op = BinaryOp::Add;
  Expr a;
  Expr b;

  static Expr make(BinaryOp op, Expr a, Expr b);

 private:
  Binary() : ExprNode(kKind) {}
};

/// `select(condition, if_true, if_false)`. Evaluates only the chosen side; a vector condition
/// evaluates both.
struct Select final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Select;
  Expr condition;
  Expr if_true;
  Expr if_false;

  static Expr make(Expr condition, Expr if_true, Expr if_false);

 private:
  Select() : ExprNode(kKind) {}
};

/// `float32(a)`: conversion of each lane. Float to integer truncates and saturates, NaN gives 0;
/// integer to a narrower integer wraps; anything to Bool is `!= 0`.
struct Cast final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Cast;
  Expr operand;

  static Expr make(Expr operand, DType type);

 private:
  Cast() : ExprNode(kKind) {}
};

/// `A[i, j]`: one element; one int64 index per dimension.
struct Load final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Load;
  Buffer buffer;
  std::vector<Expr> indices;

  static Expr make(Buffer buffer, std::vector<Expr> indices);

 private:
  Load() : ExprNode(kKind) {}
};

/// `broadcast(a, 8)`: the scalar `a` in every lane; of a vector, its lanes again and again.
struct Broadcast final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Broadcast;
  Expr value;

  static Expr make(Expr value, Lanes lanes);

 private:
  Broadcast() : ExprNode(kKind) {}
};

/// `ramp(base, stride, 8)`: base + lane * stride, of integers.
struct Ramp final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Ramp;
  Expr base;
  Expr stride;

  static Expr make(Expr base, Expr stride, Lanes lanes);

 private:
  Ramp() : ExprNode(kKind) {}
};

/// `vload(A[i, j], 8, stride 4, active n, first 2)`: lane l is the element at the row-major
/// position of the indices plus l * stride_elems (1 is not printed), or l * stride where that is
/// known when the code runs: `stride (n * 2)`. With `active` (int64), lanes at and after it read as
/// 0 and do not touch memory, nor do those before `first` (0 is not printed).
struct VectorLoad final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::VectorLoad;
  Buffer buffer;
  std::vector<Expr> indices;
  std::int64_t stride_elems = 1;  ///< 0 where `stride` is defined
  Expr stride;                    ///< int64, not a constant
  Expr active;                    ///< undefined: all lanes
  int first = 0;

  static Expr make(Buffer buffer, std::vector<Expr> indices, std::int64_t stride_elems, Lanes lanes,
                   Expr active = {}, int first = 0);
  static Expr make(Buffer buffer, std::vector<Expr> indices, const Expr& stride, Lanes lanes,
                   Expr active = {}, int first = 0);
  bool is_partial() const { return active.defined() || first > 0; }

 private:
  VectorLoad() : ExprNode(kKind) {}
};

/// `reduce_sum(v)`: all lanes combined into a scalar, in an order that code generation chooses.
struct ReduceLanes final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::ReduceLanes;
  ReduceOp op = ReduceOp::Sum;
  Expr vector;

  static Expr make(ReduceOp op, Expr vector);

 private:
  ReduceLanes() : ExprNode(kKind) {}
};

/// `dot(acc, a, b)`: lane l of `acc` plus the products of `a` and `b` in group l, as many lanes
/// side by side as they have more than `acc`, which may be a scalar. An int32 `acc` wraps, of exact
/// products of int8 or uint8. Of bfloat16 it is float32, rounded as the machine's instruction does.
struct Dot final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Dot;
  Expr acc;
  Expr a;
  Expr b;

  static Expr make(Expr acc, Expr a, Expr b);

 private:
  Dot() : ExprNode(kKind) {}
};

/// `vscale()`: how many times a vector register holds what Lanes::count says of scalable lanes;
/// known when the kernel runs, and the same for all of its vectors.
struct VectorScale final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::VectorScale;

  static Expr make();

 private:
  VectorScale() : ExprNode(kKind) {}
};

/// True when both print the same: same kinds, values, names and buffers.
bool equal(const Expr& a, const Expr& b);

}  // namespace solway::ir
