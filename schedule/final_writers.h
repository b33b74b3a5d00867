#pragma once

#include <optional>
#include <string>

#include <isl/cpp.h>

#include "schedule/flow.h"

namespace solway::schedule {

/// Accesses of the virtual statements before or after the program, and all others.
struct AccessesByPhase {
  isl::union_map of_phase, others;
};

/// `is_virtual` is array_before_program or array_after_program.
AccessesByPhase by_phase(const isl::union_map& accesses,
                         std::optional<std::string> (*is_virtual)(const std::string&));

/// What wrote the elements of one array last that are read when the program is over, { reader ->
/// last writer }, of all `writes` to that array. That no element is written twice by the program,
/// but for the issue and the complete of one transfer, says it without a search for the last:
///
///   writes { [put_issue[o] -> C[i]] -> C[i] : 8o <= i < 8o + 8;  the same of put_complete;
///            before C[i] -> C[i] }, put_issue[o] before put_complete[o]
///   reads  { after C[i] -> C[i] }  gives  { after C[i] -> [put_complete[o] -> C[i]] : ... }
///
/// nullopt where it is not so, or a reader is not a virtual statement after the program.
std::optional<isl::union_map> final_writers(const ElementProgram& program,
                                            const isl::union_map& reads,
                                            const isl::union_map& writes);

}  // namespace solway::schedule
