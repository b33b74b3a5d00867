#include "driver/build.h"

#include <iostream>
#include <set>
#include <utility>

#include "codegen/athread/emit_athread.h"
#include "codegen/c/makefile.h"
#include "driver/c_kernel.h"
#include "driver/emulated_kernel.h"
#include "driver/generate_code.h"
#include "driver/linkable_files.h"
#include "driver/loop_names.h"
#include "driver/lower_kernel.h"
#include "driver/pipeline.h"
#include "driver/stopped_kernel.h"
#include "lowering/lower.h"
#include "lowering/print_loops.h"
#include "schedule/shared_memory.h"
#include "support/error.h"

namespace solway::driver {
namespace {

/// The outputs that may be written over an input of their shape and type.
std::vector<std::pair<std::size_t, std::size_t>> shareable_in(const schedule::State& state,
                                                              const ir::Kernel& kernel) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (std::size_t o = 0; o < kernel.params.size(); ++o) {
    const ir::Param& output = kernel.params[o];
    for (std::size_t i = 0; i < kernel.params.size(); ++i) {
      const ir::Param& input = kernel.params[i];
      const bool is_alike = output.role == ir::Role::Out && input.role == ir::Role::In &&
                            output.buffer->type == input.buffer->type &&
                            output.buffer->shape == input.buffer->shape;
      if (is_alike && schedule::may_share_memory(state, output.buffer->name, input.buffer->name)) {
        out.emplace_back(o, i);
      }
    }
  }
  return out;
}

std::set<std::string> shared_names(const CompiledKernel& compiled) {
  std::set<std::string> out;
  for (const auto& [output, input] : compiled.shareable()) {
    out.insert(compiled.kernel().params[output].buffer->name);
    out.insert(compiled.kernel().params[input].buffer->name);
  }
  return out;
}

std::shared_ptr<Executable> compile_for_cores(const ir::Kernel& kernel, const Target& target,
                                              const schedule::State& state, const SourceLoc& where,
                                              Remarks& remarks) {
  Remarks made;
  auto files = codegen::emit_athread(kernel, athread_options(target, state, where), &made);
  add_transfer_remarks(std::move(made), *state.program, remarks);
  return EmulatedKernel::from_files(kernel.name, files, target, where);
}

}  // namespace

CompiledKernel build(const schedule::State& state, const std::vector<dsl::Tensor>& args,
                     const BuildOptions& options, const SourceLoc& where) {
  const Target target = target_of(options, where);
  CompiledKernel out;
  for (const dsl::Size& size : state.program->sizes) out.sizes_.push_back(size);
  out.assumptions_ = state.program->assumptions;
  out.target_ = options.machine ? target.name : options.target;
  LoweredKernel lowered = lower_kernel(state, args, target, options, where);
  out.kernel_ = lowered.kernel;
  out.remarks_ = std::move(lowered.remarks);
  try {
    out.shareable_ = shareable_in(state, out.kernel_);
    const PhaseTimer timer(options.passes, "generate code for " + target.name, std::cerr);
    if (!options.passes.stop_after.empty()) {
      out.code_ = std::make_shared<StoppedKernel>(out.kernel_, options.passes.stop_after, where);
    } else if (target.dialect == "host") {
      out.code_ =
          compile_with_llvm(out.kernel_, target, options, shared_names(out), out.remarks_, where);
      const bool is_host = options.target == "host" && !options.machine;
      out.header_ = c_header(out.kernel_, args, out.sizes_,
                             is_host ? "the very processor that it was made on"
                                     : "'" + target.name + "', " + target.description);
    } else if (target.dialect == "c") {
      out.code_ = std::make_shared<CKernel>(
          out.kernel_,
          c_source(lowered, state.order, target, options, shared_names(out), out.remarks_),
          target.pragmas == "nec" ? codegen::nec_makefile(out.kernel_.name) : "", where);
      out.header_ = c_header(out.kernel_, args, out.sizes_, "'" + target.name + "', as C");
    } else {
      out.code_ = compile_for_cores(out.kernel_, target, state, where, out.remarks_);
    }
  } catch (const UnsupportedError& e) {
    throw UnsupportedError(in_loop_names(e.report(), lowered.loop_names));
  }
  for (Remark& remark : out.remarks_) remark = in_loop_names(remark, lowered.loop_names);
  return out;
}

std::map<std::string, std::string> CompiledKernel::libraries(codegen::ParallelForm parallel,
                                                             const SourceLoc& where) const {
  std::map<std::string, std::string> out = code_->libraries(parallel, where);
  const bool has_threads = parallel == codegen::ParallelForm::Team;
  if (out.empty() && (has_threads || header_.empty())) {
    if (!has_threads) return out;
    throw UnsupportedError({where, "threads in what is saved of '" + kernel_.name + "'",
                            "it is source code, and only machine code has them",
                            "leave threads=True out, or build for target 'host'"});
  }
  out[kernel_.name + ".h"] = has_threads ? c_header_with_threads(header_, kernel_.name) : header_;
  return out;
}

std::string print_schedule(const schedule::State& state, std::int64_t cores) {
  std::string assumed;
  for (const schedule::Assumption& assumption : state.program->assumptions) {
    assumed += "Assume " + dsl::to_string(assumption.condition) + "\n";
  }
  return assumed +
         lowering::print_loops(lowering::lower(state, all_arguments(*state.program), "kernel",
                                               state.program->outputs[0]->where, "near",
                                               lowering::TransferDims::PerDimension),
                               cores);
}

}  // namespace solway::driver
