#pragma once

#include <set>
#include <string>

#include "schedule/program.h"

namespace solway::schedule {

/// The buffers of which replies tell who wrote a cell last before a get landed there: one get alone
/// writes them, its issue and its complete of a position the same cells. A cell then belongs to one
/// slot (verify_program sees to it that a transfer keeps elements in the slot that it says), and a
/// slot to one reply. So, between the issue and the complete of a position nothing else writes its
/// cells, if nothing else uses its reply; and this is found at the grain of iterations, of which
/// there are fewer than of elements.
std::set<std::string> replied_buffers(const Program& program);

}  // namespace solway::schedule
