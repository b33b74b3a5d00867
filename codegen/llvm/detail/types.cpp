#include "codegen/llvm/detail/types.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Type.h>

#include "support/error.h"

namespace solway::codegen::detail {
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
  if (type.lanes.scalable) {
    throw UnsupportedError({{},
                            "a vector of type " + ir::to_string(type) + " on the host",
                            "the host's vectors have a fixed number of lanes",
                            "use a fixed number of lanes, such as 8"});
  }
  if (!type.is_vector()) return scalar;
  return llvm::FixedVectorType::get(scalar, static_cast<unsigned>(type.lanes.count));
}

}  // namespace

llvm::Type* value_type(llvm::LLVMContext& context, const ir::Type& type) {
  return with_lanes(scalar_type(context, type.scalar), type);
}

llvm::Type* memory_type(llvm::LLVMContext& context, DType type) {
  return type == DType::Bool ? llvm::Type::getInt8Ty(context) : scalar_type(context, type);
}

llvm::Type* memory_type(llvm::LLVMContext& context, const ir::Type& type) {
  return with_lanes(memory_type(context, type.scalar), type);
}

}  // namespace solway::codegen::detail
