#pragma once

#include <cstdint>
#include <memory>

#include "runtime/team.h"

/// The threads of this process that run kernels: made by the first call that needs them, and kept.
namespace solway::runtime {

/// The most threads of one team.
inline constexpr int kMaxThreads = 1024;

/// The calling thread and resident workers, as one team, until the end of the scope.
///
/// A team of one has no workers, and none are made for it. Workers are pinned to a physical core
/// each, of those that the thread that made them may run on, and away from the core on which the
/// caller is; beyond the number of these cores they are not pinned. The caller is never moved. A
/// worker belongs to one team at a time. While all are lent, a process gets more of them only as
/// long as it has fewer than its cores, or fewer than a call asks for: a team may thus be smaller
/// than asked for, which changes no result of a kernel. After fork() the child makes its own.
///
/// A task may throw: run() passes on what the lowest thread threw. It must not do so where another
/// thread waits for it in a barrier.
class TeamLease {
 public:
  /// Requires 1 <= threads <= kMaxThreads.
  explicit TeamLease(int threads);
  ~TeamLease();
  TeamLease(const TeamLease&) = delete;
  TeamLease& operator=(const TeamLease&) = delete;

  Team* team();
  int threads() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Workers that this process has.
int resident_workers();

}  // namespace solway::runtime
