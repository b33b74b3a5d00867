#include "runtime/library_team.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Of the C library; its headers are those of one machine. Objects are larger than they need be, and
   all zeros is how they begin. */
typedef struct {
  _Alignas(16) char bytes[128];
} Opaque;
char* getenv(const char* name);
int getpid(void);
int pthread_cond_broadcast(void* condition);
int pthread_cond_wait(void* condition, void* mutex);
int pthread_create(unsigned long* thread, const void* attributes, void* (*run)(void*), void* given);
int pthread_detach(unsigned long thread);
int pthread_mutex_lock(void* mutex);
int pthread_mutex_unlock(void* mutex);
int pthread_sigmask(int how, const void* set, void* old);
int sched_getaffinity(int process, size_t bytes, void* mask);
int sigfillset(void* set);
enum { kSetMask = 2 /* SIG_SETMASK */, kMaskBytes = 8192 };

enum {
  kMaxThreads = 1024,
  /* How often a thread looks before it sleeps: some 50 us. */
  kLooks = 20000,
  /* The low bits of a round are the threads that run it. */
  kThreadBits = 16
};

typedef int32_t (*Task)(void* context, int64_t thread, struct LibraryTeam* team);
typedef _Atomic uint64_t Word;

static struct {
  _Atomic int32_t owner; /* the process in which a call has the workers; 0: none has */
  int32_t process;       /* in which the workers are */
  int64_t workers;
  uint64_t first_round[kMaxThreads]; /* what a new worker has not to run */
  _Atomic bool spins;

  struct LibraryTeam team;
  Task task;
  void* context;
  int32_t statuses[kMaxThreads];
  Word round;           /* changes when there is work */
  Word left;            /* workers that are not done with it */
  Word arrived, passed; /* threads at a barrier, and barriers that all have passed */

  Opaque mutex, changed;
  Word sleepers;
} pool;

static _Atomic int32_t asked_threads;

/* Either a thread that goes to sleep sees the change, or who changes sees the sleeper: all four
   accesses are sequentially consistent. */
static void wake(void) {
  if (atomic_load(&pool.sleepers) == 0) return;
  pthread_mutex_lock(&pool.mutex);
  pthread_cond_broadcast(&pool.changed);
  pthread_mutex_unlock(&pool.mutex);
}

static void wait_while(Word* word, uint64_t old) {
  for (int looks = atomic_load(&pool.spins) ? kLooks : 1; looks > 0; --looks) {
    if (atomic_load_explicit(word, memory_order_acquire) != old) return;
  }
  pthread_mutex_lock(&pool.mutex);
  atomic_fetch_add(&pool.sleepers, 1);
  while (atomic_load(word) == old) pthread_cond_wait(&pool.changed, &pool.mutex);
  atomic_fetch_sub(&pool.sleepers, 1);
  pthread_mutex_unlock(&pool.mutex);
}

static void* work(void* given) {
  const int64_t thread = (int64_t)(intptr_t)given;
  uint64_t seen = pool.first_round[thread];
  for (;;) {
    wait_while(&pool.round, seen);
    seen = atomic_load_explicit(&pool.round, memory_order_acquire);
    /* Who has no part may see the next round instead, and that he has none in it as well. */
    if (thread >= (int64_t)(seen & ((1U << kThreadBits) - 1))) continue;
    pool.statuses[thread] = pool.task(pool.context, thread, &pool.team);
    if (atomic_fetch_sub(&pool.left, 1) == 1) wake();
  }
  return NULL;
}

static int32_t run_together(struct LibraryTeam* team, Task task, void* context) {
  pool.task = task;
  pool.context = context;
  atomic_store(&pool.left, (uint64_t)(team->threads - 1));
  const uint64_t count = (atomic_load(&pool.round) >> kThreadBits) + 1;
  atomic_store(&pool.round, (count << kThreadBits) | (uint64_t)team->threads);
  wake();
  int32_t status = task(context, 0, team);
  for (uint64_t left; (left = atomic_load(&pool.left)) != 0;) wait_while(&pool.left, left);
  for (int64_t thread = 1; status == 0 && thread < team->threads; ++thread) {
    status = pool.statuses[thread];
  }
  return status;
}

static void wait_for_all(struct LibraryTeam* team) {
  const uint64_t passed = atomic_load(&pool.passed);
  if (atomic_fetch_add(&pool.arrived, 1) != (uint64_t)(team->threads - 1)) {
    wait_while(&pool.passed, passed);
    return;
  }
  atomic_store(&pool.arrived, 0);
  atomic_store(&pool.passed, passed + 1);
  wake();
}

static int32_t run_alone(struct LibraryTeam* team, Task task, void* context) {
  return task(context, 0, team);
}

static void wait_for_none(struct LibraryTeam* team) { (void)team; }

/* Looked up once. */
static int64_t processors(void) {
  static _Atomic int64_t known;
  int64_t out = atomic_load_explicit(&known, memory_order_relaxed);
  if (out != 0) return out;
  unsigned char mask[kMaskBytes] = {0};
  if (sched_getaffinity(0, sizeof mask, mask) < 0) return 1;
  for (size_t k = 0; k < sizeof mask; ++k) {
    for (unsigned bits = mask[k]; bits != 0; bits &= bits - 1) ++out;
  }
  atomic_store_explicit(&known, out, memory_order_relaxed);
  return out;
}

/* Of SOLWAY_THREADS; 0: it says none. */
static int64_t threads_of_environment(void) {
  const char* text = getenv("SOLWAY_THREADS");
  int64_t out = 0;
  while (text != NULL && *text >= '0' && *text <= '9' && out <= kMaxThreads) {
    out = out * 10 + (*text++ - '0');
  }
  return text != NULL && *text == '\0' && out <= kMaxThreads ? out : 0;
}

static int64_t wanted_threads(int64_t cores) {
  const int64_t asked = atomic_load(&asked_threads);
  if (asked != 0) return asked;
  const int64_t said = threads_of_environment();
  return said != 0 ? said : cores;
}

/* More workers, until there are so many. */
static void make_workers(int64_t count) {
  Opaque all, old;
  sigfillset(&all);
  pthread_sigmask(kSetMask, &all, &old); /* a new thread has its maker's */
  while (pool.workers < count) {
    const int64_t thread = pool.workers + 1;
    pool.first_round[thread] = atomic_load(&pool.round);
    unsigned long id;
    if (pthread_create(&id, NULL, work, (void*)(intptr_t)thread) != 0) break;
    pthread_detach(id);
    pool.workers = thread;
  }
  pthread_sigmask(kSetMask, &old, NULL);
}

/* Whether the workers are this call's until it sets the owner to 0. */
static bool take_workers(int32_t process) {
  int32_t owner = atomic_load(&pool.owner);
  /* Another process's call is one that was in flight when this one was made by fork(). */
  if (owner == process || !atomic_compare_exchange_strong(&pool.owner, &owner, process)) {
    return false;
  }
  if (pool.process != process) {
    pool.process = process;
    pool.workers = 0;
    pool.mutex = (Opaque){{0}};
    pool.changed = (Opaque){{0}};
    atomic_store(&pool.sleepers, 0);
    atomic_store(&pool.arrived, 0);
  }
  return true;
}

int32_t solway_library_call(int32_t (*entry)(void** arguments, struct LibraryTeam* team),
                            void** arguments) {
  struct LibraryTeam alone = {1, run_alone, wait_for_none};
  const int64_t cores = processors();
  int64_t threads = wanted_threads(cores);
  if (threads == 1 || !take_workers(getpid())) return entry(arguments, &alone);
  if (pool.workers < threads - 1) make_workers(threads - 1);
  if (pool.workers < threads - 1) threads = pool.workers + 1;
  atomic_store(&pool.spins, threads <= cores);
  pool.team = (struct LibraryTeam){threads, run_together, wait_for_all};
  const int32_t status = entry(arguments, threads == 1 ? &alone : &pool.team);
  atomic_store(&pool.owner, 0);
  return status;
}

void solway_library_set_threads(int32_t threads) {
  atomic_store(&asked_threads, threads >= 1 && threads <= kMaxThreads ? threads : 0);
}
