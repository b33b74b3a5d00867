#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "driver/frontend/array_ref.h"
#include "driver/frontend/tensor.h"
#include "lowering/ir/stmt.h"
#include "support/source_loc.h"

/// What every call checks before code runs, and how sources are written. All throw
/// ArgumentMismatchError at `where`.
namespace solway::detail {

/// One array per argument.
void require_count(const std::string& name, const std::vector<ArrayRef>& arrays,
                   const std::vector<Tensor>& args, const SourceLoc& where);

/// The type of the tensor, `elements` of them, and not const where the code writes.
void require_fits(const ArrayRef& array, const Tensor& tensor, std::int64_t elements, ir::Role role,
                  const SourceLoc& where);

/// What is written shares no byte with another argument, but for an output that may be an input:
/// (output, input) of `shareable`.
void require_no_overlap(const std::vector<ArrayRef>& arrays, const std::vector<Tensor>& args,
                        const std::vector<ir::Role>& roles,
                        const std::vector<std::pair<std::size_t, std::size_t>>& shareable,
                        const SourceLoc& where);

/// Writes files by name into a folder, which is made if it is not there; their paths.
std::vector<std::string> write_sources(const std::map<std::string, std::string>& sources,
                                       const std::string& folder, const SourceLoc& where);

}  // namespace solway::detail
