#pragma once

#include <filesystem>

namespace solway::runtime {

/// Whole processors' worth of time that the control groups of this process allow it, at least 1; 0:
/// they set no limit, or are not to be found. A container's `--cpus=2` is such a limit; the
/// affinity mask knows nothing of it.
///
/// Reads cpu.max of the process's group and of all around it (version 2), else cpu.cfs_quota_us and
/// cpu.cfs_period_us (version 1). `root` is for tests: below it stand /proc and /sys.
int cpu_quota(const std::filesystem::path& root = "/");

}  // namespace solway::runtime
