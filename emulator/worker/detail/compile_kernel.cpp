#include "emulator/worker/detail/compile_kernel.h"

#include <llvm/Support/TargetSelect.h>

#include "emulator/worker/detail/assembly_code.h"
#include "emulator/worker/detail/library_calls.h"

namespace solway::emulator {
namespace {

/// Optimising an instrumented instruction costs as much as running it slowly some 100,000 times;
/// a program is run more than once.
constexpr double kBriefRuns = 10'000;

llvm::CodeGenOptLevel effort_for(llvm::Module& program, const std::string& entry) {
  llvm::Function* const function = program.getFunction(entry);
  if (function == nullptr) return llvm::CodeGenOptLevel::Default;
  double instructions = 0;
  for (const llvm::Function& part : program) instructions += part.getInstructionCount();
  return expected_work(*function) < kBriefRuns * instructions ? llvm::CodeGenOptLevel::None
                                                              : llvm::CodeGenOptLevel::Default;
}

}  // namespace

void compile_kernel(const CompileRequest& request) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  LLVMInitializeLoongArchTargetInfo();
  LLVMInitializeLoongArchTarget();
  LLVMInitializeLoongArchTargetMC();
  LLVMInitializeLoongArchAsmPrinter();
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();

  llvm::LLVMContext context;
  auto cpe = link_side(context, request.files.cpe, "CPE");
  auto program = link_side(context, request.files.mpe, "MPE");
  AssemblyCode assembly;
  for (const std::string& path : request.files.assembly) {
    add_assembly(*cpe, path, request.timing, assembly);
  }
  refuse_constructors(*cpe);
  refuse_system_calls(*cpe);
  collect_constructors(*program);
  mark_cpe_side(*cpe, request.calls);
  if (request.calls == MachineCalls::Generic) name_cpe_functions(*program, *cpe);
  replace_assembly(*cpe, Side::Cpe);
  replace_assembly(*program, Side::Mpe);
  fuse_multiply_add(*cpe);
  fuse_multiply_add(*program);
  if (request.checks == Checks::Clock) name_blocks(*cpe);
  const ProxyMachine& proxy =
      request.calls == MachineCalls::Sw26010Pro ? aarch64_proxy() : loongarch_proxy();
  ProxyCode code = compile_for_proxy(*cpe, proxy, request.timing);
  for (auto& [name, function] : assembly) code.functions["slave_" + name] = std::move(function);
  const ProxyStack stack = measure_stack(*cpe, code);
  if (request.checks == Checks::Clock) {
    mark_time(*cpe, code, request.timing.figures.library_call_cycles);
    mark_fetches(*cpe, code, request.timing);
    name_blocks(*program);
    mark_time(*program, compile_for_proxy(*program, proxy, request.timing),
              request.timing.figures.library_call_cycles);
  }
  join_sides(*program, std::move(cpe));
  if (request.checks == Checks::Hazards) load_where_chosen(*program);
  const llvm::CodeGenOptLevel effort = effort_for(*program, request.entry);

  HookBuilder hooks(*program, request.header_folder);
  instrument_loops(hooks);
  count_time(hooks);
  count_fetches(hooks);
  instrument_accesses(hooks, request.checks);
  instrument_frames(hooks, stack);
  instrument_calls(hooks);
  write_program(hooks, stack, request.entry, request.parameters);
  emit_object(*program, request.output, effort);
}

}  // namespace solway::emulator
