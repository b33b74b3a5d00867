#pragma once

#include <string>

#include "support/source_loc.h"

namespace solway::dsl::detail {

/// Throws DslError unless `name` is a letter or '_' followed by letters, digits or '_'. `role` is
/// what is named: "tensor" or "axis".
void require_identifier(const std::string& role, const std::string& name, const SourceLoc& where);

}  // namespace solway::dsl::detail
