#pragma once

#include <cstdint>

/// What generated code knows of threads. It stands alone, and is laid out as C does: code made for
/// one version of it calls through these three fields only.
namespace solway::runtime {

struct Team;

/// What one thread of a team runs: `thread` counts from 0, which is the caller. Returns 0, or what
/// the caller is to get.
using TeamTask = std::int32_t (*)(void* context, std::int64_t thread, Team* team);

/// Threads that run one task together.
struct Team {
  std::int64_t threads;
  /// Runs `task` once on each thread and waits for all. Returns 0, or what the lowest thread
  /// returned that returned something else.
  std::int32_t (*run)(Team* team, TeamTask task, void* context);
  /// Returns when all threads have called it; what each wrote before is there for all after. All
  /// must call it equally often.
  void (*barrier)(Team* team);
};

}  // namespace solway::runtime
