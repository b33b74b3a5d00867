#include "driver/thread_count.h"

#include <charconv>
#include <cstdlib>
#include <string>

#include "runtime/cores.h"
#include "runtime/pool.h"
#include "support/error.h"

namespace solway::driver {

int threads_of_environment(const SourceLoc& where) {
  const char* const value = std::getenv("SOLWAY_THREADS");
  if (value == nullptr) return runtime::default_threads();
  const std::string text = value;
  int threads = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), threads);
  const bool is_number = error == std::errc{} && end == text.data() + text.size();
  if (is_number && threads >= 1 && threads <= runtime::kMaxThreads) return threads;
  throw ScheduleArgumentError(
      {where, "SOLWAY_THREADS is no number of threads", "got '" + text + "'",
       "set it to a number from 1 to " + std::to_string(runtime::kMaxThreads)});
}

int require_threads(int asked, const SourceLoc& where) {
  if (asked >= 1 && asked <= runtime::kMaxThreads) return asked;
  throw ScheduleArgumentError(
      {where, "threads=" + std::to_string(asked) + " is no number of threads",
       "a kernel runs on 1 to " + std::to_string(runtime::kMaxThreads) + " threads",
       "pass one of these, or leave it out for one thread per core"});
}

int threads_of_call(int asked, bool has_threads, const SourceLoc& where) {
  if (asked != 0) require_threads(asked, where);
  if (has_threads) return asked == 0 ? threads_of_environment(where) : asked;
  if (asked <= 1) return 1;
  throw UnsupportedError({where, "threads=" + std::to_string(asked) + " is not implemented",
                          "only kernels that are machine code of this machine have threads",
                          "leave it out, or build for target 'host'"});
}

}  // namespace solway::driver
