#include "driver/build.h"

#include <optional>

#include "codegen/c/emit_c.h"
#include "driver/native_library.h"
#include "lowering/ir/verifier.h"
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
  std::string c_source;
  SourceLoc where;
  std::unique_ptr<NativeLibrary> library;  ///< made at the first call
};

std::map<std::string, std::string> CompiledKernel::sources() const {
  return {{kernel_.name + ".c", code_->c_source}};
}

CompiledKernel::Entry CompiledKernel::entry() const {
  if (!code_->library) {
    code_->library =
        std::make_unique<NativeLibrary>(code_->c_source + entry_source(kernel_), code_->where);
  }
  return reinterpret_cast<Entry>(code_->library->symbol(kernel_.name + "_entry"));
}

std::vector<std::string> target_names() { return {"c"}; }

CompiledKernel build(const schedule::State& state, const std::vector<dsl::Tensor>& args,
                     const BuildOptions& options, const SourceLoc& where) {
  if (options.target != "c") {
    throw UnsupportedError({where, "target '" + options.target + "' is not there",
                            "the targets are: 'c' (portable C99)", "pass target=\"c\""});
  }
  CompiledKernel out;
  out.target_ = options.target;
  out.kernel_ = lowering::lower(state, args, options.name, where).kernel;
  ir::verify(out.kernel_, ir::Stage::AfterLowering);
  out.code_ = std::make_shared<CompiledKernel::Code>();
  out.code_->c_source = codegen::emit_c(out.kernel_, {options.poison_transfers});
  out.code_->where = where;
  for (const auto& [id, loop] : state.order.loops) {
    if (loop.mark == schedule::LoopMark::Serial) continue;
    const char* step = loop.mark == schedule::LoopMark::Parallel     ? "parallel"
                       : loop.mark == schedule::LoopMark::Vectorized ? "vectorize"
                                                                     : "unroll";
    out.remarks_.push_back({std::string(step) + "(" + loop.name + ")", "runs as a plain loop",
                            "portable C99 has no cores and no vectors; the C compiler may unroll"});
  }
  return out;
}

std::string print_schedule(const schedule::State& state) {
  return lowering::print_loops(lowering::lower(state, all_arguments(*state.program), "kernel",
                                               state.program->outputs[0]->where));
}

}  // namespace solway::driver
