#pragma once

#include <string>

#include "schedule/program.h"
#include "schedule/request.h"

namespace solway::schedule {

/// What a user can do about a refused primitive when no changed call was found legal: another
/// argument of the same call, or leave it out. `place` says of a buffer which loops to pass as
/// `at=`: "a loop outside those of the reduction".
std::string general_fix(const Program& program, const Request& request, const std::string& place);

/// The same of a primitive that changes nothing but the order.
std::string general_order_fix(const Request& request);

/// What to do about a buffer that a core would use and another one fill, in parallel loop `loop`.
std::string private_buffer_fix(const Program& program, const std::string& array,
                               const std::string& loop);

}  // namespace solway::schedule
