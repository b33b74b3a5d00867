#include "driver/reader_loops.h"

#include <algorithm>

#include "memory_planner/access_dims.h"

namespace solway::driver {

using memory_planner::DimModel;
using schedule::LoopId;

bool computes_plainly(const schedule::State& state, const std::string& stage) {
  const std::vector<std::string> statements = schedule::statements_of(state, stage);
  return statements.size() == 1 && !is_scheduled(state, stage) &&
         state.program->statement(statements[0]).kind == schedule::StatementKind::Compute;
}

std::optional<std::vector<LoopId>> reader_loops(const schedule::State& state, const OnlyRead& read,
                                                const std::vector<std::int64_t>& extents,
                                                Reach reach) {
  const schedule::Statement& s = state.program->statement(read.statement);
  const schedule::Operand& operand = s.reads[read.slot];
  const std::vector<LoopId>& loops = state.stage_loops.at(s.stage);
  const std::vector<DimModel> dims = memory_planner::access_dims(
      state, {{read.statement, false, read.slot, operand.relation, operand.index}}, loops);
  if (dims.size() != extents.size()) return std::nullopt;
  std::vector<LoopId> out;
  for (std::size_t dim = 0; dim < dims.size(); ++dim) {
    const DimModel& model = dims[dim];
    if (model.terms.empty() && extents[dim] == 1) {
      out.push_back(kNoLoop);
      continue;
    }
    if (model.terms.size() != 1 || model.terms[0].growth != 1) return std::nullopt;
    const LoopId id = loops[static_cast<std::size_t>(model.terms[0].loop)];
    const std::int64_t extent = state.order.loop(id).extent();
    const bool is_part = reach == Reach::Part && extent < extents[dim] && model.begin == 0;
    if (extent != extents[dim] && !is_part) return std::nullopt;
    if (std::find(out.begin(), out.end(), id) != out.end()) return std::nullopt;
    out.push_back(id);
  }
  return out;
}

}  // namespace solway::driver
