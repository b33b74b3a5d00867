#include "emulator/worker/detail/core_calls.h"

#include <vector>

#include "emulator/worker/detail/abi.h"
#include "emulator/worker/detail/proxy_code.h"

namespace solway::emulator {
namespace {

constexpr unsigned kLanes = 4;

llvm::Value* call(llvm::IRBuilder<>& builder, const char* name, llvm::Type* result,
                  llvm::ArrayRef<llvm::Value*> arguments) {
  std::vector<llvm::Type*> types;
  for (llvm::Value* const argument : arguments) types.push_back(argument->getType());
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  const auto callee =
      module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  return builder.CreateCall(callee, arguments);
}

}  // namespace

llvm::Value* read_cycles(llvm::IRBuilder<>& builder) {
  return call(builder, "__solway_cycles", builder.getInt64Ty(), {});
}

llvm::Value* read_place(llvm::IRBuilder<>& builder, std::int64_t number) {
  llvm::Value* const id = call(builder, "__solway_cpe_id", builder.getInt32Ty(), {});
  if (number == 1) return builder.CreateLShr(id, 3);
  return number == 2 ? builder.CreateAnd(id, 7) : id;
}

llvm::Value* fetch_add(llvm::IRBuilder<>& builder, llvm::Value* word) {
  return call(builder, kFetchAdd, builder.getInt64Ty(), {word});
}

void meet_along(llvm::IRBuilder<>& builder, RegisterLine line, llvm::Value* mask) {
  llvm::Type* const i32 = builder.getInt32Ty();
  const int scope = line == RegisterLine::Row ? kRowScope : kColumnScope;
  call(builder, "athread_syn", i32,
       {builder.getInt32(static_cast<std::uint32_t>(scope)), builder.CreateZExtOrTrunc(mask, i32)});
}

void send_along(llvm::IRBuilder<>& builder, RegisterLine line, llvm::Value* lanes,
                llvm::Value* destination) {
  std::vector<llvm::Value*> arguments;
  for (unsigned k = 0; k < kLanes; ++k) arguments.push_back(builder.CreateExtractElement(lanes, k));
  arguments.push_back(destination);
  const char* const name = line == RegisterLine::Row ? "__solway_putr" : "__solway_putc";
  call(builder, name, builder.getVoidTy(), arguments);
}

llvm::Value* receive_along(llvm::IRBuilder<>& builder, RegisterLine line) {
  const char* const name = line == RegisterLine::Row ? "__solway_getr" : "__solway_getc";
  call(builder, name, builder.getVoidTy(), {});
  llvm::Type* const i64 = builder.getInt64Ty();
  llvm::Value* value = llvm::PoisonValue::get(llvm::FixedVectorType::get(i64, kLanes));
  for (unsigned k = 0; k < kLanes; ++k) {
    llvm::Value* const lane = call(builder, kMessageLane, i64, {builder.getInt32(k)});
    value = builder.CreateInsertElement(value, lane, k);
  }
  return value;
}

}  // namespace solway::emulator
