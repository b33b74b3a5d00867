#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "emulator/worker/detail/abi.h"
#include "emulator/worker/detail/fiber.h"

namespace solway::emulator {

class CoreGroup;

/// A thread of the MPE program. The first one is the caller of the entry; those that pthread_create
/// makes are fibers that run until they wait for something.
struct MpeThread {
  int number = 0;
  unsigned thread = 0;         ///< in vector clocks
  CoreGroup* group = nullptr;  ///< whose CPEs it starts; null: none yet
  bool has_init = false;       ///< it has called athread_init
  Object* frames = nullptr;    ///< automatic variables, newest first
  const Site* site = nullptr;  ///< the call that runs, while switched away
  std::uint64_t readings = 0;  ///< of the cycle counter
  std::int64_t ticks = 0;      ///< its clock while it is switched away

  // Of those that were created.
  Fiber fiber;
  char* stack = nullptr;
  void* (*function)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  const Site* created = nullptr;
  bool has_ended = false;
  bool is_awaited = false;         ///< another thread is in pthread_join for it
  std::function<bool()> can_go;    ///< what it waits for; empty: nothing
  std::string reason = {};         ///< "waits in athread_join for CPEs"
  const Site* waits_at = nullptr;  ///< the call in which it does
};

}  // namespace solway::emulator
