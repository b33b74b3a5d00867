#include "driver/form_choice.h"

#include <utility>

namespace solway::driver {
namespace {

double gain_of(const memory_planner::Decision& decision) {
  return decision.instead_cycles - decision.cycles;
}

}  // namespace

std::optional<CheapestForm> cheapest_form(std::size_t count, const WeighForm& weigh,
                                          double worthwhile) {
  std::optional<CheapestForm> best;
  for (std::size_t k = 0; k < count; ++k) {
    auto decision = weigh(k);
    if (!decision || (best && gain_of(*decision) <= gain_of(best->decision))) continue;
    best = CheapestForm{k, false, *std::move(decision)};
  }
  if (!best) return std::nullopt;
  memory_planner::Decision& decision = best->decision;
  best->pays = decision.cycles <= worthwhile * decision.instead_cycles;
  if (!best->pays) {
    std::swap(decision.chosen, decision.instead);
    std::swap(decision.cycles, decision.instead_cycles);
  }
  return best;
}

}  // namespace solway::driver
