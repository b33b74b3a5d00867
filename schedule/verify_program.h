#pragma once

#include "schedule/program.h"

namespace solway::schedule {

/// Checks that the parts of a program agree with each other and with the program that it was made
/// from: statements that are no transfers keep kind, domain, body and group, or have those of their
/// origin; an access is what its index expression says; a transfer moves exactly the box of its
/// corner and counts, both of its statements the same. Legality is proved on relations, code is
/// made from expressions: this makes them one. Throws InternalError.
void verify_program(const Program& original, const Program& program);

}  // namespace solway::schedule
