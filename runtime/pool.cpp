#include "runtime/pool.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <exception>
#include <iterator>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sched.h>

#if defined(__x86_64__)
#include <immintrin.h>
#else
#include <cfenv>
#endif

#include "runtime/cores.h"
#include "runtime/gate.h"

namespace solway::runtime {
namespace {

/// Apart by this much, what two cores write does not slow down one another: lines are fetched in
/// pairs.
constexpr std::size_t kApart = 128;

constexpr int kNoCore = -1;

/// How a thread rounds, and what it makes of denormal numbers: those of the caller hold for all.
class FloatMode {
 public:
#if defined(__x86_64__)
  void take() { word_ = _mm_getcsr() & ~kFlags; }
  void set() const {
    if ((_mm_getcsr() & ~kFlags) != word_) _mm_setcsr(word_);
  }

 private:
  static constexpr unsigned kFlags = 0x3F;  ///< what happened so far
  unsigned word_ = 0;
#else
  void take() { std::fegetenv(&environment_); }
  void set() const { std::fesetenv(&environment_); }

 private:
  std::fenv_t environment_{};
#endif
};

/// What a worker is given to do.
struct Job {
  TeamTask task = nullptr;
  void* context = nullptr;
  std::int64_t thread = 0;
  Team* team = nullptr;
  FloatMode floats;
  Wait wait = Wait::Spin;  ///< for the next job, afterwards

  std::int32_t status = 0;
  std::exception_ptr thrown;

  void run() noexcept {
    floats.set();
    try {
      status = task(context, thread, team);
    } catch (...) {
      thrown = std::current_exception();
    }
  }
};

/// A thread that sleeps until it gets a job. It lives as long as the process.
struct alignas(kApart) Worker {
  Gate begun;  ///< the number of jobs that it was given
  Job job;
  alignas(kApart) Gate ended;  ///< the number of jobs that it did
  pthread_t thread{};
  int core = kNoCore;  ///< the processor that it is pinned to

  [[noreturn]] void live() {
    Wait wait = Wait::Spin;
    for (std::uint32_t done = 0;; ++done) {
      begun.wait_while(done, wait);
      job.run();
      wait = job.wait;
      ended.set(done + 1);
    }
  }

  void pin(int processor) {
    const std::size_t count = static_cast<std::size_t>(processor) + 1;
    cpu_set_t* const mask = CPU_ALLOC(count);
    if (mask == nullptr) return;
    const std::size_t bytes = CPU_ALLOC_SIZE(count);
    CPU_ZERO_S(bytes, mask);
    CPU_SET_S(static_cast<std::size_t>(processor), bytes, mask);
    // Where the system refuses, the thread runs where it likes.
    if (pthread_setaffinity_np(thread, bytes, mask) == 0) core = processor;
    CPU_FREE(mask);
  }
};

/// Starts a worker that takes no signals: those are for the threads of the program. nullptr: the
/// system gives no more threads.
Worker* start_worker() {
  auto worker = std::make_unique<Worker>();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread thread([&own = *worker] { own.live(); });
    worker->thread = thread.native_handle();
    thread.detach();
  } catch (const std::system_error&) {
    worker.reset();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return worker.release();  // a thread of its own has it from now on
}

/// The workers of this process.
class Pool {
 public:
  Pool() : cores_(usable_cores()) {}

  /// The pool of this process; never ended, as its threads are not.
  static Pool& instance() {
    Pool* pool = present().load(std::memory_order_acquire);
    if (pool != nullptr) return *pool;
    static const int kOnce = pthread_atfork(nullptr, nullptr, [] {
      present().store(nullptr, std::memory_order_release);  // its threads stayed with the parent
    });
    (void)kOnce;
    auto made = std::make_unique<Pool>();
    if (present().compare_exchange_strong(pool, made.get(), std::memory_order_acq_rel)) {
      return *made.release();
    }
    return *pool;
  }

  static Pool* instance_or_null() { return present().load(std::memory_order_acquire); }

  /// Up to `count` workers that nobody else has until they are given back.
  std::vector<Worker*> lend(int count) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Worker*> out;
    const int most = std::max(static_cast<int>(cores_.size()) - 1, count);
    while (static_cast<int>(out.size()) < count) {
      if (idle_.empty()) {
        if (static_cast<int>(all_.size()) >= most) break;
        Worker* const made = start_worker();
        if (made == nullptr) break;
        all_.push_back(made);
        idle_.push_back(made);
      }
      out.push_back(take_idle());
    }
    place(out);
    return out;
  }

  void take_back(const std::vector<Worker*>& workers) {
    const std::lock_guard<std::mutex> lock(mutex_);
    // The next call of the same size gets the same workers for the same threads: their caches hold
    // its data.
    idle_.insert(idle_.end(), workers.rbegin(), workers.rend());
  }

  int size() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return static_cast<int>(all_.size());
  }

  std::size_t cores() const { return cores_.size(); }

 private:
  static std::atomic<Pool*>& present() {
    static std::atomic<Pool*> pool{nullptr};
    return pool;
  }

  /// The last one that was given back, of those that have a core if there are any: after a team of
  /// more threads than cores some have none.
  Worker* take_idle() {
    const auto has_core = [](const Worker* worker) { return worker->core != kNoCore; };
    auto at = std::find_if(idle_.rbegin(), idle_.rend(), has_core);
    if (at == idle_.rend()) at = idle_.rbegin();
    Worker* const out = *at;
    idle_.erase(std::next(at).base());
    return out;
  }

  /// Pins those that are on no core, and moves the one that is where the caller runs.
  void place(const std::vector<Worker*>& workers) {
    const int here = sched_getcpu();
    for (Worker* const worker : workers) {
      if (worker->core != kNoCore && worker->core != here) continue;
      for (const int core : cores_) {
        const auto has_it = [&](const Worker* other) { return other->core == core; };
        if (core == here || std::any_of(all_.begin(), all_.end(), has_it)) continue;
        worker->pin(core);
        break;
      }
    }
  }

  const std::vector<int> cores_;
  std::mutex mutex_;
  std::vector<Worker*> all_;
  std::vector<Worker*> idle_;
};

}  // namespace

/// A team, and what tasks do not know of it.
struct TeamLease::State : Team {
  std::vector<Worker*> workers;
  Pool* pool = nullptr;
  Wait wait = Wait::Spin;
  alignas(kApart) std::atomic<std::uint32_t> arrived{0};
  alignas(kApart) Gate round;

  static State& of(Team* team) { return *static_cast<State*>(team); }

  static std::int32_t run_alone(Team* team, TeamTask task, void* context) {
    return task(context, 0, team);
  }
  static void meet_nobody(Team* /*team*/) {}

  static std::int32_t run_on_all(Team* team, TeamTask task, void* context) {
    const State& own = of(team);
    FloatMode floats;
    floats.take();
    for (std::size_t k = 0; k < own.workers.size(); ++k) {
      Worker& worker = *own.workers[k];
      worker.job = {task, context, static_cast<std::int64_t>(k) + 1, team, floats, own.wait, 0, {}};
      worker.begun.set(worker.begun.value() + 1);
    }
    Job first{task, context, 0, team, floats, own.wait, 0, {}};
    first.run();
    std::int32_t status = first.status;
    std::exception_ptr thrown = first.thrown;
    for (Worker* const worker : own.workers) {
      worker->ended.wait_while(worker->begun.value() - 1, own.wait);
      if (thrown == nullptr) thrown = worker->job.thrown;
      worker->job.thrown = nullptr;
      if (status == 0) status = worker->job.status;
    }
    if (thrown != nullptr) std::rethrow_exception(thrown);
    return status;
  }

  static void meet(Team* team) {
    State& own = of(team);
    const std::uint32_t round = own.round.value();
    const std::uint32_t before = own.arrived.fetch_add(1, std::memory_order_acq_rel);
    if (before + 1 == static_cast<std::uint32_t>(own.threads)) {
      own.arrived.store(0, std::memory_order_relaxed);
      own.round.set(round + 1);
    } else {
      own.round.wait_while(round, own.wait);
    }
  }
};

TeamLease::TeamLease(int threads) : state_(std::make_unique<State>()) {
  if (threads > 1) {
    state_->pool = &Pool::instance();
    state_->workers = state_->pool->lend(threads - 1);
  }
  state_->threads = static_cast<std::int64_t>(state_->workers.size()) + 1;
  const bool is_alone = state_->workers.empty();
  state_->run = is_alone ? State::run_alone : State::run_on_all;
  state_->barrier = is_alone ? State::meet_nobody : State::meet;
  if (!is_alone && state_->workers.size() >= state_->pool->cores()) state_->wait = Wait::Sleep;
}

TeamLease::~TeamLease() {
  if (!state_->workers.empty()) state_->pool->take_back(state_->workers);
}

Team* TeamLease::team() { return state_.get(); }

int TeamLease::threads() const { return static_cast<int>(state_->threads); }

int resident_workers() {
  Pool* const pool = Pool::instance_or_null();
  return pool == nullptr ? 0 : pool->size();
}

}  // namespace solway::runtime
