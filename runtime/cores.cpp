#include "runtime/cores.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <string>

#include "runtime/cpu_quota.h"

#include <sched.h>

namespace solway::runtime {
namespace {

/// The logical processors of the calling thread's affinity mask.
std::vector<int> usable_processors() {
  std::vector<int> out;
  for (std::size_t count = 1024; count <= (std::size_t{1} << 20); count *= 2) {
    cpu_set_t* const mask = CPU_ALLOC(count);
    const std::size_t bytes = CPU_ALLOC_SIZE(count);
    const bool is_known = mask != nullptr && sched_getaffinity(0, bytes, mask) == 0;
    for (std::size_t cpu = 0; is_known && cpu < count; ++cpu) {
      if (CPU_ISSET_S(cpu, bytes, mask)) out.push_back(static_cast<int>(cpu));
    }
    CPU_FREE(mask);
    if (is_known) break;  // else the mask of this machine is longer
  }
  if (out.empty()) out.push_back(std::max(0, sched_getcpu()));
  return out;
}

/// What the processors of one physical core have in common; its own number where Linux tells
/// nothing.
std::string core_of(int processor) {
  const std::string name = std::to_string(processor);
  std::ifstream file("/sys/devices/system/cpu/cpu" + name + "/topology/thread_siblings_list");
  std::string siblings;
  return std::getline(file, siblings) && !siblings.empty() ? siblings : name;
}

/// What OMP_NUM_THREADS says for the outermost level; 0: nothing.
int openmp_threads() {
  const char* const text = std::getenv("OMP_NUM_THREADS");
  if (text == nullptr) return 0;
  int threads = 0;
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), threads);
  const bool is_number = error == std::errc{} && (*end == '\0' || *end == ',');
  return is_number && threads > 0 ? threads : 0;
}

}  // namespace

std::vector<int> usable_cores() {
  std::set<std::string> seen;
  std::vector<int> out;
  for (const int processor : usable_processors()) {
    if (seen.insert(core_of(processor)).second) out.push_back(processor);
  }
  return out;
}

int default_threads() {
  static const int kThreads = [] {
    int threads = static_cast<int>(usable_cores().size());
    for (const int limit : {openmp_threads(), cpu_quota()}) {
      if (limit != 0) threads = std::min(threads, limit);
    }
    return threads;
  }();
  return kThreads;
}

}  // namespace solway::runtime
