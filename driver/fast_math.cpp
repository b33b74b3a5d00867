#include "driver/fast_math.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "dsl/chosen_products.h"
#include "dsl/exchange.h"
#include "dsl/winograd.h"
#include "memory_planner/vector_plan_cost.h"

namespace solway::driver {
namespace {

using dsl::PlaneConvolution;
using dsl::Tensor;

constexpr double kProductsPerCycle = 2;  ///< multiply-adds of vectors
constexpr double kReached = 0.85;        ///< of that by products of tiles, for tails and loads
constexpr double kInputCycles = 4.2;     ///< to transform a vector of the image, per point
constexpr double kOutputCycles = 3;      ///< ... of sums
constexpr double kFilterCycles = 12;     ///< ... of weights, which is not unrolled
/// Of weights that no near cache holds, while sums are computed of others: 13 x 13 and 14 x 14 with
/// 256 channels take less than a tenth longer on Zen 5 where main memory has the weights.
constexpr double kBytesPerCycle = 10;
constexpr int kMostOutputs = 4;     ///< of a tile in each direction; larger ones lose digits
constexpr double kLeastGain = 1.3;  ///< for which another algorithm is taken
constexpr const char* kAsWritten = "computed as it is written";

double tiles_along(std::int64_t extent, int outputs) {
  const std::int64_t tiles = (extent + outputs - 1) / outputs;
  return static_cast<double>(tiles);
}

double cycles_of_weights(double bytes, const Target& target) {
  const auto near = static_cast<double>(memory_planner::caches_of(target).second_bytes);
  return bytes > near / 2 ? bytes / kBytesPerCycle : 0;
}

/// The tile that the model finds fastest.
int best_outputs(const PlaneConvolution& sizes, DType type, const Target& target) {
  int best = kMostOutputs;
  for (int outputs = kMostOutputs - 1; outputs >= 2; --outputs) {
    if (winograd_cycles(sizes, outputs, type, target) <
        winograd_cycles(sizes, best, type, target)) {
      best = outputs;
    }
  }
  return best;
}

std::string in_words(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f", number);
  return text;
}

/// All that outputs are computed from, in the order in which it is found.
void collect(const Tensor& tensor, std::set<Tensor>& seen, std::vector<Tensor>& out) {
  if (!seen.insert(tensor).second) return;
  for (const Tensor& read : dsl::inputs_of(tensor)) collect(read, seen, out);
  out.push_back(tensor);
}

std::vector<Tensor> all_of(const std::vector<Tensor>& outputs) {
  std::set<Tensor> seen;
  std::vector<Tensor> out;
  for (const Tensor& tensor : outputs) collect(tensor, seen, out);
  return out;
}

struct Request {
  const Target& target;
  const std::set<std::string>& given;  ///< stages that another kernel computes
  SourceLoc where;
};

/// A convolution of 3 x 3 taps by minimal filtering, where that is faster, else null. `remark` says
/// why, of convolutions alone.
Tensor another_algorithm(const Tensor& tensor, const Request& request,
                         std::optional<Remark>& remark) {
  const auto& [target, given, where] = request;
  auto found = dsl::plane_convolution_of(tensor);
  auto* const sizes = std::get_if<PlaneConvolution>(&found);
  if (sizes == nullptr || sizes->taps != 3) return nullptr;
  remark = Remark{"fast_math for '" + tensor->name + "'", kAsWritten, "", where};
  if (given.count(tensor->name + "_U") != 0) sizes->has_known_weights = true;
  const auto lanes = static_cast<std::int64_t>(target.lanes(tensor->type));
  if (!sizes->has_channels_innermost || sizes->channels % lanes != 0 ||
      sizes->filters % lanes != 0) {
    remark->why = "minimal filtering wants channels and filters innermost, in whole vectors";
    return nullptr;
  }
  const double direct = direct_cycles(*sizes, tensor->type, target);
  const int outputs = best_outputs(*sizes, tensor->type, target);
  const double filtered = winograd_cycles(*sizes, outputs, tensor->type, target);
  const std::string size = std::to_string(outputs) + "x" + std::to_string(outputs);
  const std::string name = "minimal filtering F(" + size + ", 3x3)";
  const std::string costs =
      in_words(filtered) + " cycles by the model (as it is written " + in_words(direct) + ")";
  if (filtered * kLeastGain > direct) {
    remark->why = name + " would take " + costs;
    return nullptr;
  }
  Tensor out = dsl::winograd(tensor, outputs, where);
  remark->verdict = name;
  remark->why = costs + "; rounding errors are at most " + in_words(out->winograd->amplification) +
                " times those of the sum as it is written";
  return out;
}

/// Decides on one more tensor; false when none is left.
bool exchange_next(ExchangedAlgorithms& out, std::set<std::string>& decided,
                   const Request& request) {
  const std::vector<Tensor> tensors = all_of(out.outputs);
  const auto next = std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& tensor) {
    return decided.insert(tensor->name).second;
  });
  if (next == tensors.end()) return false;
  std::optional<Remark> remark;
  Tensor other = another_algorithm(*next, request, remark);
  if (other == nullptr) {
    other = dsl::without_zero_products(*next, request.where);
    if (other != nullptr) {
      if (remark) out.remarks.push_back(*std::move(remark));
      remark = Remark{"fast_math for '" + (*next)->name + "'", "products with 0 are left out",
                      "a factor is chosen to be 0; of infinities and NaN they would be NaN",
                      request.where};
    }
  }
  if (other != nullptr) {
    if (auto made = dsl::exchange(out.outputs, {{*next, other}})) {
      out.outputs = *std::move(made);
    } else {
      remark->verdict = kAsWritten;
      remark->why = "a recurrence or an update reads it";
    }
  }
  if (remark) out.remarks.push_back(*std::move(remark));
  return true;
}

}  // namespace

double direct_cycles(const PlaneConvolution& c, DType type, const Target& target) {
  const auto terms = static_cast<double>(c.rows * c.columns * c.taps * c.taps * c.channels);
  const auto weights = static_cast<double>(c.channels * c.filters * c.taps * c.taps);
  return terms * static_cast<double>(c.filters * c.others) / kProductsPerCycle /
             target.lanes(type) +
         cycles_of_weights(weights * size_bytes(type), target);
}

double winograd_cycles(const PlaneConvolution& c, int outputs, DType type, const Target& target) {
  const double lanes = target.lanes(type);
  const double points = (outputs + c.taps - 1) * (outputs + c.taps - 1);
  const double tiles = tiles_along(c.rows, outputs) * tiles_along(c.columns, outputs) *
                       static_cast<double>(c.others);
  const auto channels = static_cast<double>(c.channels);
  const auto filters = static_cast<double>(c.filters);
  const double weights = points * channels * filters;
  double out = tiles * weights / kProductsPerCycle / lanes / kReached;
  out += tiles * points * (channels * kInputCycles + filters * kOutputCycles) / lanes;
  out += cycles_of_weights(weights * size_bytes(type), target);
  if (!c.has_known_weights) out += weights * kFilterCycles / lanes;
  return out;
}

ExchangedAlgorithms exchange_algorithms(const std::vector<Tensor>& outputs, const Target& target,
                                        const std::set<std::string>& given,
                                        const SourceLoc& where) {
  ExchangedAlgorithms out{outputs, {}, {}};
  if (!target.vector || target.scratchpad_or_null() != nullptr) return out;
  // What reads an exchanged tensor is made anew, so the next one is looked for among what is there.
  std::set<std::string> decided;
  while (exchange_next(out, decided, {target, given, where})) {
  }
  std::map<std::string, Tensor> by_name;
  for (const Tensor& tensor : all_of(out.outputs)) by_name[tensor->name] = tensor;
  for (const Tensor& tensor : all_of(outputs)) {
    // Weights that are known are used up by what they were transformed to.
    const auto other = by_name.find(tensor->name);
    if (other != by_name.end() && other->second != tensor) out.by[tensor] = other->second;
  }
  return out;
}

}  // namespace solway::driver
