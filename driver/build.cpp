#include "driver/build.h"

#include <iostream>
#include <set>
#include <utility>

#include "codegen/athread/emit_athread.h"
#include "codegen/c/emit_c.h"
#include "codegen/llvm/jit.h"
#include "driver/c_kernel.h"
#include "driver/emulated_kernel.h"
#include "driver/llvm_kernel.h"
#include "driver/loop_names.h"
#include "driver/pipeline.h"
#include "driver/program_memory.h"
#include "driver/require_cores.h"
#include "driver/require_sharing.h"
#include "driver/stopped_kernel.h"
#include "driver/target_choice.h"
#include "lowering/choose_code.h"
#include "lowering/lower.h"
#include "lowering/map_to_mesh.h"
#include "lowering/print_loops.h"
#include "memory_planner/scratchpad.h"
#include "schedule/shared_memory.h"
#include "support/error.h"

namespace solway::driver {
namespace {

std::vector<dsl::Tensor> all_arguments(const schedule::Program& program) {
  std::vector<dsl::Tensor> out;
  for (const auto& [name, array] : program.arrays) {
    if (array.kind == schedule::ArrayKind::Tensor && array.tensor->is_placeholder()) {
      out.push_back(array.tensor);
    }
  }
  for (const dsl::Tensor& output : program.outputs) {
    if (!dsl::root_of(output)->is_placeholder()) out.push_back(output);
  }
  return out;
}

/// Slots that nothing overlaps with are remarked on.
void report_depths(const schedule::Program& program, const Target& target, Remarks& remarks) {
  for (const auto& [name, buffer] : program.buffers) {
    if (buffer.depth == 1) continue;
    remarks.push_back({buffer.primitive + ", depth " + std::to_string(buffer.depth),
                       "'" + name + "' is copied when it is asked for",
                       "'" + target.name +
                           "' has no engine that moves data while it computes; the " +
                           std::to_string(buffer.depth) + " regions take memory, nothing more",
                       buffer.where});
  }
}

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

std::shared_ptr<Executable> compile_for_host(const ir::Kernel& kernel, const Target& target,
                                             const BuildOptions& options,
                                             std::set<std::string> shared, Remarks& remarks) {
  codegen::LlvmOptions llvm;
  llvm.shared = std::move(shared);
  llvm.poison_transfers = options.poison_transfers;
  // "host" is the very processor of this machine, not the level that it belongs to.
  if (options.target != "host" || options.machine) llvm.cpu = target.llvm_cpu;
  codegen::JitKernel code = codegen::JitKernel::compile(kernel, llvm);
  remarks.insert(remarks.end(), code.remarks().begin(), code.remarks().end());
  return std::make_shared<LlvmKernel>(std::move(code), kernel.name);
}

std::shared_ptr<Executable> compile_for_c(const ir::Kernel& kernel, const schedule::Order& order,
                                          const BuildOptions& options, std::set<std::string> shared,
                                          const SourceLoc& where, Remarks& remarks) {
  for (const auto& [id, loop] : order.loops) {
    const bool is_plain =
        loop.mark == schedule::LoopMark::Serial || loop.mark == schedule::LoopMark::Tensorized;
    if (is_plain) continue;
    const char* step = loop.mark == schedule::LoopMark::Parallel     ? "parallel"
                       : loop.mark == schedule::LoopMark::Vectorized ? "vectorize"
                                                                     : "unroll";
    remarks.push_back({std::string(step) + "(" + loop.name + ")", "runs as a plain loop",
                       "portable C99 has no cores and no vectors; the C compiler may unroll",
                       loop.line()});
  }
  return std::make_shared<CKernel>(
      kernel, codegen::emit_c(kernel, {options.poison_transfers, std::move(shared)}), where);
}

/// The primitive that made a transfer which a remark names, else what the remark says.
std::string primitive_of(const std::string& step, const schedule::Program& program) {
  for (const auto& [name, statement] : program.statements) {
    const std::optional<schedule::Copy>& copy = statement.copy;
    if (!copy || step != "transfer '" + copy->transfer + "'") continue;
    return program.buffers.at(copy->buffer).primitive;
  }
  return step;
}

/// Where buffers of a scratchpad begin, if some share bytes.
std::map<std::string, std::int64_t> offsets_in(const schedule::State& state, const Target& target,
                                               const std::string& memory, const SourceLoc& where) {
  std::map<std::string, std::int64_t> out;
  for (const auto& layout : memory_planner::lay_out(state, target, where)) {
    if (layout.scope != memory || !layout.shares_bytes()) continue;
    for (const memory_planner::PlacedBuffer& b : layout.buffers) out[b.name] = b.offset_bytes;
  }
  return out;
}

std::shared_ptr<Executable> compile_for_cores(const ir::Kernel& kernel, const Target& target,
                                              const schedule::State& state, const SourceLoc& where,
                                              Remarks& remarks) {
  const schedule::Program& program = *state.program;
  codegen::AthreadOptions athread;
  athread.machine = target.machine;
  athread.cores = target.cores.count;
  const Memory& memory = require_scratchpad(target, where);
  athread.ldm_bytes = memory.size_bytes;
  athread.near = memory.name;
  athread.near_alignment_bytes = memory.alignment_bytes;
  athread.near_offsets = offsets_in(state, target, memory.name, where);
  if (const TransferEngine* const engine = target.engine_or_null(memory.name)) {
    athread.transfers = {engine->ranks, engine->alignment_bytes, engine->min_size_bytes,
                         engine->max_size_bytes, engine->max_block_bytes};
  }
  if (target.vector) {
    athread.latencies = {target.vector->load_latency_cycles, target.vector->fma_latency_cycles};
  }
  for (const dsl::Size& size : program.sizes) athread.sizes[size->name] = {size->min, size->max, 1};
  Remarks made;
  auto files = codegen::emit_athread(kernel, athread, &made);
  for (Remark& remark : made) {
    remark.step = primitive_of(remark.step, program);
    remarks.push_back(std::move(remark));
  }
  return EmulatedKernel::from_files(kernel.name, files, target, where);
}

/// The remark on a loop that a target runs in another way than the schedule asks for.
Remark remark_on(const schedule::Loop& loop, const std::string& step, const std::string& verdict,
                 const std::string& why) {
  return {step, verdict, why, loop.line()};
}

/// Puts loops on the mesh of the target's cores, and says where there is none. Needs: what
/// require_cores says.
void place_on_mesh(lowering::Lowered& lowered, const schedule::Order& order, const Target& target,
                   Remarks& remarks) {
  if (target.is_emulated()) {
    lowered.kernel.body =
        lowering::map_to_mesh(lowered.kernel.body, lowered.mesh_loops,
                              {target.cores.mesh_rows, target.cores.mesh_columns});
    return;
  }
  for (const auto& [id, loop] : order.loops) {
    if (loop.mark != schedule::LoopMark::Parallel) continue;
    if (loop.hardware.empty() || loop.hardware == "core") continue;
    remarks.push_back(remark_on(loop, "bind(" + loop.name + ", " + loop.hardware + ")",
                                "runs on one core",
                                "target '" + target.name + "' has no mesh of cores"));
  }
}

/// The cores that run a kernel together; nullopt: one does.
std::optional<lowering::CoreGroup> cores_of(const Target& target) {
  if (!target.is_emulated()) return std::nullopt;
  const Cores& cores = target.cores;
  return lowering::CoreGroup{cores.count, {cores.mesh_rows, cores.mesh_columns}};
}

/// Says where a split with tail "mask" has no vectors to mask.
void report_masks(const schedule::Order& order, const Target& target, Remarks& remarks) {
  for (const auto& [id, loop] : order.loops) {
    if (loop.tail != schedule::TailStrategy::Mask) continue;
    const bool is_vector = loop.mark == schedule::LoopMark::Vectorized;
    if (is_vector && target.dialect == "host") continue;
    remarks.push_back(remark_on(
        loop, "split(" + loop.name + ", tail=mask)", "guards the rest",
        is_vector ? "target '" + target.name + "' has no vectors" : "the loop is not vectorized"));
  }
}

/// Says what the scope of a buffer and a parallel loop of one iteration do not change.
void report_no_effect(const schedule::State& state, const Target& target, Remarks& remarks) {
  for (const auto& [name, buffer] : state.program->buffers) {
    if (target.dialect != "c" || state.program->array(name).scope != "register") continue;
    remarks.push_back({"scope register of " + name, "stays in memory",
                       "portable C99 has no vectors; the C compiler may use registers",
                       buffer.where});
  }
  for (const schedule::Assumption& assumption : state.program->assumptions) {
    if (assumption.has_effect) continue;
    remarks.push_back({"assume(" + dsl::to_string(assumption.condition) + ")", "has no effect",
                       "it holds for all values that the sizes can have", assumption.where});
  }
  for (const auto& [id, loop] : state.order.loops) {
    if (!target.is_emulated() || loop.mark != schedule::LoopMark::Parallel) continue;
    if (loop.extent() != 1) continue;
    remarks.push_back(remark_on(loop, "parallel(" + loop.name + ")", "runs on one core",
                                "the loop has one iteration"));
  }
}

}  // namespace

CompiledKernel build(const schedule::State& state, const std::vector<dsl::Tensor>& args,
                     const BuildOptions& options, const SourceLoc& where) {
  const Target target = options.machine ? *options.machine : require_target(options.target, where);
  require_memory(state, target, where);
  require_cores(state.order, target);
  require_sharing(*state.program, target);
  CompiledKernel out;
  for (const dsl::Size& size : state.program->sizes) out.sizes_.push_back(size);
  out.assumptions_ = state.program->assumptions;
  out.target_ = options.machine ? target.name : options.target;
  // A poisoned destination shows what reads before the wait.
  const bool is_copied = !target.is_emulated() && !options.poison_transfers;
  const Transfers transfers = is_copied ? Transfers::AsLoops : Transfers::InFlight;
  const std::vector<Pass> passes = passes_for(target, transfers);
  require_known(passes, options.passes, where);
  std::map<std::string, std::string> loop_names;
  try {
    {
      const PhaseTimer timer(options.passes, "lower", std::cerr);
      lowering::Lowered lowered =
          lowering::lower(state, args, options.name, where, target.default_scope,
                          lowering::TransferDims::Merged, cores_of(target));
      out.remarks_ = lowered.remarks;
      loop_names = lowered.loop_names;
      place_on_mesh(lowered, state.order, target, out.remarks_);
      report_masks(state.order, target, out.remarks_);
      report_no_effect(state, target, out.remarks_);
      out.kernel_ = std::move(lowered.kernel);
      out.kernel_.body =
          lowering::choose_code(out.kernel_.body, target.name,
                                target.dialect == "host"      ? lowering::CodeForm::Other
                                : target.machine == "sw26010" ? lowering::CodeForm::CAndAssembly
                                                              : lowering::CodeForm::C);
    }
    if (transfers == Transfers::AsLoops) report_depths(*state.program, target, out.remarks_);
    out.shareable_ = shareable_in(state, out.kernel_);
    out.kernel_ = run_passes(std::move(out.kernel_), passes, out.remarks_, options.passes);
    const PhaseTimer timer(options.passes, "generate code for " + target.name, std::cerr);
    if (!options.passes.stop_after.empty()) {
      out.code_ = std::make_shared<StoppedKernel>(out.kernel_, options.passes.stop_after, where);
    } else if (target.dialect == "host") {
      out.code_ = compile_for_host(out.kernel_, target, options, shared_names(out), out.remarks_);
    } else if (target.dialect == "c") {
      out.code_ =
          compile_for_c(out.kernel_, state.order, options, shared_names(out), where, out.remarks_);
    } else {
      out.code_ = compile_for_cores(out.kernel_, target, state, where, out.remarks_);
    }
  } catch (const UnsupportedError& e) {
    throw UnsupportedError(in_loop_names(e.report(), loop_names));
  }
  for (Remark& remark : out.remarks_) remark = in_loop_names(remark, loop_names);
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
