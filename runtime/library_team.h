#pragma once

/// Threads of a library that `kernel.save()` writes. This is C and stands alone: library_team.c is
/// compiled once, to LLVM IR, and codegen/llvm puts that into the library of each machine. What the
/// two declare of the C library has the same layout on all 64-bit Linux systems.

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// runtime::Team of team.h.
struct LibraryTeam {
  int64_t threads;
  int32_t (*run)(struct LibraryTeam* team,
                 int32_t (*task)(void* context, int64_t thread, struct LibraryTeam* team),
                 void* context);
  void (*barrier)(struct LibraryTeam* team);
};

/// Calls `entry` with a team: of as many threads as solway_library_set_threads() said, else as
/// SOLWAY_THREADS says, else as there are processors on which the process may run. The workers are
/// made by the first call that needs them, wait for work by spinning for a while, and are kept.
/// They take no signals. A call at the same time as another one, and one for which no threads can
/// be made, has a smaller team, perhaps of the caller alone. After fork() the child makes its own.
int32_t solway_library_call(int32_t (*entry)(void** arguments, struct LibraryTeam* team),
                            void** arguments);

/// At most so many threads run a call from now on, 1 to 1024; 0, and what is none of these: as if
/// it had never been called.
void solway_library_set_threads(int32_t threads);

#ifdef __cplusplus
}
#endif
