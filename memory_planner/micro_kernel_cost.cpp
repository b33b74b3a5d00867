#include "memory_planner/micro_kernel_cost.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace solway::memory_planner {
namespace {

// Of the code that the generator writes, by the emulator's clock.
constexpr std::int64_t kVectorBytes = 32;  // of doubles; of floats half
constexpr std::int64_t kLanes = 4;         // of vectors of both types
constexpr double kLeastStep = 7;           // until a sum can be added to again
constexpr double kStepRest = 4;            // instructions of a step that move addresses and count
constexpr double kTileRest = 4;      // of a tile of registers, beside loading and storing its sums
constexpr double kRoundRest = 12;    // from one round to the next
constexpr double kCallCycles = 10;   // to call it, and of the loop around
constexpr double kZeroCycles = 0.5;  // to set a sum to zero
constexpr std::int64_t kShortRow = 64, kLongRow = 160;  // bytes; a row between is set by a call
constexpr std::int64_t kLargestOffset = 32767;          // that an instruction adds to an address

std::size_t at(int k) { return static_cast<std::size_t>(k); }

/// Tiles of 4 and of 3, smaller ones only where there are so few: their sizes and how many.
std::array<std::pair<std::int64_t, std::int64_t>, 2> runs(std::int64_t extent) {
  if (extent == 5) return {{{3, 1}, {2, 1}}};
  if (extent < 3) return {{{extent, 1}, {0, 0}}};
  const std::int64_t threes = (4 - extent % 4) % 4;
  return {{{4, (extent - 3 * threes) / 4}, {3, threes}}};
}

bool is_within(std::int64_t elems, std::int64_t element_bytes) {
  return std::abs(elems) * element_bytes <= kLargestOffset;
}

std::int64_t tile_of(const NestPlan& plan, int loop) {
  return loop < 0 ? 1 : plan.cuts[at(loop)].tile;
}

/// Whether instructions reach from each round to the next.
bool rounds_are_near(const StageModel& stage, const NestPlan& plan, const ProductForm& form) {
  for (const int tensor : {form.numbers, form.vectors}) {
    const TensorModel& model = stage.tensors[at(tensor)];
    const Tiles tiles = tiles_of(plan, tensor);
    std::int64_t inner = 0;  // what the rounds inside move on
    for (std::size_t k = form.rounds.size(); k-- > 0;) {
      const std::int64_t stride = stride_elems(model, form.rounds[k], tiles);
      if (!is_within(stride - inner, model.element_bytes)) return false;
      inner = stride * tiles[at(form.rounds[k])];
    }
  }
  return true;
}

}  // namespace

bool has_micro_kernels(const Target& target) {
  const Memory* near = target.memory_or_null(target.default_scope);
  return target.machine == "sw26010" && near != nullptr &&
         near->alignment_bytes % kVectorBytes == 0;
}

bool fits_micro_kernel(const StageModel& stage, const NestPlan& plan, const ProductForm& form) {
  for (int loop = 0; loop < static_cast<int>(stage.loops.size()); ++loop) {
    if (!is_multiplied(form, loop)) continue;
    const LoopCut& cut = plan.cuts[at(loop)];
    if (stage.loops[at(loop)].extent % cut.part != 0 || cut.part % cut.tile != 0) return false;
  }
  if (plan.cuts[at(form.columns)].tile % kLanes != 0) return false;
  const Tiles of_tile = tiles_of(plan);
  const Tiles of_numbers = tiles_of(plan, form.numbers);
  const TensorModel& numbers = stage.tensors[at(form.numbers)];
  const std::int64_t bytes = numbers.element_bytes;
  const auto stride = [&](int tensor, int loop) {
    const Tiles& tiles = tensor == form.numbers ? of_numbers : of_tile;
    return loop < 0 ? 0 : stride_elems(stage.tensors[at(tensor)], loop, tiles);
  };
  const std::int64_t sums_row = stride(form.sums, form.rows);
  return is_within(4 * stride(form.numbers, form.rows), bytes) && is_within(4 * sums_row, bytes) &&
         is_within(2 * stride(form.numbers, form.terms), bytes) &&
         is_within(2 * stride(form.vectors, form.terms), bytes) &&
         rounds_are_near(stage, plan, form) &&
         is_within(tile_of(plan, form.columns) + 4 * std::abs(sums_row), bytes);
}

double micro_kernel_cycles(std::int64_t rows, std::int64_t columns, std::int64_t terms,
                           std::int64_t rounds) {
  double out = kCallCycles;
  for (const auto& [tile_rows, row_count] : runs(rows)) {
    for (const auto& [vectors, count] : runs(columns / kLanes)) {
      const auto products = static_cast<double>(tile_rows * vectors);
      const auto loads = static_cast<double>(tile_rows + vectors);
      // Two pipes: one for arithmetic, one for memory, either for what remains.
      const double both = std::ceil((products + loads + kStepRest) / 2);
      const double step = std::max({products, loads, kLeastStep, both});
      const double between = static_cast<double>(rounds - 1) * kRoundRest;
      out += static_cast<double>(row_count * count) *
             (step * static_cast<double>(rounds * terms) + between + 2 * products + kTileRest);
    }
  }
  return out;
}

double compute_by_micro_kernel(const StageModel& stage, const NestPlan& plan,
                               const Target& target) {
  const ProductForm& form = *plan.micro_kernel;
  double calls = 1;
  double rows = 1;  // of tiles of sums
  for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
    const auto mine = static_cast<double>(busiest_extent(stage, plan, k));
    calls *= is_multiplied(form, k) ? mine / static_cast<double>(plan.cuts[at(k)].tile) : mine;
    if (stage.loops[at(k)].kind == dsl::AxisKind::Reduce) continue;
    rows *= k == form.columns ? mine / static_cast<double>(plan.cuts[at(k)].tile) : mine;
  }
  const std::int64_t columns = tile_of(plan, form.columns);
  std::int64_t rounds = 1;
  for (const int loop : form.rounds) rounds *= tile_of(plan, loop);
  const double one =
      micro_kernel_cycles(tile_of(plan, form.rows), columns, tile_of(plan, form.terms), rounds);
  const std::int64_t row_bytes = columns * stage.tensors[at(form.sums)].element_bytes;
  const bool is_set_by_call = kShortRow < row_bytes && row_bytes < kLongRow;
  const double zeros = static_cast<double>(columns) * kZeroCycles +
                       (is_set_by_call ? target.timing->library_call_cycles : 0);
  return calls * one + rows * zeros;
}

}  // namespace solway::memory_planner
