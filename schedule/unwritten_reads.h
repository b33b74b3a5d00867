#pragma once

#include <isl/cpp.h>

namespace solway::schedule {

/// Whether an instance of `reads` reads an element that none of `writes` wrote before it, both
/// { S[i] -> T[element] }; `time` is { S[i] -> [t] }. What an instance writes itself is later than
/// what it reads.
bool has_unwritten_reads(const isl::union_map& reads, const isl::union_map& writes,
                         const isl::union_map& time);

}  // namespace solway::schedule
