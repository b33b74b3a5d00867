#pragma once

#include <string>

#include "support/detail/table_reader.h"
#include "support/target.h"

namespace solway::detail {

/// The memories that buffers can lie in, as errors list them.
std::string near_names(const Target& target);

/// A table [[transfer_engines]] of `target`, whose memories have been read.
TransferEngine read_engine(TableReader table, const Target& target);

}  // namespace solway::detail
