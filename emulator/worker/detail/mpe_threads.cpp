/// Threads of the MPE: who creates, joins and waits for whom.
#include <algorithm>
#include <bit>

#include "emulator/worker/detail/machine.h"

#include <sys/mman.h>

namespace solway::emulator {
namespace {

constexpr std::size_t kMpeStackBytes = std::size_t{8} << 20;
constexpr int kMostMpeThreads = 64;

}  // namespace

std::string Machine::name_of(const MpeThread& thread) const {
  return thread.number == 0 ? "the MPE" : "thread " + std::to_string(thread.number) + " of the MPE";
}

CoreGroup& Machine::mpe_group(const char* call) {
  if (mpe_->group != nullptr) return *mpe_->group;
  fault("not_initialised", shared_.site, std::string(call) + " without athread_init",
        "each thread of the MPE that uses CPEs calls athread_init itself",
        "call athread_init() in the thread first");
}

void Machine::init_mpe() {
  if (!mpe_->has_init) {
    if (mpe_->group == nullptr || is_worked_with(*mpe_->group)) mpe_->group = &free_group();
    // What a thread before has left there is gone.
    if (mpe_->number != 0) mpe_->group->reload();
    mpe_->has_init = true;
  }
  mpe_->group->init();
}

bool Machine::is_worked_with(const CoreGroup& group) const {
  return std::any_of(mpe_threads_.begin(), mpe_threads_.end(), [&](const auto& thread) {
    return thread != nullptr && thread.get() != mpe_ && thread->has_init && thread->group == &group;
  });
}

CoreGroup& Machine::free_group() {
  for (int number = 0; number < options_.groups; ++number) {
    if (!is_worked_with(group(number))) return group(number);
  }
  // The first thread shares its own one while it starts nothing there.
  const MpeThread& first = *mpe_threads_.front();
  const auto shares = [&](const auto& thread) {
    return thread != nullptr && thread->number != 0 && thread->group == first.group;
  };
  if (first.group->started() == 0 && &first != mpe_ &&
      std::none_of(mpe_threads_.begin(), mpe_threads_.end(), shares)) {
    return *first.group;
  }
  fail({.kind = "program",
        .where = shared_.site,
        .what = "athread_init on " + name_of(*mpe_) + ", and no core group is free",
        .why = "the machine has " + std::to_string(options_.groups) +
               " core groups, and each works for one thread of the MPE until that ends",
        .fix = "join a thread before the next one uses CPEs, or create fewer"});
}

void Machine::resume(MpeThread& thread) {
  MpeThread* const caller = mpe_;
  caller->site = shared_.site;
  caller->ticks = shared_.ticks;
  mpe_ = &thread;
  shared_.site = thread.site;
  shared_.ticks = thread.ticks;
  thread.can_go = nullptr;
  thread.fiber.resume();
  thread.site = shared_.site;
  thread.ticks = shared_.ticks;
  mpe_ = caller;
  shared_.site = caller->site;
  shared_.ticks = caller->ticks;
}

bool Machine::is_runnable(const MpeThread& thread) {
  if (thread.number == 0 || thread.has_ended) return false;
  return !thread.can_go || thread.can_go();
}

bool Machine::run_mpe_threads() {
  // A thread may create others.
  std::vector<MpeThread*> order;
  for (const auto& thread : mpe_threads_) {
    if (thread != nullptr && is_runnable(*thread)) order.push_back(thread.get());
  }
  if (options_.seed != 0) std::shuffle(order.begin(), order.end(), random_);
  for (MpeThread* const thread : order) {
    if (is_runnable(*thread)) resume(*thread);
  }
  return !order.empty();
}

void Machine::wait_on_mpe(const char* call, const std::string& what,
                          const std::function<bool()>& can_go) {
  if (mpe_->number == 0) {
    // All others go on as far as they can.
    run_ready();
    if (!can_go()) report_deadlock(call);
    return;
  }
  if (can_go()) return;
  mpe_->can_go = can_go;
  mpe_->reason = std::string("waits in ") + call + what;
  mpe_->waits_at = shared_.site;
  mpe_->fiber.suspend();
}

void Machine::run_mpe_fiber() {
  Machine& machine = of_fibers();
  MpeThread& self = *machine.mpe_;
  self.result = self.function(self.argument);
  machine.end_mpe_thread();
}

int Machine::create_mpe_thread(void* (*function)(void*), void* argument) {
  std::size_t number = 1;
  while (number < mpe_threads_.size() && mpe_threads_[number] != nullptr) ++number;
  if (number > kMostMpeThreads) {
    fail({.kind = "unsupported",
          .where = shared_.site,
          .what = "pthread_create of more than " + std::to_string(kMostMpeThreads) + " threads",
          .why = "so many are there that nobody has joined",
          .fix = "join threads before creating others"});
  }
  if (number == mpe_threads_.size()) mpe_threads_.emplace_back();
  auto thread = std::make_unique<MpeThread>();
  thread->number = static_cast<int>(number);
  thread->thread = mpe_thread(thread->number);
  thread->function = function;
  thread->argument = argument;
  thread->created = shared_.site;
  thread->ticks = shared_.ticks;
  void* const stack = mmap(nullptr, kMpeStackBytes + kGuardBytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED) fail_internal("the stack of an MPE thread could not be mapped", "");
  mprotect(stack, kGuardBytes, PROT_NONE);
  thread->stack = static_cast<char*>(stack);
  thread->fiber.start(thread->stack + kGuardBytes, kMpeStackBytes, &Machine::run_mpe_fiber);
  if (hazards_ != nullptr) hazards_->created(mpe_->thread, thread->thread);
  mpe_threads_[number] = std::move(thread);
  return static_cast<int>(number);
}

void Machine::end_mpe_thread() {
  MpeThread& self = *mpe_;
  if (self.group != nullptr && self.group->started() != 0) {
    const Task& task = self.group->cpe(std::countr_zero(self.group->started())).task;
    fault("missing_join", task.started, "a thread of the MPE ends while its CPE functions run",
          "this spawn was not joined",
          std::string("call ") + task.joined_by + "() before the thread ends");
  }
  self.group = nullptr;
  self.has_ended = true;
}

void* Machine::join_mpe_thread(int number) {
  const auto at = static_cast<std::size_t>(number);
  MpeThread* const thread =
      number >= 0 && at < mpe_threads_.size() ? mpe_threads_[at].get() : nullptr;
  if (thread == nullptr || number == 0 || thread == mpe_ || thread->is_awaited) {
    fail({.kind = "program",
          .where = shared_.site,
          .what = "pthread_join of a thread that cannot be joined",
          .why = thread == nullptr    ? "nobody has created it, or it has been joined before"
                 : thread->is_awaited ? "another thread waits for it already"
                                      : "it is the first thread of the program, or the caller",
          .fix = "join each thread that pthread_create made once"});
  }
  thread->is_awaited = true;
  wait_on_mpe("pthread_join", " for " + name_of(*thread), [thread] { return thread->has_ended; });
  shared_.ticks = std::max(shared_.ticks, thread->ticks);
  if (hazards_ != nullptr) hazards_->joined(mpe_->thread, thread->thread);
  void* const result = thread->result;
  munmap(thread->stack, kMpeStackBytes + kGuardBytes);
  mpe_threads_[at].reset();
  return result;
}

void Machine::exit_mpe_thread(void* result) {
  if (mpe_->number == 0) {
    fail({.kind = "unsupported",
          .where = shared_.site,
          .what = "pthread_exit on the first thread of the program",
          .why = "the entry of a kernel returns to its caller",
          .fix = "join the other threads and return"});
  }
  mpe_->result = result;
  end_mpe_thread();
  mpe_->fiber.suspend();
}

bool Machine::try_lock_mutex(std::uint64_t address) {
  Mutex& mutex = mutexes_[address];
  if (mutex.owner != nullptr) return false;
  mutex.owner = mpe_;
  shared_.ticks = std::max(shared_.ticks, mutex.opened);
  if (hazards_ != nullptr) hazards_->acquired(mpe_->thread, address);
  return true;
}

void Machine::lock_mutex(std::uint64_t address) {
  while (!try_lock_mutex(address)) {
    const Mutex& mutex = mutexes_[address];
    wait_on_mpe("pthread_mutex_lock", " for " + name_of(*mutex.owner) + ", which has the mutex",
                [&mutex] { return mutex.owner == nullptr; });
  }
}

void Machine::unlock_mutex(std::uint64_t address) {
  Mutex& mutex = mutexes_[address];
  if (mutex.owner != mpe_) {
    fail({.kind = "program",
          .where = shared_.site,
          .what = "pthread_mutex_unlock of a mutex that the thread has not locked",
          .why = mutex.owner == nullptr ? "it is open" : name_of(*mutex.owner) + " has locked it",
          .fix = "let the thread that has locked it unlock it"});
  }
  mutex.owner = nullptr;
  mutex.opened = shared_.ticks;
  if (hazards_ != nullptr) hazards_->released(mpe_->thread, address);
}

void Machine::init_barrier(std::uint64_t address, unsigned count) {
  mpe_barriers_[address] = {.count = count};
}

bool Machine::meet_mpe_threads(std::uint64_t address) {
  const auto found = mpe_barriers_.find(address);
  if (found == mpe_barriers_.end()) {
    fail({.kind = "program",
          .where = shared_.site,
          .what = "pthread_barrier_wait without pthread_barrier_init",
          .why = "nobody has said how many threads meet there",
          .fix = "call pthread_barrier_init first"});
  }
  MpeBarrier& barrier = found->second;
  barrier.last = std::max(barrier.last, shared_.ticks);
  barrier.members.push_back(mpe_->thread);
  if (barrier.members.size() == barrier.count) {
    if (hazards_ != nullptr) hazards_->met(barrier.members);
    barrier.members.clear();
    ++barrier.rounds;
    shared_.ticks = barrier.last;
    return true;
  }
  const std::uint64_t round = barrier.rounds;
  wait_on_mpe("pthread_barrier_wait", " for threads that do not come",
              [&barrier, round] { return barrier.rounds != round; });
  shared_.ticks = std::max(shared_.ticks, barrier.last);
  return false;
}

void Machine::require_threads_joined() {
  for (const auto& thread : mpe_threads_) {
    if (thread == nullptr || thread->number == 0) continue;
    fault("missing_join", thread->created, "the entry returns while a thread of the MPE is there",
          "it was created here and not joined", "call pthread_join() before the return");
  }
}

}  // namespace solway::emulator
