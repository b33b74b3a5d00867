#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "driver/frontend/tensor.h"

namespace solway::detail {

using SizeValues = std::map<std::string, std::int64_t>;

/// How many elements a tensor has with these sizes.
std::int64_t elements_of(const Tensor& tensor, const SizeValues& values);

/// The value of every size of a call: `given`, or what the number of elements of an argument tells.
/// Throws ArgumentMismatchError for a size that is out of its bounds, that `kernel` does not have,
/// or that nothing tells.
SizeValues size_values(const std::string& kernel, const std::vector<dsl::Size>& sizes,
                       const std::vector<Tensor>& args, const std::vector<std::int64_t>& counts,
                       const SizeValues& given, const SourceLoc& where);

}  // namespace solway::detail
