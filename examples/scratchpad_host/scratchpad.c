#define _POSIX_C_SOURCE 200112L

#include "scratchpad.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What one core runs, and who it is. */
typedef struct {
  pthread_t thread;
  int number;
} Core;

static Core* cores;
static int core_count;
static void (*core_function)(void*);
static void* core_argument;

static __thread int own_number;

/* Where cores meet: the last one of a round lets the others go. */
static pthread_mutex_t meeting = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_are_here = PTHREAD_COND_INITIALIZER;
static int here;
static unsigned long round_number;

static void* run(void* core) {
  own_number = ((Core*)core)->number;
  core_function(core_argument);
  return NULL;
}

int scratchpad_start(void (*function)(void*), void* argument, int count) {
  if (cores != NULL || count < 1) return 1;
  cores = malloc((size_t)count * sizeof *cores);
  if (cores == NULL) return 1;
  core_function = function;
  core_argument = argument;
  core_count = count;
  for (int k = 0; k < count; ++k) {
    cores[k].number = k;
    /* Those that run already may wait for this one for ever. */
    if (pthread_create(&cores[k].thread, NULL, run, &cores[k]) != 0) abort();
  }
  return 0;
}

int scratchpad_finish(void) {
  if (cores == NULL) return 1;
  for (int k = 0; k < core_count; ++k) pthread_join(cores[k].thread, NULL);
  free(cores);
  cores = NULL;
  return 0;
}

int scratchpad_core(void) { return own_number; }

int scratchpad_cores(void) { return core_count; }

void scratchpad_get(void* to, const void* from, size_t bytes, scratchpad_counter* counter) {
  memcpy(to, from, bytes);
  ++*counter;
}

void scratchpad_put(void* to, const void* from, size_t bytes, scratchpad_counter* counter) {
  memcpy(to, from, bytes);
  ++*counter;
}

void scratchpad_get_blocks(void* to, const void* from, size_t block_bytes, size_t blocks,
                           size_t pitch_bytes, scratchpad_counter* counter) {
  for (size_t k = 0; k < blocks; ++k) {
    memcpy((char*)to + k * block_bytes, (const char*)from + k * pitch_bytes, block_bytes);
  }
  ++*counter;
}

void scratchpad_put_blocks(void* to, const void* from, size_t block_bytes, size_t blocks,
                           size_t pitch_bytes, scratchpad_counter* counter) {
  for (size_t k = 0; k < blocks; ++k) {
    memcpy((char*)to + k * pitch_bytes, (const char*)from + k * block_bytes, block_bytes);
  }
  ++*counter;
}

void scratchpad_get_planes(void* to, const void* from, size_t block_bytes, size_t blocks,
                           size_t pitch_bytes, size_t planes, size_t plane_pitch_bytes,
                           scratchpad_counter* counter) {
  for (size_t p = 0; p < planes; ++p) {
    for (size_t k = 0; k < blocks; ++k) {
      memcpy((char*)to + (p * blocks + k) * block_bytes,
             (const char*)from + p * plane_pitch_bytes + k * pitch_bytes, block_bytes);
    }
  }
  ++*counter;
}

void scratchpad_put_planes(void* to, const void* from, size_t block_bytes, size_t blocks,
                           size_t pitch_bytes, size_t planes, size_t plane_pitch_bytes,
                           scratchpad_counter* counter) {
  for (size_t p = 0; p < planes; ++p) {
    for (size_t k = 0; k < blocks; ++k) {
      memcpy((char*)to + p * plane_pitch_bytes + k * pitch_bytes,
             (const char*)from + (p * blocks + k) * block_bytes, block_bytes);
    }
  }
  ++*counter;
}

void scratchpad_wait(scratchpad_counter* counter, int count) {
  while (*counter < count) {
  }
}

void scratchpad_meet(void) {
  pthread_mutex_lock(&meeting);
  const unsigned long own_round = round_number;
  if (++here == core_count) {
    here = 0;
    ++round_number;
    pthread_cond_broadcast(&all_are_here);
  }
  while (round_number == own_round) pthread_cond_wait(&all_are_here, &meeting);
  pthread_mutex_unlock(&meeting);
}
