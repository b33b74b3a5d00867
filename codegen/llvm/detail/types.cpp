#include "codegen/llvm/detail/types.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Type.h>
#include <llvm/IR/Value.h>

#include "support/error.h"

namespace solway::codegen::detail {

llvm::ElementCount element_count(const ir::Lanes& lanes) {
  return llvm::ElementCount::get(static_cast<unsigned>(lanes.count), lanes.scalable);
}

namespace {

llvm::Type* scalar_type(llvm::LLVMContext& context, DType type) {
  switch (type) {
    case DType::Bool:
      return llvm::Type::getInt1Ty(context);
    case DType::Int8:
    case DType::UInt8:
      return llvm::Type::getInt8Ty(context);
    case DType::Int16:
    case DType::Float16:
    case DType::BFloat16:
      return llvm::Type::getInt16Ty(context);
    case DType::Int32:
      return llvm::Type::getInt32Ty(context);
    case DType::Int64:
      return llvm::Type::getInt64Ty(context);
    case DType::Float32:
      return llvm::Type::getFloatTy(context);
    case DType::Float64:
      return llvm::Type::getDoubleTy(context);
  }
  throw InternalError({{}, "no such element type", std::to_string(static_cast<int>(type)), ""});
}

llvm::Type* with_lanes(llvm::Type* scalar, const ir::Type& type) {
  return type.is_vector() ? llvm::VectorType::get(scalar, element_count(type.lanes)) : scalar;
}

}  // namespace

llvm::Type* value_type(llvm::LLVMContext& context, const ir::Type& type) {
  return with_lanes(scalar_type(context, type.scalar), type);
}

llvm::Type* with_lanes_of(llvm::Type* scalar, const llvm::Value* v) {
  const auto* vector = llvm::dyn_cast<llvm::VectorType>(v->getType());
  return vector == nullptr ? scalar : llvm::VectorType::get(scalar, vector->getElementCount());
}

llvm::Type* memory_type(llvm::LLVMContext& context, DType type) {
  return type == DType::Bool ? llvm::Type::getInt8Ty(context) : scalar_type(context, type);
}

llvm::Type* memory_type(llvm::LLVMContext& context, const ir::Type& type) {
  return with_lanes(memory_type(context, type.scalar), type);
}

}  // namespace solway::codegen::detail
