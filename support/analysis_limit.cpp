#include "support/analysis_limit.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <ctime>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>
#include <utility>

#include <unistd.h>

namespace solway {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kDefaultSeconds = 20;

thread_local std::optional<double> own_seconds;
thread_local AnalysisLimit* innermost_limit = nullptr;
/// Seconds of the last scope when the clock ended it; 0 when it did not.
thread_local double ended_after_seconds = 0;

double seconds_on(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double thread_seconds() { return seconds_on(CLOCK_THREAD_CPUTIME_ID); }

/// One thread that watches the clocks of all others.
class Watchdog {
 public:
  /// Gives `ctx` its operations, until the calling thread's clock shows `end_seconds`.
  void start(isl_ctx* ctx, unsigned long operations, double end_seconds, SetOperations set) {
    Scope scope;
    scope.set = set;
    pthread_getcpuclockid(pthread_self(), &scope.clock);
    scope.end_seconds = end_seconds;
    scope.look_at = after(end_seconds - thread_seconds());
    const std::lock_guard<std::mutex> lock(mutex_);
    set(ctx, operations);
    const bool nearest = scope.look_at < earliest();
    scopes_[ctx] = scope;
    if (!running_) {
      std::thread([this] { watch(); }).detach();
      running_ = true;
    } else if (nearest) {
      changed_.notify_one();
    }
  }

  /// Whether the time of the scope was over.
  bool stop(isl_ctx* ctx) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto scope = scopes_.find(ctx);
    if (scope == scopes_.end()) return false;
    scope->second.set(ctx, 0);
    const bool over = scope->second.over;
    scopes_.erase(scope);
    return over;
  }

 private:
  struct Scope {
    SetOperations set = nullptr;
    clockid_t clock{};  ///< of the thread that works
    double end_seconds = 0;
    Clock::time_point look_at;  ///< the clock cannot show the end before
    bool over = false;
  };

  static Clock::time_point after(double seconds) {
    constexpr double kShortest = 0.001;
    constexpr double kLongest = 1e6;  // the clock counts nanoseconds in 64 bits
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                              std::clamp(seconds, kShortest, kLongest)));
  }

  Clock::time_point earliest() const {
    Clock::time_point out = Clock::time_point::max();
    for (const auto& [ctx, scope] : scopes_) {
      if (!scope.over) out = std::min(out, scope.look_at);
    }
    return out;
  }

  void watch() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      const Clock::time_point next = earliest();
      if (next == Clock::time_point::max()) {
        changed_.wait(lock);
      } else {
        changed_.wait_until(lock, next);
      }
      for (auto& [ctx, scope] : scopes_) {
        if (!scope.over && Clock::now() >= scope.look_at) look(ctx, scope);
      }
    }
  }

  static void look(isl_ctx* ctx, Scope& scope) {
    const double left = scope.end_seconds - seconds_on(scope.clock);
    scope.over = left <= 0;
    if (scope.over) {
      scope.set(ctx, 1);
    } else {
      scope.look_at = after(left);
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<isl_ctx*, Scope> scopes_;
  bool running_ = false;
};

/// Lives to the end of the process, because its thread does; a forked process gets its own.
Watchdog& watchdog() {
  static std::mutex mutex;
  static Watchdog* shared = nullptr;
  static pid_t owner = 0;
  const std::lock_guard<std::mutex> lock(mutex);
  if (owner != getpid()) {
    shared = new Watchdog;
    owner = getpid();
  }
  return *shared;
}

}  // namespace

double analysis_seconds() {
  if (own_seconds) return *own_seconds;
  const char* const text = std::getenv("SOLWAY_ANALYSIS_SECONDS");
  if (text == nullptr) return kDefaultSeconds;
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  const bool is_number = end != text && *end == '\0' && seconds > 0;
  return is_number ? seconds : kDefaultSeconds;
}

std::optional<double> exchange_analysis_seconds(std::optional<double> seconds) {
  return std::exchange(own_seconds, seconds);
}

AnalysisLimit::AnalysisLimit(unsigned long max_operations, double seconds)
    : max_operations_(max_operations),
      end_seconds_(thread_seconds() + seconds),
      outer_(innermost_limit) {
  innermost_limit = this;
}

AnalysisLimit::~AnalysisLimit() { innermost_limit = outer_; }

bool AnalysisLimit::is_over() const { return thread_seconds() >= end_seconds_; }

void start_clock(isl_ctx* ctx, unsigned long max_operations, SetOperations set) {
  double end_seconds = thread_seconds() + analysis_seconds();
  if (innermost_limit != nullptr) {
    const unsigned long most = innermost_limit->max_operations_;
    max_operations = max_operations == 0 ? most : std::min(max_operations, most);
    end_seconds = std::min(end_seconds, innermost_limit->end_seconds_);
  }
  watchdog().start(ctx, max_operations, end_seconds, set);
}

void stop_clock(isl_ctx* ctx) noexcept {
  ended_after_seconds = watchdog().stop(ctx) ? analysis_seconds() : 0;
}

std::string exhausted_bound(unsigned long max_operations) {
  if (ended_after_seconds == 0) return std::to_string(max_operations) + " operations";
  std::ostringstream out;
  out << ended_after_seconds << " s of processor time (SOLWAY_ANALYSIS_SECONDS)";
  return out.str();
}

}  // namespace solway
