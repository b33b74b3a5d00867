#include "runtime/cpu_quota.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace solway::runtime {
namespace {

namespace fs = std::filesystem;

std::string line_of(const fs::path& file) {
  std::string line;
  std::getline(std::ifstream(file) >> std::ws, line);
  return line;
}

std::optional<std::int64_t> number(const std::string& text) {
  std::istringstream stream(text);
  std::int64_t out = 0;
  return stream >> out ? std::optional(out) : std::nullopt;
}

/// Microseconds of time in each period.
struct Limit {
  std::optional<std::int64_t> quota, period;
};

/// "150000 100000" or "max 100000".
Limit limit_of_version_2(const fs::path& group) {
  std::istringstream words(line_of(group / "cpu.max"));
  std::string quota, period;
  words >> quota >> period;
  return {number(quota), number(period)};
}

Limit limit_of_version_1(const fs::path& group) {
  return {number(line_of(group / "cpu.cfs_quota_us")),
          number(line_of(group / "cpu.cfs_period_us"))};
}

/// The least of a group and of all around it, up to where groups are mounted: a container that sees
/// no other groups is at the root of what it sees, whatever the path says.
int least(const fs::path& mount, fs::path group, Limit (*limit_of)(const fs::path&)) {
  std::int64_t out = 0;
  for (;; group = group.parent_path()) {
    const Limit limit = limit_of(mount / group);
    if (limit.quota.value_or(-1) > 0 && limit.period.value_or(-1) > 0) {
      const std::int64_t whole = std::max<std::int64_t>(1, *limit.quota / *limit.period);
      out = out == 0 ? whole : std::min(out, whole);
    }
    if (group.empty()) break;
  }
  return static_cast<int>(std::min<std::int64_t>(out, 1 << 20));
}

/// "4:cpu,cpuacct:/a/b": whether the middle names the controller, alone or among others.
bool has_controller(const std::string& names, const std::string& name) {
  return ("," + names + ",").find("," + name + ",") != std::string::npos;
}

}  // namespace

int cpu_quota(const fs::path& root) {
  std::ifstream groups(root / "proc/self/cgroup");
  const fs::path mount = root / "sys/fs/cgroup";
  int out = 0;
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string names = line.substr(first + 1, second - first - 1);
    const fs::path group = fs::path(line.substr(second + 1)).relative_path().lexically_normal();
    int found = 0;
    if (names.empty()) {
      found = least(mount, group, limit_of_version_2);
    } else if (has_controller(names, "cpu")) {
      found = least(mount / "cpu", group, limit_of_version_1);
    }
    if (found != 0) out = out == 0 ? found : std::min(out, found);
  }
  return out;
}

}  // namespace solway::runtime
