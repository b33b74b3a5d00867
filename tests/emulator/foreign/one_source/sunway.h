#ifndef SUNWAY_H_
#define SUNWAY_H_
#ifdef CPE
#include <dma.h>
#include <simd.h>
#include <slave.h>
#define pe_init()         \
  volatile int reply = 0; \
  int pe_count = 0;
#define pe_get(mem, ldm, size)                                          \
  {                                                                     \
    athread_get(PE_MODE, (mem), (ldm), (size), (void*)&reply, 0, 0, 0); \
    pe_count++;                                                         \
  }
#define pe_put(mem, ldm, size)                                       \
  {                                                                  \
    athread_put(PE_MODE, (ldm), (mem), (size), (void*)&reply, 0, 0); \
    pe_count++;                                                      \
  }
#define pe_syn()              \
  {                           \
    while (reply != pe_count) \
      ;                       \
    asm volatile("memb");     \
  }
/* Messages do not say who sent them, so the CPEs of a line meet between two rounds. */
#define exchange_and_add(put, get, place, scope, arr, len)          \
  for (i = 1; i < 8; i += i) {                                      \
    for (n = 0; n < (len); n++) {                                   \
      asm volatile(put " %0,%1" : : "r"((arr)[n]), "r"(place ^ i)); \
      asm volatile(get " %0" : "=r"(tmp));                          \
      (arr)[n] += tmp;                                              \
    }                                                               \
    athread_syn(scope, 0xff);                                       \
  }
#define reg_allreduce_inplace_doublev4(arr, len)                 \
  {                                                              \
    int i, n;                                                    \
    doublev4 tmp;                                                \
    exchange_and_add("putc", "getc", _ROW, COL_SCOPE, arr, len); \
    exchange_and_add("putr", "getr", _COL, ROW_SCOPE, arr, len); \
  }
#endif
#endif
