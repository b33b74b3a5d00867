#pragma once

#include <string>
#include <utility>
#include <vector>

namespace solway::emulator {

class CoreGroup;
struct SharedState;

/// Names and addresses of what a kernel's object file may refer to: hooks of the instrumentation,
/// the athread interface, and the C functions that the emulator watches.
std::vector<std::pair<std::string, void*>> hook_symbols();

/// The variables that instrumented code shares with the runtime.
SharedState& shared_state();

/// Makes `group` the machine that the hooks act on.
void set_machine(CoreGroup* group);

}  // namespace solway::emulator
