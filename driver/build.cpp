#include "driver/build.h"

#include <optional>

#include "codegen/c/emit_c.h"
#include "codegen/llvm/jit.h"
#include "driver/native_library.h"
#include "driver/pipeline.h"
#include "lowering/lower.h"
#include "lowering/print_loops.h"
#include "support/error.h"

namespace solway::driver {
namespace {

/// A function of one signature for all kernels: `int32_t <name>_entry(void** args)`.
std::string entry_source(const ir::Kernel& kernel) {
  std::string out =
      "\nint32_t " + kernel.name + "_entry(void** args) {\n  return " + kernel.name + "(";
  for (std::size_t k = 0; k < kernel.params.size(); ++k) {
    out += (k == 0 ? "args[" : ", args[") + std::to_string(k) + "]";
  }
  return out + ");\n}\n";
}

std::vector<dsl::Tensor> all_arguments(const schedule::Program& program) {
  std::vector<dsl::Tensor> out;
  for (const auto& [name, array] : program.arrays) {
    if (array.kind == schedule::ArrayKind::Tensor && array.tensor->is_placeholder()) {
      out.push_back(array.tensor);
    }
  }
  out.insert(out.end(), program.outputs.begin(), program.outputs.end());
  return out;
}

}  // namespace

struct CompiledKernel::Code {
  SourceLoc where;
  std::string c_source;                    ///< of target "c"
  std::unique_ptr<NativeLibrary> library;  ///< of target "c", made at the first call
  std::optional<codegen::JitKernel> jit;   ///< of target "host"
};

std::map<std::string, std::string> CompiledKernel::sources() const {
  if (code_->jit) {
    return {{kernel_.name + ".ll", code_->jit->llvm_ir()},
            {kernel_.name + ".s", code_->jit->assembly()}};
  }
  return {{kernel_.name + ".c", code_->c_source}};
}

CompiledKernel::Entry CompiledKernel::entry() const {
  if (code_->jit) return code_->jit->entry();
  if (!code_->library) {
    code_->library =
        std::make_unique<NativeLibrary>(code_->c_source + entry_source(kernel_), code_->where);
  }
  return reinterpret_cast<Entry>(code_->library->symbol(kernel_.name + "_entry"));
}

std::vector<std::string> target_names() { return {"host", "c"}; }

void CompiledKernel::compile_for_host(const BuildOptions& options) {
  codegen::LlvmOptions llvm;
  llvm.poison_transfers = options.poison_transfers;
  code_->jit = codegen::JitKernel::compile(kernel_, llvm);
  const Remarks& more = code_->jit->remarks();
  remarks_.insert(remarks_.end(), more.begin(), more.end());
}

void CompiledKernel::compile_for_c(const schedule::State& state, const BuildOptions& options) {
  code_->c_source = codegen::emit_c(kernel_, {options.poison_transfers});
  for (const auto& [id, loop] : state.order.loops) {
    if (loop.mark == schedule::LoopMark::Serial) continue;
    const char* step = loop.mark == schedule::LoopMark::Parallel     ? "parallel"
                       : loop.mark == schedule::LoopMark::Vectorized ? "vectorize"
                                                                     : "unroll";
    remarks_.push_back({std::string(step) + "(" + loop.name + ")", "runs as a plain loop",
                        "portable C99 has no cores and no vectors; the C compiler may unroll",
                        loop.where});
  }
}

CompiledKernel build(const schedule::State& state, const std::vector<dsl::Tensor>& args,
                     const BuildOptions& options, const SourceLoc& where) {
  if (options.target != "c" && options.target != "host") {
    throw UnsupportedError({where, "target '" + options.target + "' is not there",
                            "the targets are: 'host' (this machine, through LLVM), 'c' (portable "
                            "C99)",
                            "pass target=\"host\" or target=\"c\""});
  }
  CompiledKernel out;
  out.target_ = options.target;
  const bool is_host = options.target == "host";
  out.kernel_ =
      run_passes(lowering::lower(state, args, options.name, where).kernel,
                 passes_for(is_host ? host_lanes() : lowering::LanesPerType{}), out.remarks_);
  out.code_ = std::make_shared<CompiledKernel::Code>();
  out.code_->where = where;
  if (is_host) {
    out.compile_for_host(options);
  } else {
    out.compile_for_c(state, options);
  }
  return out;
}

std::string print_schedule(const schedule::State& state) {
  return lowering::print_loops(lowering::lower(state, all_arguments(*state.program), "kernel",
                                               state.program->outputs[0]->where, "near",
                                               lowering::TransferDims::PerDimension));
}

}  // namespace solway::driver
