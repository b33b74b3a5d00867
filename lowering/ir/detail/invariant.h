#pragma once

#include <string>
#include <utility>

#include "support/error.h"

namespace solway::ir::detail {

/// Throws the InternalError of a node that breaks its contract.
[[noreturn]] inline void fail(std::string what, std::string why, SourceLoc where = {}) {
  throw InternalError({std::move(where), std::move(what), std::move(why), ""});
}

}  // namespace solway::ir::detail
