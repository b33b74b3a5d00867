#include "driver/lower_kernel.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <set>
#include <utility>

#include "driver/loop_names.h"
#include "driver/pipeline.h"
#include "driver/program_memory.h"
#include "driver/require_cores.h"
#include "driver/require_sharing.h"
#include "driver/target_choice.h"
#include "lowering/choose_code.h"
#include "lowering/lower.h"
#include "lowering/map_to_mesh.h"
#include "lowering/pass_temporaries.h"
#include "schedule/independent_loops.h"
#include "support/error.h"
#include "support/fast_dots.h"
#include "support/line_requests.h"

namespace solway::driver {
namespace {

/// Whether a transfer of the buffer begins or ends in another iteration than its use.
bool is_moved_apart(const schedule::State& state, const std::string& buffer) {
  return std::any_of(state.order.placements.begin(), state.order.placements.end(),
                     [&](const schedule::Placement& one) {
                       const auto& copy = state.program->statement(one.statement).copy;
                       return one.delay != 0 && copy && copy->buffer == buffer;
                     });
}

/// Transfers that nothing overlaps with are remarked on.
void report_depths(const schedule::State& state, const Target& target, Remarks& remarks) {
  for (const auto& [name, buffer] : state.program->buffers) {
    const bool has_slots = buffer.depth > 1;
    if (!has_slots && !is_moved_apart(state, name)) continue;
    const std::string depth = std::to_string(buffer.depth);
    remarks.push_back(
        {buffer.primitive + (has_slots ? ", depth " + depth : ", single_buffer"),
         "'" + name + "' is copied when it is asked for",
         "'" + target.name + "' has no engine that moves data while it computes" +
             (has_slots ? "; the " + depth + " regions take memory, nothing more" : ""),
         buffer.where});
  }
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
    const bool has_threads = target.dialect == "host";
    remarks.push_back(remark_on(
        loop, "bind(" + loop.name + ", " + loop.hardware + ")",
        has_threads ? "is an ordinary parallel loop" : "runs on one core",
        "target '" + target.name + "' has no mesh of cores" +
            (has_threads ? ": of nested parallel loops, threads share out the outermost" : "")));
  }
}

/// The cores that run a kernel together; nullopt: one does. Of a processor, a call says how many.
std::optional<lowering::CoreGroup> cores_of(const Target& target) {
  if (target.dialect == "host") return lowering::CoreGroup{lowering::CoreGroup::kAnyNumber, {}};
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
    remarks.push_back(remark_on(loop, "split(" + loop.name + ", tail=mask)", "guards the rest",
                                is_vector ? "target '" + target.name + "' has no " +
                                                (target.pragmas.empty() ? "vectors" : "masks")
                                          : "the loop is not vectorized"));
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
    const bool has_threads = target.dialect == "host";
    if (!(target.is_emulated() || has_threads)) continue;
    if (loop.mark != schedule::LoopMark::Parallel || loop.extent() != 1) continue;
    remarks.push_back(remark_on(loop, "parallel(" + loop.name + ")",
                                has_threads ? "runs on one thread" : "runs on one core",
                                "the loop has one iteration"));
  }
}

/// Why the lines that a loop is to ask for are not; empty: they are, in the loops of the request.
std::string why_no_lines(const schedule::State& state, const schedule::PrefetchedLines& lines,
                         const lowering::LinesRequest& request, const Target& target) {
  if (target.dialect == "c") return "portable C99 has no way to ask a cache for a line";
  if (!has_line_requests(target)) {
    return "'" + target.name + "' has no instruction that asks a cache for a line";
  }
  const auto loop = state.order.loops.find(lines.loop);
  if (loop == state.order.loops.end()) return "the loop is not there any more";
  const auto array = state.program->arrays.find(lines.tensor);
  if (array != state.program->arrays.end() && array->second.scope == "register") {
    return "'" + lines.tensor + "' is held in registers";
  }
  const bool is_left = !request.loops.empty() && (lines.inside < 0 || !request.inside.empty());
  return is_left ? "" : "no such loop is left in the code";
}

/// What loops are to ask the caches for, in names of the loop IR; says where that has no effect.
std::vector<lowering::LinesRequest> lines_requests(
    const schedule::State& state, const std::map<std::string, schedule::LoopId>& variables,
    const Target& target, Remarks& remarks) {
  std::vector<lowering::LinesRequest> out;
  for (const schedule::PrefetchedLines& lines : state.prefetched_lines) {
    lowering::LinesRequest request{lines.tensor, {}, lines.distance, lines.where};
    for (const auto& [variable, loop] : variables) {
      if (loop == lines.loop) request.loops.insert(variable);
      if (loop == lines.inside) request.inside.insert(variable);
    }
    const std::string why = why_no_lines(state, lines, request, target);
    if (why.empty()) {
      out.push_back(std::move(request));
      continue;
    }
    remarks.push_back({"prefetch_lines(" + lines.tensor + ", " + loop_name(state, lines.loop) + ")",
                       "has no effect", why, lines.where});
  }
  return out;
}

lowering::CodeForm code_form(const Target& target) {
  if (target.dialect == "host") return lowering::CodeForm::Other;
  return target.machine == "sw26010" ? lowering::CodeForm::CAndAssembly : lowering::CodeForm::C;
}

}  // namespace

Target target_of(const BuildOptions& options, const SourceLoc& where) {
  const bool is_named = !options.machine;
  Target out = is_named ? require_target(options.target, where) : *options.machine;
  const bool is_this = is_named && options.target == "host";
  if (options.fast_math) allow_fast_dots(out, is_this ? MachineKind::This : MachineKind::Level);
  if (is_named) return out;
  // Its code is for `llvm_cpu`, whichever processor this is.
  if (out.vector && !out.foreign) out.vector->dots.clear();
  return out;
}

std::vector<dsl::Tensor> all_arguments(const schedule::Program& program) {
  std::vector<dsl::Tensor> out;
  for (const auto& [name, array] : program.arrays) {
    const bool is_placeholder = array.tensor && array.tensor->is_placeholder();
    if (is_placeholder && program.is_input(array)) out.push_back(array.tensor);
  }
  out.insert(out.end(), program.given.begin(), program.given.end());
  for (const dsl::Tensor& output : program.outputs) {
    if (!program.is_input(program.array(output->storage_name()))) out.push_back(output);
  }
  return out;
}

LoweredKernel lower_kernel(const schedule::State& state, const std::vector<dsl::Tensor>& args,
                           const Target& target, const BuildOptions& options,
                           const SourceLoc& where, Temporaries temporaries) {
  require_memory(state, target, where);
  require_cores(state.order, target);
  require_sharing(*state.program, target);
  LoweredKernel out;
  // A poisoned destination shows what reads before the wait.
  const bool is_copied = !target.is_emulated() && !options.poison_transfers;
  const Transfers transfers = is_copied ? Transfers::AsLoops : Transfers::InFlight;
  std::vector<lowering::LinesRequest> lines;
  const std::vector<Pass> passes =
      passes_for(target, transfers, {options.pipelines, &out.peelings}, &lines);
  require_known(passes, options.passes, where);
  try {
    {
      const PhaseTimer timer(options.passes, "lower", std::cerr);
      std::set<schedule::LoopId> independent;
      if (!target.pragmas.empty()) independent = schedule::independent_loops(state);
      std::set<schedule::LoopId> told_apart = independent;
      for (const schedule::PrefetchedLines& early : state.prefetched_lines) {
        told_apart.insert(early.loop);
        if (early.inside >= 0) told_apart.insert(early.inside);
      }
      const auto lower = [&](lowering::Statements statements) {
        return lowering::lower(state, args, options.name, where, target.default_scope,
                               lowering::TransferDims::Merged, cores_of(target), statements,
                               told_apart);
      };
      lowering::Lowered lowered = lower(lowering::Statements::BesideLoops);
      if (target.is_emulated() &&
          !lowering::are_mesh_pairs(lowered.kernel.body, lowered.mesh_loops)) {
        lowered = lower(lowering::Statements::InLoops);
      }
      out.remarks = lowered.remarks;
      out.loop_names = lowered.loop_names;
      for (const auto& [var, id] : lowered.told_apart) {
        if (independent.count(id) != 0) out.independent.emplace(var, id);
      }
      lines = lines_requests(state, lowered.told_apart, target, out.remarks);
      place_on_mesh(lowered, state.order, target, out.remarks);
      report_masks(state.order, target, out.remarks);
      report_no_effect(state, target, out.remarks);
      out.kernel = std::move(lowered.kernel);
      out.kernel.body = lowering::choose_code(out.kernel.body, target.name, code_form(target));
      if (temporaries == Temporaries::Passed) lowering::pass_temporaries(out.kernel);
    }
    if (transfers == Transfers::AsLoops) report_depths(state, target, out.remarks);
    out.kernel = run_passes(std::move(out.kernel), passes, out.remarks, options.passes);
  } catch (const UnsupportedError& e) {
    throw UnsupportedError(in_loop_names(e.report(), out.loop_names));
  }
  return out;
}

}  // namespace solway::driver
