#include "driver/inner_product.h"

#include <algorithm>

#include "memory_planner/body_model.h"
#include "memory_planner/micro_kernel_cost.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::driver {
namespace {

using memory_planner::InnerProduct;
using schedule::Statement;

constexpr const char* kAsked = "auto_buffer(inner=\"assembly\")";
constexpr const char* kLeaveOut = "pass inner=\"auto\" or inner=\"c\"";

DType type_of(const schedule::State& state, const Statement& s) {
  const std::string array = isl_ext::tuple_name(s.writes.at(0).relation, isl_ext::Dim::Range);
  return state.program->array(array).type;
}

bool is_product(const schedule::State& state, const Statement& s) {
  return !s.is_transfer() && !s.writes.empty() &&
         memory_planner::adds_products(s, type_of(state, s));
}

bool has_micro_kernel(const schedule::State& state, const Statement& s) {
  const std::vector<schedule::LoopId>& path = state.order.placement_of(s.name).path;
  return std::any_of(path.begin(), path.end(), [&](schedule::LoopId id) {
    const schedule::Loop& loop = state.order.loop(id);
    return loop.intrinsic != nullptr && loop.intrinsic->is_micro_kernel;
  });
}

/// What was remarked of a stage that was planned; "" when nothing.
std::string remark_on(const AutoBufferResult& planned, const std::string& stage) {
  const std::string step = "auto_buffer on '" + stage + "'";
  for (const Remark& remark : planned.remarks) {
    if (remark.step.starts_with(step)) return remark.verdict + ": " + remark.why;
  }
  return "";
}

/// "i of 64, j of 63, k of 64"
std::string loops_of(const StageChoice& choice) {
  std::string out;
  for (const StageChoice::Tile& tile : choice.tiles) {
    out += (out.empty() ? "" : ", ") + tile.loop + " of " + std::to_string(tile.extent);
  }
  return out;
}

std::string why_none(const AutoBufferResult& planned, const Statement& s, const Target& target) {
  const std::string remarked = remark_on(planned, s.stage);
  if (!remarked.empty()) return remarked;
  const auto choice = std::find_if(planned.choices.begin(), planned.choices.end(),
                                   [&](const StageChoice& one) { return one.stage == s.stage; });
  if (choice == planned.choices.end()) return "it has no plan of its own";
  const bool is_counted = std::any_of(choice->decisions.begin(), choice->decisions.end(),
                                      [](const auto& one) { return one.what == "inner product"; });
  const std::string loops = "its loops are " + loops_of(*choice);
  if (is_counted) {
    const int lanes = target.lanes(type_of(planned.state, s));
    return loops + ", and no tile of equal ones has whole vectors of " + std::to_string(lanes) +
           " columns and fits";
  }
  return loops +
         ", and none are columns along which neighbours lie side by side in the sums and "
         "in one operand, while the other operand stays";
}

}  // namespace

InnerProduct inner_product_of(const std::string& name, const SourceLoc& where) {
  if (name == "auto") return InnerProduct::Cheaper;
  if (name == "c") return InnerProduct::LoopsOfC;
  if (name == "assembly") return InnerProduct::Assembly;
  throw ScheduleArgumentError({where, "auto_buffer has no inner product '" + name + "'",
                               "products of matrices are 'c', 'assembly', or what takes fewer "
                               "cycles: 'auto'",
                               "pass inner=\"auto\", inner=\"c\" or inner=\"assembly\""});
}

void require_assembly(const schedule::State& state, const Target& target,
                      const std::string& planner, const SourceLoc& where) {
  const auto refuse = [&](const std::string& what, const std::string& why) {
    throw UnsupportedError({where, kAsked + what, why, kLeaveOut});
  };
  const std::string name = "'" + target.name + "'";
  if (!memory_planner::has_micro_kernels(target)) {
    refuse(" has no micro-kernels for " + name,
           "they are written in the assembly of SW26010, for near memory that begins at whole "
           "vectors");
  }
  if (planner == "greedy") {
    refuse(" has no micro-kernels with planner=\"greedy\"", "its plans are loops of C");
  }
  std::string stages;
  for (const auto& [statement, s] : state.program->statements) {
    if (is_product(state, s)) return;
  }
  for (const dsl::Tensor& stage : state.program->stages) {
    stages += (stages.empty() ? "'" : ", '") + stage->name + "'";
  }
  refuse(" has nothing to multiply",
         "none of " + stages +
             " adds up products of an element each of two tensors, of float32 "
             "or float64");
}

void require_micro_kernels(const AutoBufferResult& planned, const Target& target,
                           const SourceLoc& where) {
  for (const auto& [name, s] : planned.state.program->statements) {
    if (!is_product(planned.state, s) || has_micro_kernel(planned.state, s)) continue;
    throw UnsupportedError({where,
                            std::string(kAsked) + " finds no micro-kernel for '" + s.stage + "'",
                            why_none(planned, s, target), kLeaveOut});
  }
}

}  // namespace solway::driver
