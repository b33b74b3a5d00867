#include "codegen/llvm/detail/arith.h"

#include <string>

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Intrinsics.h>

#include "codegen/llvm/detail/math.h"
#include "codegen/llvm/detail/types.h"
#include "support/error.h"

namespace solway::codegen::detail {
namespace {

using Builder = llvm::IRBuilder<>;

[[noreturn]] void fail(std::string_view op, DType type) {
  throw InternalError({{},
                       "operation '" + std::string(op) + "' in code generation",
                       "it takes no " + std::string(to_string(type)),
                       ""});
}

/// Lets the code generator round a product and a sum once (see emit_llvm).
llvm::Value* contracted(llvm::Value* v) {
  if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(v)) {
    instruction->setHasAllowContract(true);
  }
  return v;
}

/// The C form `x < y ? x : y`, one instruction on x86, and a NaN of `x` on top; one of `y` comes
/// through the comparison.
llvm::Value* float_min_max(Builder& b, BinaryOp op, llvm::Value* x, llvm::Value* y) {
  llvm::Value* first = op == BinaryOp::Min ? b.CreateFCmpOLT(x, y) : b.CreateFCmpOGT(x, y);
  return b.CreateSelect(b.CreateFCmpUNO(x, x), x, b.CreateSelect(first, x, y));
}

llvm::Value* emit_float_binary(Builder& b, BinaryOp op, DType type, llvm::Value* x,
                               llvm::Value* y) {
  switch (op) {
    case BinaryOp::Add:
      return contracted(b.CreateFAdd(x, y));
    case BinaryOp::Sub:
      return b.CreateFSub(x, y);
    case BinaryOp::Mul:
      return contracted(b.CreateFMul(x, y));
    case BinaryOp::Div:
      return b.CreateFDiv(x, y);
    case BinaryOp::FloorDiv:
      return emit_float_floor_div(b, type, x, y);
    case BinaryOp::Mod:
      return emit_float_mod(b, type, x, y);
    case BinaryOp::Min:
    case BinaryOp::Max:
      return float_min_max(b, op, x, y);
    case BinaryOp::Pow:
      return emit_math(b, "pow", type, {x, y});
    case BinaryOp::Lt:
      return b.CreateFCmpOLT(x, y);
    case BinaryOp::Le:
      return b.CreateFCmpOLE(x, y);
    case BinaryOp::Gt:
      return b.CreateFCmpOGT(x, y);
    case BinaryOp::Ge:
      return b.CreateFCmpOGE(x, y);
    case BinaryOp::Eq:
      return b.CreateFCmpOEQ(x, y);
    case BinaryOp::Ne:
      return b.CreateFCmpUNE(x, y);
    case BinaryOp::And:
    case BinaryOp::Or:
      break;
  }
  fail(to_string(op), type);
}

llvm::Value* emit_integer_binary(Builder& b, BinaryOp op, DType type, llvm::Value* x,
                                 llvm::Value* y) {
  switch (op) {
    case BinaryOp::Add:
      return b.CreateAdd(x, y);
    case BinaryOp::Sub:
      return b.CreateSub(x, y);
    case BinaryOp::Mul:
      return b.CreateMul(x, y);
    case BinaryOp::FloorDiv:
      return emit_integer_floor_div(b, x, y);
    case BinaryOp::Mod:
      return emit_integer_mod(b, x, y);
    case BinaryOp::Min:
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, y);
    case BinaryOp::Max:
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, y);
    case BinaryOp::Pow:
      return emit_integer_power(b, x, y);
    case BinaryOp::Lt:
      return b.CreateICmpSLT(x, y);
    case BinaryOp::Le:
      return b.CreateICmpSLE(x, y);
    case BinaryOp::Gt:
      return b.CreateICmpSGT(x, y);
    case BinaryOp::Ge:
      return b.CreateICmpSGE(x, y);
    case BinaryOp::Eq:
      return b.CreateICmpEQ(x, y);
    case BinaryOp::Ne:
      return b.CreateICmpNE(x, y);
    case BinaryOp::And:
      return b.CreateAnd(x, y);
    case BinaryOp::Or:
      return b.CreateOr(x, y);
    case BinaryOp::Div:
      break;
  }
  fail(to_string(op), type);
}

llvm::Value* one_over(Builder& b, llvm::Value* a) {
  return b.CreateFDiv(llvm::ConstantFP::get(a->getType(), 1.0), a);
}

}  // namespace

llvm::Value* emit_unary(Builder& b, UnaryOp op, DType type, llvm::Value* a) {
  switch (op) {
    case UnaryOp::Neg:
      return is_float(type) ? b.CreateFNeg(a) : b.CreateNeg(a);
    case UnaryOp::Not:
      return b.CreateNot(a);
    case UnaryOp::Abs:
      if (is_float(type)) return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, a, b.getFalse());
    case UnaryOp::Sqrt:
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a);
    case UnaryOp::Rsqrt:
      return one_over(b, b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a));
    case UnaryOp::Sigmoid: {
      llvm::Value* exp = emit_math(b, "exp", type, {b.CreateFNeg(a)});
      return one_over(b, b.CreateFAdd(llvm::ConstantFP::get(a->getType(), 1.0), exp));
    }
    case UnaryOp::Floor:
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, a);
    case UnaryOp::Ceil:
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, a);
    case UnaryOp::Round:
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::rint, a);
    case UnaryOp::Exp:
    case UnaryOp::Log:
    case UnaryOp::Tanh:
    case UnaryOp::Erf:
    case UnaryOp::Sin:
    case UnaryOp::Cos:
      return emit_math(b, std::string(to_string(op)), type, {a});
  }
  fail("unary", type);
}

llvm::Value* emit_binary(Builder& b, BinaryOp op, DType type, llvm::Value* x, llvm::Value* y) {
  return is_float(type) ? emit_float_binary(b, op, type, x, y)
                        : emit_integer_binary(b, op, type, x, y);
}

llvm::Value* emit_cast(Builder& b, DType from, DType to, llvm::Value* a) {
  if (from == to) return a;
  llvm::Type* scalar = value_type(b.getContext(), {to, {}});
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(a->getType());
  llvm::Type* type =
      vector == nullptr ? scalar : llvm::FixedVectorType::get(scalar, vector->getNumElements());
  llvm::Value* zero = llvm::Constant::getNullValue(a->getType());
  if (to == DType::Bool) return is_float(from) ? b.CreateFCmpUNE(a, zero) : b.CreateICmpNE(a, zero);
  if (from == DType::Bool) {
    return is_float(to) ? b.CreateUIToFP(a, type) : b.CreateZExt(a, type);
  }
  if (is_float(from)) {
    if (is_float(to)) return b.CreateFPCast(a, type);
    return b.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {type, a->getType()}, {a});
  }
  return is_float(to) ? b.CreateSIToFP(a, type) : b.CreateSExtOrTrunc(a, type);
}

llvm::Value* emit_reduce_lanes(Builder& b, ReduceOp op, DType type, llvm::Value* vector) {
  switch (op) {
    case ReduceOp::Sum:
      if (!is_float(type)) return b.CreateAddReduce(vector);
      break;
    case ReduceOp::Prod:
      if (!is_float(type)) return b.CreateMulReduce(vector);
      break;
    case ReduceOp::Min:
      if (!is_float(type)) return b.CreateIntMinReduce(vector, /*IsSigned=*/true);
      break;
    case ReduceOp::Max:
      if (!is_float(type)) return b.CreateIntMaxReduce(vector, /*IsSigned=*/true);
      break;
  }
  const auto lanes = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  llvm::Value* result = b.CreateExtractElement(vector, std::uint64_t{0});
  for (std::uint64_t lane = 1; lane < lanes; ++lane) {
    result = emit_binary(b, combine_op(op), type, result, b.CreateExtractElement(vector, lane));
  }
  return result;
}

bool is_call(UnaryOp op) {
  switch (op) {
    case UnaryOp::Exp:
    case UnaryOp::Log:
    case UnaryOp::Tanh:
    case UnaryOp::Sigmoid:
    case UnaryOp::Erf:
    case UnaryOp::Sin:
    case UnaryOp::Cos:
      return true;
    case UnaryOp::Neg:
    case UnaryOp::Not:
    case UnaryOp::Abs:
    case UnaryOp::Sqrt:
    case UnaryOp::Rsqrt:
    case UnaryOp::Floor:
    case UnaryOp::Ceil:
    case UnaryOp::Round:
      return false;
  }
  return false;
}

bool is_call(BinaryOp op, DType type) {
  return op == BinaryOp::Pow ||
         (is_float(type) && (op == BinaryOp::FloorDiv || op == BinaryOp::Mod));
}

}  // namespace solway::codegen::detail
