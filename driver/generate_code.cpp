#include "driver/generate_code.h"

#include <optional>
#include <utility>

#include "codegen/c/emit_c.h"
#include "codegen/llvm/machine.h"
#include "driver/emulated_kernel.h"
#include "driver/foreign_kernel.h"
#include "driver/llvm_kernel.h"
#include "memory_planner/scratchpad.h"

namespace solway::driver {
namespace {

/// The primitive that made a transfer which a remark names, else what the remark says.
std::string primitive_of(const std::string& step, const schedule::Program& program) {
  for (const auto& [name, statement] : program.statements) {
    const std::optional<schedule::Copy>& copy = statement.copy;
    if (!copy || step != "transfer '" + copy->transfer + "'") continue;
    return program.buffers.at(copy->buffer).primitive;
  }
  return step;
}

/// Where buffers of a scratchpad begin in a block: all of a layer's, else those of a schedule of
/// which some share bytes.
std::map<std::string, std::int64_t> offsets_in(const schedule::State& state, const Target& target,
                                               const std::string& memory,
                                               const std::optional<std::string>& network,
                                               const SourceLoc& where) {
  std::map<std::string, std::int64_t> out;
  for (const auto& layout : memory_planner::lay_out(state, target, where)) {
    if (layout.scope != memory || !(network || layout.shares_bytes())) continue;
    for (const memory_planner::PlacedBuffer& b : layout.buffers) out[b.name] = b.offset_bytes;
  }
  return out;
}

/// What portable C does with a marked loop; nullopt: what the mark says, as far as solway has a
/// say.
std::optional<Remark> remark_in_c(const schedule::Loop& loop, bool has_directives,
                                  bool is_independent) {
  const auto remark = [&](const char* step, const char* verdict, const char* why) {
    return Remark{std::string(step) + "(" + loop.name + ")", verdict, why, loop.line()};
  };
  const char* const plain = "runs as a plain loop";
  const char* const nothing = "portable C99 has no cores and no vectors; the C compiler may unroll";
  switch (loop.mark) {
    case schedule::LoopMark::Serial:
    case schedule::LoopMark::Tensorized:
      return std::nullopt;
    case schedule::LoopMark::Parallel:
      return remark("parallel", plain, nothing);
    case schedule::LoopMark::Vectorized:
      if (!has_directives) return remark("vectorize", plain, nothing);
      if (is_independent) return std::nullopt;
      return remark("vectorize", "is left to the compiler's analysis",
                    "iterations of the loop depend on each other, as those of a reduction, or use "
                    "one buffer: 'ivdep' would deny it");
    case schedule::LoopMark::Unrolled:
      if (has_directives) return std::nullopt;
      return remark("unroll", plain, nothing);
  }
  return std::nullopt;
}

}  // namespace

std::shared_ptr<Executable> compile_with_llvm(const ir::Kernel& kernel, const Target& target,
                                              const BuildOptions& options,
                                              std::set<std::string> shared, Remarks& remarks,
                                              const SourceLoc& where) {
  codegen::LlvmOptions llvm;
  llvm.shared = std::move(shared);
  llvm.poison_transfers = options.poison_transfers;
  // "host" is the very processor of this machine, not the level that it belongs to.
  if (options.target != "host" || options.machine) llvm.cpu = target.llvm_cpu;
  const auto with_remarks = [&](auto code) {
    remarks.insert(remarks.end(), code->remarks().begin(), code->remarks().end());
    return code;
  };
  if (!target.foreign || codegen::is_this_machine(target.foreign->triple)) {
    // A transfer in flight is state of one thread.
    if (!options.poison_transfers) llvm.parallel = codegen::ParallelForm::Team;
    return with_remarks(std::make_shared<LlvmKernel>(kernel, std::move(llvm)));
  }
  llvm.triple = target.foreign->triple;
  llvm.features = target.foreign->features;
  return with_remarks(std::make_shared<ForeignKernel>(kernel, std::move(llvm), target, where));
}

std::string c_source(const LoweredKernel& lowered, const schedule::Order& order,
                     const Target& target, const BuildOptions& options,
                     std::set<std::string> shared, Remarks& remarks) {
  std::set<schedule::LoopId> independent;
  codegen::CEmitOptions c{options.poison_transfers, std::move(shared), std::nullopt};
  if (target.pragmas == "nec") {
    c.nec = codegen::NecPragmas{target.lanes(DType::Float64), {}};
    for (const auto& [variable, id] : lowered.independent) {
      c.nec->independent.insert(variable);
      independent.insert(id);
    }
  }
  for (const auto& [id, loop] : order.loops) {
    if (auto remark = remark_in_c(loop, c.nec.has_value(), independent.count(id) != 0)) {
      remarks.push_back(*std::move(remark));
    }
  }
  return codegen::emit_c(lowered.kernel, c);
}

codegen::AthreadOptions athread_options(const Target& target, const schedule::State& state,
                                        const SourceLoc& where,
                                        const std::optional<std::string>& network) {
  codegen::AthreadOptions out;
  out.network = network;
  out.machine = target.machine;
  out.cores = target.cores.count;
  const Memory& memory = require_scratchpad(target, where);
  out.ldm_bytes = memory.size_bytes;
  out.near = memory.name;
  out.near_alignment_bytes = memory.alignment_bytes;
  out.near_offsets = offsets_in(state, target, memory.name, network, where);
  if (const Memory* const shared = target.shared_or_null()) {
    out.shared = shared->name;
    out.shared_bytes = shared->size_bytes;
    out.shared_alignment_bytes = shared->alignment_bytes;
  }
  if (const TransferEngine* const engine = target.engine_or_null(memory.name)) {
    out.transfers = {engine->ranks, engine->alignment_bytes, engine->min_size_bytes,
                     engine->max_size_bytes, engine->max_block_bytes};
  }
  if (target.vector) {
    out.latencies = {target.vector->load_latency_cycles, target.vector->fma_latency_cycles};
  }
  for (const dsl::Size& size : state.program->sizes) {
    out.sizes[size->name] = {size->min, size->max, 1};
  }
  return out;
}

void add_transfer_remarks(Remarks made, const schedule::Program& program, Remarks& remarks) {
  for (Remark& remark : made) {
    remark.step = primitive_of(remark.step, program);
    remarks.push_back(std::move(remark));
  }
}

}  // namespace solway::driver
