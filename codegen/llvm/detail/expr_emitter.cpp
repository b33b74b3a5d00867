#include "codegen/llvm/detail/expr_emitter.h"

#include <algorithm>

#include <llvm/ADT/APFloat.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "codegen/llvm/detail/arith.h"
#include "codegen/llvm/detail/dots.h"
#include "codegen/llvm/detail/lanes.h"
#include "codegen/llvm/detail/types.h"
#include "codegen/llvm/detail/vector_engine/engine.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/visitor.h"
#include "support/error.h"
#include "support/lanes_apart.h"

namespace solway::codegen::detail {
namespace {

/// Finds what must not, or should not, run unless its value is needed: loads and math calls.
class NeedsBranch final : public ir::Visitor {
 public:
  static bool in(const ir::Expr& e) {
    NeedsBranch finder;
    finder.walk(e);
    return finder.found_;
  }

 private:
  using Visitor::visit;
  void visit(const ir::Load&) override { found_ = true; }
  void visit(const ir::VectorLoad&) override { found_ = true; }
  void visit(const ir::Unary& e) override {
    found_ = found_ || is_call(e.op);
    Visitor::visit(e);
  }
  void visit(const ir::Binary& e) override {
    found_ = found_ || is_call(e.op, e.a.type().scalar);
    Visitor::visit(e);
  }

  bool found_ = false;
};

/// n of `ramp(0, 1) < broadcast(n)`, the first n lanes; else undefined.
ir::Expr active_count(const ir::Binary& e) {
  const auto* ramp = e.a.as_or_null<ir::Ramp>();
  const auto* limit = e.b.as_or_null<ir::Broadcast>();
  if (e.op != BinaryOp::Lt || ramp == nullptr || limit == nullptr) return {};
  const bool counts = ir::try_constant(ramp->base) == 0 && ir::try_constant(ramp->stride) == 1;
  return counts && limit->value.type() == ir::kInt64 ? limit->value : ir::Expr();
}

llvm::Constant* float_constant(llvm::Type* type, double value) {
  llvm::APFloat number(value);
  bool inexact = false;
  number.convert(type->getFltSemantics(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return llvm::ConstantFP::get(type, number);
}

/// From element to element.
llvm::Value* stride_bytes(llvm::IRBuilder<>& b, llvm::Type* type, llvm::Value* stride_elems) {
  return b.CreateMul(stride_elems, b.getInt64(type->getScalarSizeInBits() / 8));
}

}  // namespace

llvm::Value* ExprEmitter::value(const ir::Expr& e) {
  switch (e.kind()) {
    case ir::ExprKind::IntImm:
      return llvm::ConstantInt::getSigned(value_type(b_.getContext(), e.type()),
                                          e.as<ir::IntImm>().value);
    case ir::ExprKind::FloatImm:
      if (e.type().scalar == DType::Float16) {
        return b_.getInt16(float16_bits(e.as<ir::FloatImm>().value));
      }
      if (e.type().scalar == DType::BFloat16) {
        return b_.getInt16(bfloat16_bits(e.as<ir::FloatImm>().value));
      }
      return float_constant(value_type(b_.getContext(), e.type()), e.as<ir::FloatImm>().value);
    case ir::ExprKind::Var: {
      const auto it = bindings_.vars.find(e.as<ir::Var>().name);
      if (it != bindings_.vars.end()) return it->second;
      throw InternalError({{}, "variable '" + e.as<ir::Var>().name + "'", "it has no value", ""});
    }
    case ir::ExprKind::Unary: {
      const auto& unary = e.as<ir::Unary>();
      return emit_unary(b_, unary.op, unary.operand.type().scalar, value(unary.operand));
    }
    case ir::ExprKind::Binary:
      return binary(e.as<ir::Binary>());
    case ir::ExprKind::Select:
      return select(e.as<ir::Select>());
    case ir::ExprKind::Cast: {
      const ir::Expr& operand = e.as<ir::Cast>().operand;
      return emit_cast(b_, operand.type().scalar, e.type().scalar, value(operand));
    }
    case ir::ExprKind::Load:
      return load(e.as<ir::Load>());
    case ir::ExprKind::Broadcast:
      return broadcast(e.as<ir::Broadcast>());
    case ir::ExprKind::Ramp:
      return ramp(e.as<ir::Ramp>());
    case ir::ExprKind::VectorLoad:
      return load_vector(e.as<ir::VectorLoad>());
    case ir::ExprKind::ReduceLanes: {
      const auto& reduce = e.as<ir::ReduceLanes>();
      return emit_reduce_lanes(b_, reduce.op, e.type().scalar, value(reduce.vector));
    }
    case ir::ExprKind::Dot:
      return dot(e.as<ir::Dot>());
    case ir::ExprKind::VectorScale:
      return vector_scale();
  }
  throw InternalError({{}, "no such expression kind", "in code generation", ""});
}

llvm::Value* ExprEmitter::vector_scale() {
  if (bindings_.vector_scale == nullptr) {
    llvm::BasicBlock& first = b_.GetInsertBlock()->getParent()->getEntryBlock();
    llvm::IRBuilder<> entry(&first, first.begin());
    bindings_.vector_scale = emit_vector_scale(entry);
  }
  return bindings_.vector_scale;
}

llvm::Value* ExprEmitter::broadcast(const ir::Broadcast& e) {
  llvm::Value* each = value(e.value);
  if (!e.value.type().is_vector()) {
    return b_.CreateVectorSplat(element_count(e.type.lanes), each);
  }
  return emit_repeated(b_, each, static_cast<unsigned>(e.type.lanes.count));
}

llvm::Value* ExprEmitter::dot(const ir::Dot& e) {
  llvm::Value* acc = value(e.acc);
  llvm::Value* a = value(e.a);
  return emit_dot(b_, e.a.type().scalar, e.b.type().scalar, acc, a, value(e.b));
}

template <class IfTrue, class IfFalse>
llvm::Value* ExprEmitter::branch(llvm::Value* condition, IfTrue if_true, IfFalse if_false) {
  llvm::Function* function = b_.GetInsertBlock()->getParent();
  auto* true_block = llvm::BasicBlock::Create(b_.getContext(), "chosen", function);
  auto* false_block = llvm::BasicBlock::Create(b_.getContext(), "other", function);
  auto* end_block = llvm::BasicBlock::Create(b_.getContext(), "selected", function);
  b_.CreateCondBr(condition, true_block, false_block);
  b_.SetInsertPoint(true_block);
  llvm::Value* true_value = if_true();
  true_block = b_.GetInsertBlock();
  b_.CreateBr(end_block);
  b_.SetInsertPoint(false_block);
  llvm::Value* false_value = if_false();
  false_block = b_.GetInsertBlock();
  b_.CreateBr(end_block);
  b_.SetInsertPoint(end_block);
  llvm::PHINode* phi = b_.CreatePHI(true_value->getType(), 2);
  phi->addIncoming(true_value, true_block);
  phi->addIncoming(false_value, false_block);
  return phi;
}

llvm::Value* ExprEmitter::binary(const ir::Binary& e) {
  if (const ir::Expr count = active_count(e); count.defined()) {
    llvm::Value* mask = mask_or_null(count, e.a.type().lanes);
    if (mask != nullptr) return mask;
  }
  llvm::Value* a = value(e.a);
  const bool is_logical = e.op == BinaryOp::And || e.op == BinaryOp::Or;
  if (is_logical && !e.type.is_vector() && NeedsBranch::in(e.b)) {
    const auto second = [&] { return value(e.b); };
    const auto known = [&] { return b_.getInt1(e.op == BinaryOp::Or); };
    return e.op == BinaryOp::And ? branch(a, second, known) : branch(a, known, second);
  }
  return emit_binary(b_, e.op, e.a.type().scalar, a, value(e.b));
}

llvm::Value* ExprEmitter::select(const ir::Select& e) {
  llvm::Value* condition = value(e.condition);
  const bool is_vector = e.condition.type().is_vector();
  if (!is_vector && (NeedsBranch::in(e.if_true) || NeedsBranch::in(e.if_false))) {
    return branch(
        condition, [&] { return value(e.if_true); }, [&] { return value(e.if_false); });
  }
  llvm::Value* if_true = value(e.if_true);
  return b_.CreateSelect(condition, if_true, value(e.if_false));
}

llvm::Value* ExprEmitter::pointer(const ir::Buffer& buffer) const {
  const auto it = bindings_.pointers.find(buffer.get());
  if (it != bindings_.pointers.end()) return it->second;
  throw InternalError({{},
                       "buffer '" + buffer->name + "'",
                       "it is no parameter and no statement allocates it",
                       ""});
}

llvm::Align ExprEmitter::element_alignment(const ir::Buffer& buffer) const {
  return llvm::Align(static_cast<std::uint64_t>(size_bytes(buffer->type)));
}

llvm::Value* ExprEmitter::position(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices) {
  const std::vector<std::int64_t> strides = buffer->strides_elems();
  llvm::Value* sum = b_.getInt64(0);
  for (std::size_t d = 0; d < indices.size(); ++d) {
    llvm::Value* offset = value(indices[d]);
    if (strides[d] != 1) {
      offset = b_.CreateMul(offset, b_.getInt64(static_cast<std::uint64_t>(strides[d])));
    }
    sum = d == 0 ? offset : b_.CreateAdd(sum, offset);
  }
  return sum;
}

llvm::Value* ExprEmitter::load(const ir::Load& e) {
  llvm::Value* at = position(e.buffer, e.indices);
  llvm::Type* type = memory_type(b_.getContext(), e.buffer->type);
  llvm::Value* address = b_.CreateInBoundsGEP(type, pointer(e.buffer), at);
  return from_memory(e.type.scalar,
                     b_.CreateAlignedLoad(type, address, element_alignment(e.buffer)));
}

void ExprEmitter::store(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices,
                        const ir::Expr& value_expr) {
  llvm::Value* stored = to_memory(buffer->type, value(value_expr));
  llvm::Value* at = position(buffer, indices);
  llvm::Value* address = b_.CreateInBoundsGEP(stored->getType(), pointer(buffer), at);
  b_.CreateAlignedStore(stored, address, element_alignment(buffer));
}

void ExprEmitter::prefetch(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices) {
  constexpr std::uint32_t kRead = 0, kAllCaches = 3, kData = 1;
  llvm::Type* type = memory_type(b_.getContext(), buffer->type);
  llvm::Value* address = b_.CreateGEP(type, pointer(buffer), position(buffer, indices));
  b_.CreateIntrinsic(llvm::Intrinsic::prefetch, {address->getType()},
                     {address, b_.getInt32(kRead), b_.getInt32(kAllCaches), b_.getInt32(kData)});
}

llvm::Value* ExprEmitter::ramp(const ir::Ramp& e) {
  const llvm::ElementCount lanes = element_count(e.type.lanes);
  llvm::Type* type = value_type(b_.getContext(), {e.type.scalar, {}});
  llvm::Value* base = b_.CreateVectorSplat(lanes, value(e.base));
  llvm::Value* stride = b_.CreateVectorSplat(lanes, value(e.stride));
  return b_.CreateAdd(base, b_.CreateMul(emit_lane_numbers(b_, type, lanes), stride));
}

llvm::Value* ExprEmitter::mask_or_null(const ir::Expr& active, const ir::Lanes& lanes) {
  if (!active.defined()) return nullptr;
  return emit_active_or_null(b_, value(active), element_count(lanes));
}

llvm::Value* ExprEmitter::lanes_from(int first, int lanes, llvm::Value* mask) {
  std::vector<llvm::Constant*> are_there;
  for (int lane = 0; lane < lanes; ++lane) are_there.push_back(b_.getInt1(lane >= first));
  llvm::Value* const from = llvm::ConstantVector::get(are_there);
  return mask == nullptr ? from : b_.CreateAnd(from, mask);
}

llvm::Value* ExprEmitter::lane_pointers(const ir::Buffer& buffer, llvm::Value* first,
                                        llvm::Value* stride_elems, const ir::Lanes& lanes) {
  llvm::Value* numbers = emit_lane_numbers(b_, b_.getInt64Ty(), element_count(lanes));
  llvm::Value* offsets =
      b_.CreateMul(numbers, b_.CreateVectorSplat(element_count(lanes), stride_elems));
  // Not inbounds: the addresses of inactive lanes may lie outside the buffer.
  return b_.CreateGEP(memory_type(b_.getContext(), buffer->type), first, offsets);
}

llvm::Value* ExprEmitter::scalable_place(const ir::Buffer& buffer,
                                         const std::vector<ir::Expr>& indices) {
  const std::vector<std::int64_t> strides = buffer->strides_elems();
  const std::int64_t lanes = buffer->shape.back();
  llvm::Value* number = b_.getInt64(0);
  for (std::size_t d = 0; d + 1 < indices.size(); ++d) {
    const auto stride = static_cast<std::uint64_t>(strides[d] / lanes);
    number = b_.CreateAdd(number, b_.CreateMul(value(indices[d]), b_.getInt64(stride)));
  }
  const auto it = bindings_.vectors.find(buffer.get());
  if (it != bindings_.vectors.end()) {
    return it->second[llvm::cast<llvm::ConstantInt>(number)->getZExtValue()];
  }
  const ir::Type type{buffer->type, {static_cast<int>(lanes), true}};
  return b_.CreateGEP(memory_type(b_.getContext(), type), pointer(buffer), number);
}

llvm::Value* ExprEmitter::stride_of(const ir::VectorLoad& e) {
  if (e.stride.defined()) return value(e.stride);
  return b_.getInt64(static_cast<std::uint64_t>(e.stride_elems));
}

llvm::Value* ExprEmitter::load_vector(const ir::VectorLoad& e) {
  const auto known = known_.find(&e);
  if (known != known_.end()) return from_memory(e.type.scalar, known->second);
  const ir::Lanes& lanes = e.type.lanes;
  llvm::Type* type = memory_type(b_.getContext(), e.type);
  const llvm::Align align = element_alignment(e.buffer);
  if (e.buffer->is_scalable) {
    llvm::Value* place = scalable_place(e.buffer, e.indices);
    return from_memory(e.type.scalar, b_.CreateAlignedLoad(type, place, align));
  }
  llvm::Value* at = position(e.buffer, e.indices);
  llvm::Value* first = b_.CreateGEP(type->getScalarType(), pointer(e.buffer), at);
  const bool is_spread = on_vector_engine(b_) && e.stride_elems != 1;
  if (!lanes.scalable && !is_spread && are_loaded_whole(e.stride_elems, lanes.count)) {
    return from_memory(e.type.scalar, load_apart(e, first, type, align));
  }
  llvm::Value* mask = mask_or_null(e.active, lanes);
  if (e.first > 0) mask = lanes_from(e.first, lanes.count, mask);
  llvm::Value* loaded = nullptr;
  if (e.stride_elems == 1) {
    loaded = load_neighbours(first, type, align, mask);
  } else if (is_spread) {
    loaded = load_spread(first, stride_of(e), type, mask);
  } else if (e.stride_elems == -1) {
    loaded = load_reversed(first, type, align, mask);
  } else {
    llvm::Value* pointers = lane_pointers(e.buffer, first, stride_of(e), lanes);
    llvm::Value* zero = llvm::Constant::getNullValue(type);
    loaded = b_.CreateMaskedGather(type, pointers, align, mask, zero);
  }
  return from_memory(e.type.scalar, loaded);
}

llvm::Value* ExprEmitter::load_neighbours(llvm::Value* first, llvm::Type* type, llvm::Align align,
                                          llvm::Value* mask) {
  if (mask == nullptr) return b_.CreateAlignedLoad(type, first, align);
  return b_.CreateMaskedLoad(type, first, align, mask, llvm::Constant::getNullValue(type));
}

llvm::Value* ExprEmitter::load_spread(llvm::Value* first, llvm::Value* stride_elems,
                                      llvm::Type* type, llvm::Value* mask) {
  const auto lanes = llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
  llvm::Value* const all = b_.CreateVectorSplat(lanes, b_.getTrue());
  llvm::Value* const loaded = b_.CreateIntrinsic(
      llvm::Intrinsic::experimental_vp_strided_load, {type, b_.getPtrTy(), b_.getInt64Ty()},
      {first, stride_bytes(b_, type, stride_elems), mask == nullptr ? all : mask,
       b_.getInt32(lanes)});
  if (mask == nullptr) return loaded;
  return b_.CreateSelect(mask, loaded, llvm::Constant::getNullValue(type));
}

void ExprEmitter::store_spread(llvm::Value* stored, llvm::Value* first, llvm::Value* stride_elems,
                               llvm::Value* mask) {
  llvm::Type* const type = stored->getType();
  const auto lanes = llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
  llvm::Value* const all = b_.CreateVectorSplat(lanes, b_.getTrue());
  b_.CreateIntrinsic(llvm::Intrinsic::experimental_vp_strided_store,
                     {type, b_.getPtrTy(), b_.getInt64Ty()},
                     {stored, first, stride_bytes(b_, type, stride_elems),
                      mask == nullptr ? all : mask, b_.getInt32(lanes)});
}

/// Neighbours in the other order, the first of which lies last.
llvm::Value* ExprEmitter::load_reversed(llvm::Value* first, llvm::Type* type, llvm::Align align,
                                        llvm::Value* mask) {
  const auto lanes = llvm::cast<llvm::VectorType>(type)->getElementCount();
  llvm::Value* const before =
      b_.CreateSub(b_.getInt64(1), b_.CreateElementCount(b_.getInt64Ty(), lanes));
  llvm::Value* const lowest = b_.CreateGEP(type->getScalarType(), first, before);
  if (mask != nullptr) mask = b_.CreateVectorReverse(mask);
  return b_.CreateVectorReverse(load_neighbours(lowest, type, align, mask));
}

/// Of as many vectors of neighbours as the elements lie apart, the last of which ends where the
/// last lane does: nothing behind it is read, nor what lanes that are not there would read.
llvm::Value* ExprEmitter::load_apart(const ir::VectorLoad& e, llvm::Value* first, llvm::Type* type,
                                     llvm::Align align) {
  const int lanes = e.type.lanes.count;
  const auto apart = static_cast<int>(e.stride_elems);
  llvm::Value* const neighbours =  // up to the last lane
      e.active.defined() ? b_.CreateSub(b_.CreateMul(value(e.active), b_.getInt64(e.stride_elems)),
                                        b_.getInt64(e.stride_elems - 1))
                         : nullptr;
  const auto part = [&](int offset) {
    llvm::Value* const at =
        b_.CreateGEP(type->getScalarType(), first, b_.getInt64(static_cast<std::uint64_t>(offset)));
    llvm::Value* mask = nullptr;
    if (neighbours != nullptr) {
      llvm::Value* const count =
          b_.CreateSub(neighbours, b_.getInt64(static_cast<std::uint64_t>(offset)));
      mask = emit_active_or_null(b_, count, element_count(e.type.lanes));
    }
    if (apart * e.first > offset) mask = lanes_from(apart * e.first - offset, lanes, mask);
    return load_neighbours(at, type, align, mask);
  };
  llvm::Value* out = part(0);
  for (int k = 1; k < apart; ++k) {
    // Lanes whose elements lie in part k come from there, those before them from what there is.
    const int offset = k * lanes - (k + 1 < apart ? 0 : apart - 1);
    std::vector<int> places;
    for (int lane = 0; lane < lanes; ++lane) {
      const int place = apart * lane;
      const int before = k == 1 ? std::min(place, lanes - 1) : lane;
      places.push_back(place >= k * lanes ? lanes + std::min(place - offset, lanes - 1) : before);
    }
    out = b_.CreateShuffleVector(out, part(offset), places);
  }
  return out;
}

void ExprEmitter::store_vector(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices,
                               std::int64_t stride_elems, const ir::Expr& value_expr,
                               const ir::Expr& active) {
  const ir::Lanes& lanes = value_expr.type().lanes;
  llvm::Value* stored = to_memory(buffer->type, value(value_expr));
  const llvm::Align align = element_alignment(buffer);
  if (buffer->is_scalable) {
    b_.CreateAlignedStore(stored, scalable_place(buffer, indices), align);
    return;
  }
  llvm::Value* at = position(buffer, indices);
  llvm::Value* mask = mask_or_null(active, lanes);
  llvm::Value* first = b_.CreateGEP(stored->getType()->getScalarType(), pointer(buffer), at);
  if (stride_elems != 1 && on_vector_engine(b_)) {
    store_spread(stored, first, b_.getInt64(static_cast<std::uint64_t>(stride_elems)), mask);
  } else if (stride_elems != 1) {
    llvm::Value* stride = b_.getInt64(static_cast<std::uint64_t>(stride_elems));
    b_.CreateMaskedScatter(stored, lane_pointers(buffer, first, stride, lanes), align, mask);
  } else if (mask != nullptr) {
    b_.CreateMaskedStore(stored, first, align, mask);
  } else {
    b_.CreateAlignedStore(stored, first, align);
  }
}

llvm::Value* ExprEmitter::from_memory(DType type, llvm::Value* v) {
  if (type != DType::Bool) return v;
  return b_.CreateICmpNE(v, llvm::Constant::getNullValue(v->getType()));
}

llvm::Value* ExprEmitter::to_memory(DType type, llvm::Value* v) {
  if (type != DType::Bool) return v;
  return b_.CreateZExt(v, with_lanes_of(b_.getInt8Ty(), v));
}

}  // namespace solway::codegen::detail
