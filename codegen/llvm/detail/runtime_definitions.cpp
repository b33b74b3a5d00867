#include "codegen/llvm/detail/runtime_definitions.h"

#include <string_view>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "codegen/llvm/runtime_symbols.h"
#include "support/error.h"

namespace solway::codegen::detail {
namespace {

/// "expf" for "solway_exp_f32", "aligned_alloc" for kAllocate.
std::string c_name_of(std::string_view symbol) {
  if (symbol == kAllocate) return "aligned_alloc";
  if (symbol == kFree) return "free";
  constexpr std::string_view kPrefix = "solway_";
  const std::string_view type = symbol.substr(symbol.size() - 4);
  std::string name(symbol.substr(kPrefix.size(), symbol.size() - kPrefix.size() - type.size()));
  if (type == "_f32") return name + "f";
  if (type == "_f64") return name;
  throw InternalError({{}, "function '" + std::string(symbol) + "'", "it has no body", ""});
}

/// A call of the C library's function with the same arguments.
void forward(llvm::Function& function, const std::string& to) {
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(function.getContext(), "entry", &function));
  const llvm::FunctionCallee callee =
      function.getParent()->getOrInsertFunction(to, function.getFunctionType());
  std::vector<llvm::Value*> args;
  for (llvm::Argument& arg : function.args()) args.push_back(&arg);
  llvm::CallInst* call = b.CreateCall(callee, args);
  call->setTailCall();
  call->addFnAttr(llvm::Attribute::NoBuiltin);
  if (function.getReturnType()->isVoidTy()) {
    b.CreateRetVoid();
  } else {
    b.CreateRet(call);
  }
}

/// What kIntegerPower documents, by squaring.
void define_integer_power(llvm::Function& function) {
  llvm::LLVMContext& context = function.getContext();
  const auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(context, name, &function);
  };
  llvm::BasicBlock* const entry = block("entry");
  llvm::BasicBlock* const negative = block("negative");
  llvm::BasicBlock* const loop = block("loop");
  llvm::BasicBlock* const step = block("step");
  llvm::BasicBlock* const done = block("done");
  llvm::Value* const base = function.getArg(0);
  llvm::Value* const exponent = function.getArg(1);

  llvm::IRBuilder<> b(entry);
  llvm::Value* const zero = b.getInt64(0);
  llvm::Value* const one = b.getInt64(1);
  llvm::Value* const minus_one = llvm::ConstantInt::getSigned(b.getInt64Ty(), -1);
  b.CreateCondBr(b.CreateICmpSLT(exponent, zero), negative, loop);

  b.SetInsertPoint(negative);
  llvm::Value* const is_odd = b.CreateICmpNE(b.CreateAnd(exponent, one), zero);
  llvm::Value* const of_minus_one = b.CreateSelect(is_odd, minus_one, one);
  llvm::Value* const of_others =
      b.CreateSelect(b.CreateICmpEQ(base, minus_one), of_minus_one, zero);
  b.CreateRet(b.CreateSelect(b.CreateICmpEQ(base, one), one, of_others));

  b.SetInsertPoint(loop);
  llvm::PHINode* const result = b.CreatePHI(b.getInt64Ty(), 2, "result");
  llvm::PHINode* const square = b.CreatePHI(b.getInt64Ty(), 2, "square");
  llvm::PHINode* const rest = b.CreatePHI(b.getInt64Ty(), 2, "rest");
  b.CreateCondBr(b.CreateICmpEQ(rest, zero), done, step);

  b.SetInsertPoint(step);
  llvm::Value* const has_bit = b.CreateICmpNE(b.CreateAnd(rest, one), zero);
  llvm::Value* const next = b.CreateSelect(has_bit, b.CreateMul(result, square), result);
  llvm::Value* const squared = b.CreateMul(square, square);
  llvm::Value* const halved = b.CreateLShr(rest, one);
  b.CreateBr(loop);
  for (const auto& [phi, first, then] :
       {std::tuple{result, one, next}, {square, base, squared}, {rest, exponent, halved}}) {
    phi->addIncoming(first, entry);
    phi->addIncoming(then, step);
  }
  b.SetInsertPoint(done);
  b.CreateRet(result);
}

}  // namespace

void define_runtime(llvm::Module& module) {
  std::vector<llvm::Function*> wanted;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() && function.getName().starts_with("solway_")) {
      wanted.push_back(&function);
    }
  }
  for (llvm::Function* function : wanted) {
    const std::string name = function->getName().str();
    function->setLinkage(llvm::Function::InternalLinkage);
    if (name == kIntegerPower) {
      define_integer_power(*function);
    } else {
      forward(*function, c_name_of(name));
    }
  }
}

const std::set<std::string>& libc_functions() {
  static const std::set<std::string> kNames = {"aligned_alloc",
                                               "free",
                                               "getenv",
                                               "getpid",
                                               "memcpy",
                                               "memmove",
                                               "memset",
                                               "pthread_cond_broadcast",
                                               "pthread_cond_wait",
                                               "pthread_create",
                                               "pthread_detach",
                                               "pthread_mutex_lock",
                                               "pthread_mutex_unlock",
                                               "pthread_sigmask",
                                               "sched_getaffinity",
                                               "sigfillset"};
  return kNames;
}

}  // namespace solway::codegen::detail
