#include "memory_planner/micro_kernel_cost.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <utility>

namespace solway::memory_planner {
namespace {

// Of the code that the generator writes, by the emulator's clock.
constexpr std::int64_t kVectorBytes = 32;      // of doubles; of floats half
constexpr std::int64_t kLanes = 4;             // of vectors of both types
constexpr std::int64_t kTile = 4;              // rows and vectors of most tiles,
constexpr std::int64_t kTall = 7;              // rows of those of one or two vectors
constexpr std::int64_t kMostRepetitions = 16;  // of a step: rounds that run inside of it
constexpr double kLeastStep = 7;               // until a sum can be added to again
constexpr double kAddressing = 2;              // instructions of a step that move addresses on,
constexpr double kStepRest = 4;                // and of one whose loop counts each step
constexpr double kTileRest = 4;      // of a tile of registers, beside loading and storing its sums
constexpr double kRoundRest = 12;    // from one round to the next
constexpr double kCallCycles = 10;   // to call it, and of the loop around
constexpr double kZeroCycles = 0.5;  // to set a sum to zero
constexpr std::int64_t kShortRow = 64, kLongRow = 160;  // bytes; a row between is set by a call
constexpr std::int64_t kLargestOffset = 32767;          // that an instruction adds to an address

std::size_t at(int k) { return static_cast<std::size_t>(k); }

/// The fewest tiles of at most `largest`: their sizes and how many.
std::array<std::pair<std::int64_t, std::int64_t>, 2> runs(std::int64_t extent,
                                                          std::int64_t largest) {
  const std::int64_t count = (extent + largest - 1) / largest;
  const std::int64_t size = (extent + count - 1) / count;
  const std::int64_t smaller = count * size - extent;
  return {{{size, count - smaller}, {size - 1, smaller}}};
}

std::int64_t product_of(const std::vector<std::int64_t>& rounds) {
  return std::accumulate(rounds.begin(), rounds.end(), std::int64_t{1}, std::multiplies<>());
}

/// Of rounds, outermost first, those that are no part of each step.
std::int64_t rounds_around(const std::vector<std::int64_t>& rounds) {
  std::int64_t inside = 1;
  std::size_t k = rounds.size();
  while (k > 0 && inside * rounds[k - 1] <= kMostRepetitions) inside *= rounds[--k];
  return product_of(rounds) / inside;
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
                           const std::vector<std::int64_t>& rounds) {
  double out = kCallCycles;
  const std::int64_t columns_in_vectors = columns / kLanes;
  const std::int64_t most_rows = columns_in_vectors > kTile / 2 ? kTile : kTall;
  const std::int64_t all_rounds = product_of(rounds);
  const std::int64_t around = rounds_around(rounds);
  const double rest = around < all_rounds ? kAddressing : kStepRest;
  for (const auto& [tile_rows, row_count] : runs(rows, most_rows)) {
    for (const auto& [vectors, count] : runs(columns_in_vectors, kTile)) {
      const auto products = static_cast<double>(tile_rows * vectors);
      const auto loads = static_cast<double>(tile_rows + vectors);
      // Two pipes: one for arithmetic, one for memory, either for what remains.
      const double both = std::ceil((products + loads + rest) / 2);
      const double step = std::max({products, loads, kLeastStep, both});
      const double between = static_cast<double>(around - 1) * kRoundRest;
      out += static_cast<double>(row_count * count) *
             (step * static_cast<double>(all_rounds * terms) + between + 2 * products + kTileRest);
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
  std::vector<std::int64_t> rounds;
  for (const int loop : form.rounds) rounds.push_back(tile_of(plan, loop));
  const double one =
      micro_kernel_cycles(tile_of(plan, form.rows), columns, tile_of(plan, form.terms), rounds);
  const std::int64_t row_bytes = columns * stage.tensors[at(form.sums)].element_bytes;
  const bool is_set_by_call = kShortRow < row_bytes && row_bytes < kLongRow;
  const double zeros = static_cast<double>(columns) * kZeroCycles +
                       (is_set_by_call ? target.timing->library_call_cycles : 0);
  return calls * one + rows * zeros;
}

}  // namespace solway::memory_planner
