#include "emulator/worker/detail/pthread_calls.h"

#include <array>
#include <cerrno>
#include <utility>

#include "emulator/worker/detail/mpe_calls.h"

#include <pthread.h>

namespace solway::emulator {
namespace {

/// Attributes of threads, mutexes and barriers are not emulated.
void require_no_attributes(const char* call, const void* attributes) {
  if (attributes == nullptr) return;
  fail({.kind = "unsupported",
        .where = shared_state().site,
        .what = std::string(call) + " with attributes cannot be emulated",
        .why = "threads, mutexes and barriers have their defaults here",
        .fix = "pass NULL for the attributes"});
}

/// The number of a thread, counted from 1, so that none is 0.
pthread_t handle_of(int number) { return static_cast<pthread_t>(number) + 1; }

int create(pthread_t* thread, const void* attributes, void* (*function)(void*), void* argument) {
  require_mpe("pthread_create");
  require_no_attributes("pthread_create", attributes);
  *thread = handle_of(machine().create_mpe_thread(function, argument));
  return 0;
}

int join(pthread_t thread, void** result) {
  require_mpe("pthread_join");
  void* const value = machine().join_mpe_thread(static_cast<int>(thread) - 1);
  if (result != nullptr) *result = value;
  return 0;
}

pthread_t self() {
  require_mpe("pthread_self");
  return handle_of(machine().mpe().number);
}

int equal(pthread_t a, pthread_t b) { return a == b ? 1 : 0; }

void exit_thread(void* result) {
  require_mpe("pthread_exit");
  machine().exit_mpe_thread(result);
}

int mutex_init(void*, const void* attributes) {
  require_mpe("pthread_mutex_init");
  require_no_attributes("pthread_mutex_init", attributes);
  return 0;
}

int mutex_destroy(void*) { return 0; }

int mutex_lock(void* mutex) {
  require_mpe("pthread_mutex_lock");
  machine().lock_mutex(as_number(mutex));
  return 0;
}

int mutex_trylock(void* mutex) {
  require_mpe("pthread_mutex_trylock");
  return machine().try_lock_mutex(as_number(mutex)) ? 0 : EBUSY;
}

int mutex_unlock(void* mutex) {
  require_mpe("pthread_mutex_unlock");
  machine().unlock_mutex(as_number(mutex));
  return 0;
}

int barrier_init(void* barrier, const void* attributes, unsigned count) {
  require_mpe("pthread_barrier_init");
  require_no_attributes("pthread_barrier_init", attributes);
  if (count == 0) return EINVAL;
  machine().init_barrier(as_number(barrier), count);
  return 0;
}

int barrier_destroy(void*) { return 0; }

int barrier_wait(void* barrier) {
  require_mpe("pthread_barrier_wait");
  return machine().meet_mpe_threads(as_number(barrier)) ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

Symbols emulated() {
  return {
      {"pthread_create", address_of(create)},
      {"pthread_join", address_of(join)},
      {"pthread_self", address_of(self)},
      {"pthread_equal", address_of(equal)},
      {"pthread_exit", address_of(exit_thread)},
      {"pthread_mutex_init", address_of(mutex_init)},
      {"pthread_mutex_destroy", address_of(mutex_destroy)},
      {"pthread_mutex_lock", address_of(mutex_lock)},
      {"pthread_mutex_trylock", address_of(mutex_trylock)},
      {"pthread_mutex_unlock", address_of(mutex_unlock)},
      {"pthread_barrier_init", address_of(barrier_init)},
      {"pthread_barrier_destroy", address_of(barrier_destroy)},
      {"pthread_barrier_wait", address_of(barrier_wait)},
  };
}

/// Those of the C library would act on the one thread that emulates all.
constexpr std::array kOthers = {"pthread_attr_destroy",
                                "pthread_attr_getdetachstate",
                                "pthread_attr_getstacksize",
                                "pthread_attr_init",
                                "pthread_attr_setdetachstate",
                                "pthread_attr_setschedparam",
                                "pthread_attr_setschedpolicy",
                                "pthread_attr_setscope",
                                "pthread_attr_setstacksize",
                                "pthread_barrierattr_destroy",
                                "pthread_barrierattr_init",
                                "pthread_barrierattr_setpshared",
                                "pthread_cancel",
                                "pthread_cond_broadcast",
                                "pthread_cond_destroy",
                                "pthread_cond_init",
                                "pthread_cond_signal",
                                "pthread_cond_timedwait",
                                "pthread_cond_wait",
                                "pthread_detach",
                                "pthread_getaffinity_np",
                                "pthread_getspecific",
                                "pthread_key_create",
                                "pthread_key_delete",
                                "pthread_kill",
                                "pthread_mutex_timedlock",
                                "pthread_mutexattr_destroy",
                                "pthread_mutexattr_init",
                                "pthread_mutexattr_settype",
                                "pthread_once",
                                "pthread_rwlock_destroy",
                                "pthread_rwlock_init",
                                "pthread_rwlock_rdlock",
                                "pthread_rwlock_tryrdlock",
                                "pthread_rwlock_trywrlock",
                                "pthread_rwlock_unlock",
                                "pthread_rwlock_wrlock",
                                "pthread_setaffinity_np",
                                "pthread_setspecific",
                                "pthread_spin_destroy",
                                "pthread_spin_init",
                                "pthread_spin_lock",
                                "pthread_spin_trylock",
                                "pthread_spin_unlock",
                                "pthread_testcancel",
                                "pthread_tryjoin_np",
                                "sem_destroy",
                                "sem_init",
                                "sem_post",
                                "sem_trywait",
                                "sem_wait"};

[[noreturn]] void refuse(const char* name) {
  std::string names;
  for (const auto& [known, address] : emulated()) names += (names.empty() ? "" : ", ") + known;
  fail({.kind = "unsupported",
        .where = shared_state().site,
        .what = std::string(name) + " cannot be emulated",
        .why = "of the functions on threads the emulator has " + names,
        .fix = "use one of these"});
}

template <std::size_t at>
int refuse_call() {
  refuse(kOthers[at]);
}

template <std::size_t... at>
void add_others(Symbols& symbols, std::index_sequence<at...>) {
  (symbols.emplace_back(kOthers[at], address_of(refuse_call<at>)), ...);
}

}  // namespace

Symbols pthread_symbols() {
  Symbols symbols = emulated();
  add_others(symbols, std::make_index_sequence<kOthers.size()>());
  return symbols;
}

}  // namespace solway::emulator
