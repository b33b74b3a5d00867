#pragma once

#include <vector>

namespace solway::runtime {

/// One logical processor of each physical core on which the calling thread may run, in ascending
/// order; never empty.
std::vector<int> usable_cores();

/// Threads that a kernel gets where nobody says how many: a thread per usable core, fewer where
/// OMP_NUM_THREADS or cpu_quota() says so. Looked up once per process.
int default_threads();

}  // namespace solway::runtime
