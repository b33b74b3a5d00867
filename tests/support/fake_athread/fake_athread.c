#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "athread.h"
#include "slave.h"

enum { CORES = 64 };

static pthread_t threads[CORES];
static pthread_barrier_t barrier;
static void (*cpe_function)(void *);
static void *cpe_argument;
static __thread int my_id;
static int is_initialised;

static void fail(const char *what) {
  fprintf(stderr, "fake athread: CPE %d: %s\n", my_id, what);
  exit(3);
}

static void *run(void *id) {
  my_id = (int)(intptr_t)id;
  cpe_function(cpe_argument);
  return NULL;
}

int athread_init(void) {
  is_initialised = 1;
  return 0;
}

int fake_spawn(void (*function)(void *), void *argument) {
  if (!is_initialised) fail("spawn before athread_init");
  cpe_function = function;
  cpe_argument = argument;
  pthread_barrier_init(&barrier, NULL, CORES);
  for (intptr_t id = 0; id < CORES; ++id) pthread_create(&threads[id], NULL, run, (void *)id);
  return 0;
}

int athread_join(void) {
  for (int id = 0; id < CORES; ++id) pthread_join(threads[id], NULL);
  return 0;
}

int athread_get_id(int core) {
  if (core != -1) fail("athread_get_id of another core");
  return my_id;
}

int athread_syn(scope where, int mask) {
  if (where != ARRAY_SCOPE || mask != 0xffff) fail("barrier of less than the array");
  pthread_barrier_wait(&barrier);
  return 0;
}

/* `blocks` lie apart in main memory and one behind the other in the LDM. */
static void move(char *main, char *ldm, int is_get, int len, void *reply, int stride, int bsize) {
  if (len <= 0 || len % 4 != 0 || (uintptr_t)main % 4 != 0 || (uintptr_t)ldm % 4 != 0) {
    fail("an address or a length that is not a multiple of 4 bytes");
  }
  if (bsize == 0 && stride == 0) bsize = len;
  if (bsize <= 0 || stride < 0 || bsize % 4 != 0 || len % bsize != 0) fail("a wrong block");
  for (int done = 0; done < len; done += bsize, main += bsize + stride) {
    memcpy(is_get ? ldm + done : main, is_get ? main : ldm + done, (size_t)bsize);
  }
  ++*(volatile int *)reply;
}

int athread_get(dma_mode mode, void *src, void *dest, int len, void *reply, char mask, int stride,
                int bsize) {
  if (mode != PE_MODE || mask != 0) fail("a mode other than PE_MODE");
  move(src, dest, 1, len, reply, stride, bsize);
  return 0;
}

int athread_put(dma_mode mode, void *src, void *dest, int len, void *reply, int stride, int bsize) {
  if (mode != PE_MODE) fail("a mode other than PE_MODE");
  move(dest, src, 0, len, reply, stride, bsize);
  return 0;
}
