#include "cpe.h"

/* Barriers as public headers write them, which name the registers that they change. */
#define MEET()            \
  ({                      \
    asm volatile(         \
        "ldi  $1,  0xff\n" \
        "synr $1       \n" \
        "sync $1       \n" ::: "memory", "$1"); \
    0;                    \
  })

static void meet_row(void) { __asm__ __volatile__("ldi $2, 0xff\nsynr $2" : : : "$2", "$3"); }

void work(Parameters *p) {
  p->y[_MYID] = _MYID;
  MEET();
  const float opposite = p->y[63 - _MYID];
  REQUIRE(opposite == 63 - _MYID);
  MEET();
  p->y[_MYID] = opposite;
  meet_row();
  REQUIRE(p->y[_MYID ^ 7] == 63 - (_MYID ^ 7));
}
