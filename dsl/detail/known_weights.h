#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dsl/detail/plane_form.h"
#include "dsl/minimal_filtering.h"

namespace solway::dsl::detail {

/// How filters lie in C_U of winograd.h: of form.filters[split], `in_panel` iterations and all
/// later axes lie innermost; the panels, and the axes before, outermost.
struct FilterPanels {
  std::size_t split = 0;
  std::int64_t in_panel = 1;
};

/// C_U as a constant: G W G^T in float64, rounded once. nullopt when W is no element of a constant
/// of the result's type by an index that is linear.
std::optional<Tensor> known_weights(const PlaneForm& form, const MinimalFiltering& filtering,
                                    const FilterPanels& panels, const std::string& name,
                                    const SourceLoc& where);

}  // namespace solway::dsl::detail
