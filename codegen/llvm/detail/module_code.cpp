#include "codegen/llvm/detail/module_code.h"

#include <memory>
#include <utility>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

#include "codegen/llvm/detail/contained.h"
#include "codegen/llvm/detail/fuse_products.h"
#include "codegen/llvm/detail/machine_code.h"
#include "codegen/llvm/detail/runtime_definitions.h"
#include "codegen/llvm/detail/store_across_calls.h"
#include "codegen/llvm/detail/vector_engine/lower_vectors.h"
#include "codegen/llvm/detail/widen_bytes.h"
#include "codegen/llvm/emit_llvm.h"
#include "codegen/llvm/machine.h"
#include "codegen/llvm/optimize.h"
#include "support/error.h"

namespace solway::codegen::detail {
namespace {

/// Keeps errors that LLVM would print before it ends the process.
class KeepErrors final : public llvm::DiagnosticHandler {
 public:
  explicit KeepErrors(std::string& text) : text_(text) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error) return false;
    llvm::raw_string_ostream stream(text_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    if (!text_.empty()) stream << "; ";
    info.print(printer);
    return true;
  }

 private:
  std::string& text_;
};

[[noreturn]] void refuse(const std::string& name, const LlvmOptions& options,
                         const std::string& words, const SourceLoc& where) {
  throw UnsupportedError(
      {where,
       "machine code of kernel '" + name + "'" +
           (options.triple.empty() ? "" : " for '" + options.triple + "'"),
       "LLVM's code generator gave up: " + words,
       "need fewer vectors at a time: unroll less, or vectorize another loop or none; target \"c\" "
       "makes portable C"});
}

/// What one compilation works on and makes; shared with its thread, which may be left behind.
struct Work {
  ir::Kernel kernel;
  LlvmOptions options;
  RuntimeCalls calls;
  ModuleCode made;
  std::string errors;
};

std::unique_ptr<llvm::Module> parsed(const std::string& llvm_ir, llvm::LLVMContext& context) {
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(llvm_ir, problem, context);
  if (module == nullptr) {
    throw InternalError({{}, "LLVM IR read back", problem.getMessage().str(), ""});
  }
  return module;
}

/// Of code that spills vectors: once more with the instructions in the order of the IR. It is kept
/// where it spills at most half as many; LLVM's order hides latencies.
void keep_order_if_fewer(Work& work, MachineCode& code, llvm::TargetMachine& machine) {
  std::string errors;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<KeepErrors>(errors));
  const auto module = parsed(work.made.llvm_ir, context);
  for (llvm::Function& function : *module) {
    if (!function.isDeclaration()) function.addFnAttr(kOrderAttribute);
  }
  std::string llvm_ir = text_of(*module);
  MachineCode in_order = machine_code(*module, machine, llvm::CodeGenFileType::ObjectFile);
  if (!errors.empty() || 2 * in_order.spilled > code.spilled) return;
  work.made.remarks.push_back({"order of instructions", "as the loops have it",
                               std::to_string(in_order.spilled) +
                                   " moves of spilled vectors, in LLVM's order " +
                                   std::to_string(code.spilled),
                               work.kernel.where});
  work.made.llvm_ir = std::move(llvm_ir);
  code = std::move(in_order);
}

void compile(Work& work) {
  const auto machine = make_machine(work.options);
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<KeepErrors>(work.errors));
  const auto module = emit_llvm(work.kernel, work.options, *machine, context, work.made.remarks);
  optimize(*module, *machine);
  if (machine->getTargetTriple().isVE()) {
    for (llvm::Function& function : *module) {
      fuse_products(function);
      store_across_calls(function);
      lower_vectors(function);
    }
  }
  if (machine->getTargetTriple().isAArch64()) {
    for (llvm::Function& function : *module) widen_bytes(function);
  }
  if (work.calls == RuntimeCalls::Inside) define_runtime(*module);
  work.made.llvm_ir = text_of(*module);
  MachineCode code = machine_code(*module, *machine, llvm::CodeGenFileType::ObjectFile);
  const bool is_ordered = !machine->getTargetTriple().isVE();  // by a scheduler
  if (is_ordered && code.spilled > 0) keep_order_if_fewer(work, code, *machine);
  work.made.object.assign(code.bytes.begin(), code.bytes.end());
}

}  // namespace

ModuleCode compile_module(const ir::Kernel& kernel, const LlvmOptions& options,
                          RuntimeCalls calls) {
  const auto work = std::make_shared<Work>(Work{kernel, options, calls, {}, {}});
  std::string words = run_contained([work] { compile(*work); });
  if (words.empty()) words = work->errors;
  if (!words.empty()) refuse(kernel.name, options, words, kernel.where);
  return std::move(work->made);
}

std::string assembly_of(const std::string& llvm_ir, const LlvmOptions& options) {
  const auto machine = make_machine(options);
  llvm::LLVMContext context;
  const auto module = parsed(llvm_ir, context);
  const MachineCode code = machine_code(*module, *machine, llvm::CodeGenFileType::AssemblyFile);
  return {code.bytes.begin(), code.bytes.end()};
}

}  // namespace solway::codegen::detail
