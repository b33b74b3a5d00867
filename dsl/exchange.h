#pragma once

#include <map>
#include <optional>
#include <vector>

#include "dsl/tensor.h"

namespace solway::dsl {

/// `outputs` with tensors exchanged for others of the same shape and type: what reads them,
/// directly or not, is made anew with the same names and axes. nullopt when a recurrence, an update
/// or one of several values of a stage would have to be.
std::optional<std::vector<Tensor>> exchange(const std::vector<Tensor>& outputs,
                                            const std::map<Tensor, Tensor>& by);

}  // namespace solway::dsl
