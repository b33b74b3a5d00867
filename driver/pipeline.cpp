#include "driver/pipeline.h"

#include <algorithm>
#include <iostream>
#include <utility>

#include "codegen/athread/vector_forms.h"
#include "codegen/llvm/vector_lack.h"
#include "lowering/block_copies.h"
#include "lowering/carry_values.h"
#include "lowering/form_dots.h"
#include "lowering/inline_copies.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"
#include "lowering/keep_in_registers.h"
#include "lowering/lane_sums.h"
#include "lowering/peel_last_tile.h"
#include "lowering/peel_pipelines.h"
#include "lowering/peel_tails.h"
#include "lowering/prefetch_lines.h"
#include "lowering/remove_unit_loops.h"
#include "lowering/report_registers.h"
#include "lowering/share_copies.h"
#include "lowering/simplify_bounds.h"
#include "lowering/split_selects.h"
#include "lowering/split_slants.h"
#include "lowering/turn_copies.h"
#include "lowering/unroll_loops.h"
#include "lowering/vectorize_loops.h"
#include "lowering/widen_panels.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using ir::Stmt;

/// A pass that makes no remarks.
template <typename Function>
auto quiet(Function function) {
  return [function](const Stmt& s, Remarks&) { return function(s); };
}

/// Of a computing core: what hides most of an addition's latency and leaves registers.
constexpr int kVectorsPerRound = 4;

/// Steps of `exp` need two or three registers for each vector beside its constants. Measured on
/// Zen 5: functions take 0.81 to 0.96 of the time with four together; with AVX2 0.93 to 1 with two,
/// and twice as long with four, as GELU, where registers do not suffice.
int functions_at_once(const VectorUnit& unit) { return unit.registers >= 32 ? 4 : 2; }

/// What vectors the code for a target has.
lowering::VectorForms vector_forms(const Target& target) {
  lowering::VectorForms out;
  if (target.dialect == "generic") {
    out.no_lanes = "this code is plain C, of which its compiler may make vectors";
    return out;
  }
  if (target.vector) {
    out.lanes = target.vector->lanes;
    out.dots = target.vector->dots;
    out.registers = target.vector->registers;
    out.near_scope = target.default_scope;
    if (target.dialect == "host" && !target.foreign) {
      out.accumulators = 8;
      out.vectors_of_extreme = 2;
      out.functions_at_once = functions_at_once(*target.vector);
      out.masked_bytes = target.masked_bytes();
      out.has_strides = true;
    }
  }
  if (target.foreign && codegen::is_vector_engine(target.foreign->triple)) {
    out.rest = lowering::VectorRest::Shorter;
    out.masked_bytes = 1;
    out.has_strides = true;
    out.lack = codegen::ve_vector_lack;
  }
  if (target.vector && target.vector->is_scalable) {
    const int unit_bits = vector_scale_bits(target.foreign->triple);
    for (const auto& [type, lanes] : out.lanes) {
      out.scalable_lanes[type] = lanes * unit_bits / target.vector->register_bits;
    }
  }
  if (!target.is_emulated()) return out;
  out.rest = lowering::VectorRest::Scalar;
  out.vectors_per_round = kVectorsPerRound;
  out.lack = [machine = target.machine](const Stmt& s) {
    return codegen::vector_lack(s.node(), machine);
  };
  return out;
}

/// Of float32, where any of them may be left out; 0: nowhere.
std::int64_t lanes_of_masked(const Target& target) {
  const lowering::VectorForms forms = vector_forms(target);
  const auto lanes = forms.lanes.find(DType::Float32);
  return forms.masked_bytes == 0 || lanes == forms.lanes.end() ? 0 : lanes->second;
}

/// Registers that hold what a loop keeps; the others are for what it loads, and for addresses.
int registers_to_keep(const Target& target) {
  if (!target.vector) return 8;
  const int all = target.vector->registers;
  return target.is_emulated() ? all * 5 / 8 : all - 4;
}

/// Of the memory in which panels lie.
std::int64_t near_bytes(const Target& target) {
  const Memory* near = target.memory_or_null(target.default_scope);
  return near == nullptr ? 0 : near->size_bytes;
}

/// Of the caches in front of main memory.
std::int64_t line_bytes(const Target& target) {
  constexpr std::int64_t kUsual = 64;
  const Memory* main = target.memory_or_null("main");
  return main == nullptr ? kUsual : std::max(kUsual, main->alignment_bytes);
}

/// A comparison and a jump, issued beside other instructions.
constexpr double kGuardCycles = 1;

/// Empty where the target file does not say what a core waits for code.
std::optional<lowering::PeelCosts> peel_costs(const Target& target) {
  if (!target.timing || !target.timing->instruction_cache) return std::nullopt;
  const InstructionCacheTiming& cache = *target.timing->instruction_cache;
  return lowering::PeelCosts{kGuardCycles, static_cast<double>(cache.main_cycles), cache.line_bytes,
                             target.cores.icache_bytes, std::max(1, target.cores.count)};
}

/// Says where a loop keeps its conditions although it was to lose them.
Stmt peel(const Stmt& s, const std::optional<lowering::PeelCosts>& costs,
          const PeelRequest& request, Remarks& remarks) {
  std::vector<lowering::PeelChoice> choices;
  Stmt out = lowering::peel_pipelines(s, request.form, costs, choices);
  for (const lowering::PeelChoice& choice : choices) {
    if (request.form != lowering::PipelineForm::Peeled || choice.is_peeled) continue;
    remarks.push_back({"pipelines=peeled", "loop '" + choice.loop + "' keeps its conditions",
                       choice.why_not, choice.where});
  }
  if (request.choices != nullptr) *request.choices = std::move(choices);
  return out;
}

/// With what peel_tails finds in whole tiles.
Pass last_tiles(const Target& target) {
  return {"peel_last_tile", quiet([least = lanes_of_masked(target)](const Stmt& s) {
            const Stmt out = lowering::peel_last_tile(s, least);
            return out.same_as(s) ? s : lowering::peel_tails(out);
          }),
          ir::Stage::AfterLowering,
          "of tiles whose number a call says, all but the last are whole"};
}

Pass lane_sums(const Target& target) {
  return {"keep_lane_sums", quiet([forms = vector_forms(target)](const Stmt& s) {
            return lowering::keep_lane_sums(s, forms);
          }),
          ir::Stage::AfterLowering, "loops around vectors are told while these are loops"};
}

/// What stands for the loop IR before any pass.
constexpr const char* kLower = "lower";

void print_after(const std::string& pass, const std::string& text) {
  std::cerr << "// after " << pass << '\n' << text;
}

/// From loops over lanes to code in vectors.
void add_vector_passes(const Target& target, std::vector<Pass>& out) {
  out.push_back({"vectorize_loops",
                 [forms = vector_forms(target)](const Stmt& s, Remarks& remarks) {
                   return lowering::vectorize_loops(s, forms, remarks);
                 },
                 ir::Stage::AfterVectorize, "before unrolling, which would hide the loop"});
  if (target.dialect == "host" && !target.foreign) {
    out.push_back({"turn_copies", quiet([forms = vector_forms(target)](const Stmt& s) {
                     return lowering::turn_copies(s, forms);
                   }),
                   ir::Stage::AfterVectorize, "squares are vectors, and their extents constant"});
    out.push_back({"block_copies", quiet(lowering::block_copies), ir::Stage::AfterVectorize,
                   "what is turned in squares writes whole lines already"});
  }
  out.push_back({"unroll_loops", lowering::unroll_loops, ir::Stage::AfterUnroll,
                 "copies of vector code are smaller than copies of scalar code"});
}

/// On code that has the form in which it runs.
void add_late_passes(const Target& target, const std::vector<lowering::LinesRequest>* lines,
                     std::vector<Pass>& out) {
  out.push_back({"remove_unit_loops", quiet(lowering::remove_unit_loops), out.back().stage,
                 "splits by the extent leave loops of one iteration"});
  out.push_back({"simplify", quiet([](const Stmt& s) { return ir::simplify(s); }), out.back().stage,
                 "the loops that went leave constants in indices"});
  if (target.dialect == "host") {
    out.push_back(
        {"carry_values", quiet(lowering::carry_values), out.back().stage,
         "what an iteration stores and the next one reads is told by simplified indices"});
  }
  if (target.is_emulated() || (target.dialect == "host" && target.vector)) {
    out.push_back({"keep_in_registers", quiet([most = registers_to_keep(target)](const Stmt& s) {
                     return lowering::keep_in_registers(s, most);
                   }),
                   out.back().stage, "places are told apart by simplified indices"});
  }
  if (target.dialect == "host") {
    out.push_back({"prefetch_lines",
                   [lines, bytes = line_bytes(target)](const Stmt& s, Remarks& remarks) {
                     if (lines == nullptr || lines->empty()) return s;
                     return lowering::prefetch_lines(s, *lines, bytes, remarks);
                   },
                   out.back().stage, "vectors that share a line stand side by side"});
    out.push_back({"share_copies", quiet(lowering::share_copies), out.back().stage,
                   "all passes before see loops of one thread"});
    out.push_back({"report_registers", lowering::report_registers, out.back().stage,
                   "indices are as constant as they get"});
  }
}

}  // namespace

std::vector<Pass> passes_for(const Target& target, Transfers transfers, const PeelRequest& request,
                             const std::vector<lowering::LinesRequest>* lines) {
  std::vector<Pass> out;
  out.push_back({"peel_pipelines",
                 [costs = peel_costs(target), request](const Stmt& s, Remarks& remarks) {
                   return peel(s, costs, request, remarks);
                 },
                 ir::Stage::AfterLowering,
                 "transfers are told from other code, and all passes see "
                 "constants in what is peeled"});
  if (transfers == Transfers::AsLoops) {
    out.push_back({"inline_copies", quiet(lowering::inline_copies), ir::Stage::AfterLowering,
                   "copies are loops that every later pass treats"});
  }
  out.push_back({"simplify_bounds", quiet(lowering::simplify_bounds), ir::Stage::AfterLowering,
                 "constant extents tell vectors from tails"});
  if (target.dialect == "host") {
    out.push_back({"peel_tails", quiet(lowering::peel_tails), ir::Stage::AfterLowering,
                   "vectors and unrolled rows need constant extents"});
    out.push_back(last_tiles(target));
    out.push_back({"form_dots",
                   [forms = vector_forms(target)](const Stmt& s, Remarks& remarks) {
                     return lowering::form_dots(s, forms, remarks);
                   },
                   ir::Stage::AfterLowering, "groups of bytes are told while loops are"});
    out.push_back({"widen_panels", quiet([most = near_bytes(target)](const Stmt& s) {
                     return lowering::widen_panels(s, most);
                   }),
                   ir::Stage::AfterLowering, "what is copied is converted once, but for dots"});
  }
  if (target.is_emulated() || target.dialect == "host") {
    out.push_back({"split_selects", quiet(lowering::split_selects), ir::Stage::AfterLowering,
                   "a vector has one side of a choice"});
  }
  if (target.dialect == "host") out.push_back(lane_sums(target));
  if (target.is_emulated()) {
    out.push_back({"split_slants", quiet(lowering::split_slants), ir::Stage::AfterLowering,
                   "registers hold sums where extents are constant"});
  }
  if (target.dialect != "c") add_vector_passes(target, out);
  add_late_passes(target, lines, out);
  return out;
}

void require_known(const std::vector<Pass>& passes, const PassOptions& options,
                   const SourceLoc& where) {
  std::vector<std::string> wanted = options.print_after;
  if (!options.stop_after.empty()) wanted.push_back(options.stop_after);
  for (const std::string& name : wanted) {
    if (name == kLower || (name == "all" && name != options.stop_after)) continue;
    const auto is_it = [&](const Pass& pass) { return pass.name == name; };
    if (std::any_of(passes.begin(), passes.end(), is_it)) continue;
    std::string names = kLower;
    for (const Pass& pass : passes) names += ", " + pass.name;
    throw UnsupportedError({where, "there is no pass '" + name + "' for this target",
                            "the passes are, in order: " + names, "name one of these"});
  }
}

ir::Kernel run_passes(ir::Kernel kernel, const std::vector<Pass>& passes, Remarks& remarks,
                      const PassOptions& options) {
  ir::verify(kernel, ir::Stage::AfterLowering);
  if (options.prints_after(kLower)) print_after(kLower, ir::to_string(kernel));
  if (options.stop_after == kLower) return kernel;
  for (const Pass& pass : passes) {
    const Stmt before = kernel.body;
    {
      const PhaseTimer timer(options, pass.name, std::cerr);
      kernel.body = pass.run(kernel.body, remarks);
    }
    ir::verify(kernel, pass.stage);
    if (options.prints_after(pass.name)) {
      print_after(pass.name, kernel.body.same_as(before) ? "(unchanged)\n" : ir::to_string(kernel));
    }
    if (options.stop_after == pass.name) break;
  }
  return kernel;
}

}  // namespace solway::driver
