#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "schedule/program.h"

namespace solway::lowering {

/// The memory of a constant, row-major in the shape of its array: its values, in the order that its
/// layout gives them. Places that no element has, the padding of a layout, are 0.
std::shared_ptr<const std::vector<std::byte>> constant_values(const schedule::Array& array);

}  // namespace solway::lowering
