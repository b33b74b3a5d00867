#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "emulator/worker/detail/machine.h"

/// What a kernel's object file may refer to by name.
namespace solway::emulator {

using Symbols = std::vector<std::pair<std::string, void*>>;

/// Hooks of the instrumentation.
Symbols hook_symbols();

/// The variables that instrumented code shares with the runtime.
SharedState& shared_state();

/// Makes it the machine that all of these act on.
void set_machine(Machine* machine);
Machine& machine();

inline std::uint64_t as_number(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

template <typename Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace solway::emulator
