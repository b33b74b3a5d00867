#pragma once

#include <isl/cpp.h>

namespace solway::schedule {

/// The same order with fewer columns: those that hold one constant for all instances are dropped.
/// `time` is { S[i] -> [t] } with one width; what isl does with it grows with its columns.
isl::union_map compact_time(const isl::union_map& time);

}  // namespace solway::schedule
