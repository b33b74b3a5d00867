#include "cpe.h"

__thread_local int a, b;
__thread_local athread_rply_t local, remote;
__thread_local volatile int reply;

/* All meet, with the counters at 0 and `value` in `a` of CPE 0, another in the others. */
static void start(int value) {
  athread_ssync_array();
  local = 0;
  remote = 0;
  reply = 0;
  a = _PEN == 0 ? value : -1;
  b = -1;
  athread_ssync_array();
}

static void all_gets(void) {
  start(1);
  athread_rma_get(&b, 4, 0, &a, 0);
  REQUIRE(b == 1);

  start(2);
  athread_rma_iget(&b, &local, 4, 0, &a, &remote);
  athread_rma_wait_value(&local, 1);
  REQUIRE(b == 2);
  if (_PEN == 0) athread_rma_wait_value(&remote, 64);
  athread_ssync_array();
  a = 0;
}

static void all_puts(void) {
  start(3);
  if (_PEN == 0) athread_rma_put(&a, 4, 9, &b, &remote);
  if (_PEN == 9) {
    athread_rma_wait_value(&remote, 1);
    REQUIRE(b == 3);
  }

  start(4);
  if (_PEN == 0) {
    athread_rma_iput(&a, &local, 4, 63, &b, &remote);
    athread_rma_wait_value(&local, 1);
    a = 5; /* it has left */
  }
  if (_PEN == 63) {
    athread_rma_wait_value(&remote, 1);
    REQUIRE(b == 4);
  }

  /* What its issuer has waited for is there for those who meet it afterwards. */
  start(6);
  if (_PEN == 0) athread_rma_put(&a, 4, 1, &b, &remote);
  athread_ssync(ROW_SCOPE, 0x03);
  if (_PEN == 1) REQUIRE(b == 6);
}

static void broadcasts(void) {
  start(7);
  if (_PEN == 0) athread_rma_bcast(&b, &a, 4, &remote);
  athread_rma_wait_value(&remote, 1);
  REQUIRE(b == 7);

  start(8);
  if (_PEN == 0) athread_rma_ibcast(&b, &a, &local, 4, &remote);
  athread_rma_wait_value(&remote, 1);
  if (_PEN == 0) athread_rma_wait_value(&local, 1);
  REQUIRE(b == 8);

  /* In place, and no counter of the issuer's: it knows when all have said that they know. */
  start(9);
  if (_PEN == 0) athread_rma_row_ibcast(&a, &a, 4, 0, &reply);
  if (_ROW == 0) athread_rma_wait_value(&reply, 1);
  REQUIRE(a == (_ROW == 0 ? 9 : -1));

  start(10);
  if (_PEN == 0) athread_rma_col_bcast_other(&b, &a, 4, &remote);
  if (_COL == 0 && _PEN != 0) athread_rma_wait_value(&remote, 1);
  REQUIRE(b == (_COL == 0 && _PEN != 0 ? 10 : -1));

  start(11);
  if (_PEN == 0) athread_rma_row_mcast(&b, &a, 4, 0x81, &remote);
  if (_ROW == 0 || _ROW == 7) athread_rma_wait_value(&remote, 1);
  REQUIRE(b == (_ROW == 0 || _ROW == 7 ? 11 : -1));
}

static void collectives(void) {
  start(12);
  athread_rma_bcast_coll(&b, &a, 4, 0);
  REQUIRE(b == 12);
  a = _PEN;
  CRTS_rma_row_bcast_coll(&b, &a, 4, 3);
  REQUIRE(b == _ROW * 8 + 3);
  CRTS_rma_col_bcast_coll(&b, &a, 4, 5);
  REQUIRE(b == 40 + _COL);
}

void work(Parameters *p) {
  all_gets();
  all_puts();
  broadcasts();
  collectives();
  athread_ssync_array();
  p->y[_MYID] = (float)b;
}
