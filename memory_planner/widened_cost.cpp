#include "memory_planner/widened_cost.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "schedule/whole_units.h"

namespace solway::memory_planner {
namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

/// Rows of a tile, and where they begin within units.
schedule::UnitRows rows_of(const StageModel& stage, const NestPlan& plan, int t) {
  const TensorModel& tensor = stage.tensors[at(t)];
  schedule::UnitRows out;
  out.strides.assign(tensor.dims.size(), 1);
  std::int64_t pitch = 1;
  for (std::size_t k = tensor.dims.size(); k-- > 0;) {
    const DimModel& dim = tensor.dims[k];
    out.strides[k] = pitch;
    out.leads.first += pitch * dim.begin;
    for (const IndexTerm& term : dim.terms) {
      const LoopCut& cut = plan.cuts[at(term.loop)];
      const std::int64_t extent = stage.loops[at(term.loop)].extent;
      const std::int64_t part = cut.part < extent ? cut.part : 0;
      const std::int64_t tile = cut.tile < cut.part ? cut.tile : 0;
      out.leads.step = std::gcd(out.leads.step, pitch * term.growth * std::gcd(part, tile));
    }
    pitch *= tensor.shape[k];
  }
  for (const DimModel& dim : tensor.dims) out.sizes.push_back(footprint_elems(dim, plan, t));
  return out;
}

}  // namespace

std::int64_t unit_elems(const TensorModel& tensor, const TransferEngine& engine) {
  const bool is_read = tensor.direction == AccessDirection::Read && !tensor.is_local &&
                       !tensor.is_epilogue && tensor.border.empty() && !tensor.turning;
  if (!is_read || tensor.dims.empty() || tensor.shape.size() != tensor.dims.size()) return 0;
  const std::int64_t align = std::max<std::int64_t>(1, engine.alignment_bytes);
  const std::int64_t bytes = (std::max(align, engine.min_size_bytes) + align - 1) / align * align;
  if (bytes % tensor.element_bytes != 0 || bytes == tensor.element_bytes) return 0;
  return bytes / tensor.element_bytes;
}

std::int64_t widened_elems(const StageModel& stage, const NestPlan& plan, int tensor) {
  const schedule::UnitRows rows = rows_of(stage, plan, tensor);
  const auto shape = schedule::shape_in_units(rows, unit_of(plan, tensor));
  std::int64_t out = 1;
  for (const std::int64_t extent : shape.value_or(rows.sizes)) out *= extent;
  return out;
}

bool has_one_lead(const StageModel& stage, const NestPlan& plan, int tensor) {
  return rows_of(stage, plan, tensor).leads.step % unit_of(plan, tensor) == 0;
}

std::optional<TransferShape> widened_shape(const StageModel& stage, const NestPlan& plan,
                                           int tensor, const TransferEngine& engine) {
  const std::int64_t unit = unit_of(plan, tensor);
  const schedule::UnitRows rows = rows_of(stage, plan, tensor);
  const auto shape = schedule::shape_in_units(rows, unit);
  if (!shape) return std::nullopt;
  const std::int64_t bytes = stage.tensors[at(tensor)].element_bytes;
  const std::int64_t row = shape->back();
  std::int64_t near = row;
  std::int64_t together = 1;  // rows of a request
  TransferShape out;
  for (std::size_t k = rows.sizes.size() - 1; k-- > 0;) {
    out.blocks *= rows.sizes[k];
    const bool is_block = engine.ranks > 1 && rows.strides[k] % unit == 0 && near % unit == 0 &&
                          rows.strides[k] > near;
    if (is_block && near == row) together = std::max(together, rows.sizes[k]);
    near *= (*shape)[k];
  }
  out.requests = out.blocks / together;
  const double elems =
      together > 1
          ? static_cast<double>(row)
          : schedule::elems_in_units(rows.sizes.back(), schedule::leads_of_rows(rows, unit), unit);
  out.block_bytes = std::llround(elems) * bytes;
  out.step_bytes = unit * bytes;
  out.run_bytes = unit * bytes;
  out.least_bytes = unit * bytes;
  return out;
}

}  // namespace solway::memory_planner
