#include "codegen/llvm/jit.h"

#include <chrono>
#include <utility>

#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/MemoryBuffer.h>

#include "codegen/llvm/detail/module_code.h"
#include "codegen/llvm/emit_llvm.h"
#include "codegen/llvm/runtime_symbols.h"
#include "codegen/llvm/team_work.h"
#include "support/error.h"

namespace solway::codegen {
namespace {

template <class T>
T take(llvm::Expected<T> expected, const std::string& what) {
  if (expected) return std::move(*expected);
  throw InternalError({{}, what, llvm::toString(expected.takeError()), ""});
}

void check(llvm::Error error, const std::string& what) {
  if (error) throw InternalError({{}, what, llvm::toString(std::move(error)), ""});
}

/// A linker that knows our runtime symbols and nothing else of the process.
std::unique_ptr<llvm::orc::LLJIT> make_linker(const std::string& entry) {
  llvm::orc::LLJITBuilder builder;
  builder.setPlatformSetUp(llvm::orc::setUpInactivePlatform);
  builder.setLinkProcessSymbolsByDefault(false);
  auto linker = take(builder.create(), "start of the in-process linker");
  llvm::orc::SymbolMap symbols;
  for (const RuntimeSymbol& symbol : runtime_symbols()) {
    if (symbol.name == entry) continue;
    symbols[linker->mangleAndIntern(symbol.name)] = {
        llvm::orc::ExecutorAddr::fromPtr(symbol.address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  }
  check(linker->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))),
        "definition of runtime symbols");
  return linker;
}

}  // namespace

struct JitKernel::Impl {
  std::unique_ptr<llvm::orc::LLJIT> linker;  ///< owns the code
  llvm::orc::ExecutorAddr entry;
  bool is_on_team = false;
  std::string llvm_ir;
  LlvmOptions options;
  Remarks remarks;
  double compile_seconds = 0;
};

JitKernel::JitKernel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
JitKernel::JitKernel(JitKernel&&) noexcept = default;
JitKernel& JitKernel::operator=(JitKernel&&) noexcept = default;
JitKernel::~JitKernel() = default;

JitKernel JitKernel::compile(const ir::Kernel& kernel, const LlvmOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  auto impl = std::make_unique<Impl>();
  impl->options = options;
  detail::ModuleCode made = detail::compile_module(kernel, options, detail::RuntimeCalls::Outside);
  impl->llvm_ir = std::move(made.llvm_ir);
  impl->remarks = std::move(made.remarks);
  const std::string entry = entry_symbol(kernel);
  impl->linker = make_linker(entry);
  check(impl->linker->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(made.object, kernel.name)),
        "linking of kernel '" + kernel.name + "'");
  impl->entry = take(impl->linker->lookup(entry), "entry of kernel '" + kernel.name + "'");
  impl->is_on_team =
      options.parallel == ParallelForm::Team && team_lack(kernel, options.shared).empty();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  impl->compile_seconds = elapsed.count();
  return JitKernel(std::move(impl));
}

JitKernel::Entry JitKernel::entry() const {
  if (impl_->is_on_team) throw InternalError({{}, "code for a team has no entry without", "", ""});
  return impl_->entry.toPtr<Entry>();
}

JitKernel::TeamEntry JitKernel::team_entry() const {
  if (!impl_->is_on_team) throw InternalError({{}, "code for one thread has no team", "", ""});
  return impl_->entry.toPtr<TeamEntry>();
}

bool JitKernel::is_on_team() const { return impl_->is_on_team; }

const std::string& JitKernel::llvm_ir() const { return impl_->llvm_ir; }

std::string JitKernel::assembly() const {
  return detail::assembly_of(impl_->llvm_ir, impl_->options);
}

const Remarks& JitKernel::remarks() const { return impl_->remarks; }

double JitKernel::compile_seconds() const { return impl_->compile_seconds; }

}  // namespace solway::codegen
