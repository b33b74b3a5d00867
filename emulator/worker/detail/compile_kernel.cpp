#include "emulator/worker/detail/compile_kernel.h"

#include <llvm/Support/TargetSelect.h>

namespace solway::emulator {

void compile_kernel(const CompileRequest& request) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  LLVMInitializeLoongArchTargetInfo();
  LLVMInitializeLoongArchTarget();
  LLVMInitializeLoongArchTargetMC();
  LLVMInitializeLoongArchAsmPrinter();

  llvm::LLVMContext context;
  auto cpe = link_side(context, request.files.cpe, "CPE");
  auto program = link_side(context, request.files.mpe, "MPE");
  mark_cpe_side(*cpe);
  replace_assembly(*cpe);
  const ProxyStack stack = measure_stack(*cpe);
  join_sides(*program, std::move(cpe));

  HookBuilder hooks(*program, request.header_folder);
  instrument_loops(hooks);
  instrument_accesses(hooks, request.checks);
  instrument_frames(hooks, stack);
  instrument_calls(hooks);
  write_program(hooks, stack, request.entry, request.parameters);
  emit_object(*program, request.output);
}

}  // namespace solway::emulator
