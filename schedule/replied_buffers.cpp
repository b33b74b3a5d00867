#include "schedule/replied_buffers.h"

#include <algorithm>
#include <map>

#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// { T[element] -> B[cell] } by position: { S[position] -> [T[element] -> B[cell]] }, S unnamed.
isl::map cells_of(const Copy& copy) {
  return isl_ext::with_tuple_name(copy.storage.curry(), isl_ext::Dim::Domain, "");
}

/// What moves data into a buffer.
struct Filling {
  const Copy* issue = nullptr;
  const Copy* complete = nullptr;
  bool is_alone = true;  ///< nothing else writes the buffer
};

}  // namespace

std::set<std::string> replied_buffers(const Program& program) {
  std::map<std::string, Filling> fillings;
  for (const auto& [name, s] : program.statements) {
    for (const Write& write : s.writes) {
      Filling& filling = fillings[isl_ext::tuple_name(write.relation, isl_ext::Dim::Range)];
      const bool is_get = s.copy && s.copy->direction == CopyDirection::Get;
      const Copy*& own = s.kind == StatementKind::Issue ? filling.issue : filling.complete;
      if (is_get && own == nullptr) {
        own = &*s.copy;
      } else {
        filling.is_alone = false;
      }
    }
  }
  std::set<std::string> out;
  for (const auto& [buffer, filling] : fillings) {
    const bool is_one = filling.is_alone && filling.issue != nullptr &&
                        filling.complete != nullptr &&
                        filling.issue->transfer == filling.complete->transfer;
    if (is_one && cells_of(*filling.issue).is_equal(cells_of(*filling.complete))) {
      out.insert(buffer);
    }
  }
  return out;
}

}  // namespace solway::schedule
