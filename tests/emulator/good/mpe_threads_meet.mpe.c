#include "athread.h"

typedef struct {
  const float *x;
  float *y;
} Part;

extern void SLAVE_FUN(turn)(Part *);

#define GROUPS 3
#define ROUNDS 4
#define REQUIRE(condition) while (!(condition))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static float cells[2][GROUPS + 1][64];
static int turns, last_ones;

static void *work(void *argument) {
  const int me = (int)(long)argument;
  athread_init();
  for (int round = 0; round < ROUNDS; ++round) {
    Part part = {cells[round % 2][(me + 1) % (GROUPS + 1)], cells[(round + 1) % 2][me]};
    athread_spawn(turn, &part);
    athread_join();
    pthread_mutex_lock(&mutex);
    ++turns;
    pthread_mutex_unlock(&mutex);
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++last_ones;
  }
  if (me == 1) pthread_exit(&cells[0][me]);
  return &cells[0][me];
}

/* The first thread works like the others. */
void entry(const float *x, float *y) {
  pthread_t threads[GROUPS];
  pthread_mutex_init(&mutex, NULL);
  pthread_barrier_init(&barrier, NULL, GROUPS + 1);
  for (long i = 0; i < GROUPS; ++i) pthread_create(&threads[i], NULL, work, (void *)i);
  REQUIRE(!pthread_equal(threads[0], threads[1]) && !pthread_equal(threads[0], pthread_self()));
  REQUIRE(work((void *)(long)GROUPS) == &cells[0][GROUPS]);
  for (int i = 0; i < GROUPS; ++i) {
    void *result = NULL;
    pthread_join(threads[i], &result);
    REQUIRE(result == &cells[0][i]);
  }
  REQUIRE(turns == ROUNDS * (GROUPS + 1) && last_ones == ROUNDS);
  for (int i = 0; i <= GROUPS; ++i)
    for (int k = 0; k < 64; ++k) REQUIRE(cells[0][i][k] == ROUNDS);
  pthread_barrier_destroy(&barrier);
  pthread_mutex_destroy(&mutex);
}
