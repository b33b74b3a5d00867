/* Packs of 32 bytes as register messages, and a function that the MPE program chooses. */
#include "slave.h"
#include "simd.h"
#include "rl.h"
typedef union { Pack p; int256 v; } Msg;
static __thread_local double mine[8];
__thread_local volatile unsigned long get_reply, put_reply;
__thread_local op_fun table[2];
void user_op_add(double *to, const Pack *p) { to[p->idx] += p->a + p->b; }
void user_op_max(double *to, const Pack *p) { double m = p->a > p->b ? p->a : p->b; if (m > to[p->idx]) to[p->idx] = m; }
/* every CPE of a row sends one pack to each other one, round by round */
void unstructured_iter(Arg *in) {
  Arg arg; double edge[64]; int r, i; Msg send, recv;
  get_reply = 0;
  athread_get(PE_MODE, in, &arg, sizeof(Arg), (void*)&get_reply, 0, 0, 0);
  while (get_reply != 1);
  athread_get(PE_MODE, arg.edge + _MYID * arg.n, edge, arg.n * sizeof(double), (void*)&get_reply, 0, 0, 0);
  while (get_reply != 2);
  table[0] = user_op_add; table[1] = user_op_max;
  op_fun f = (op_fun)arg.operator_fun;
  if (f != table[arg.which]) return;
  for (i = 0; i < 8; i++) mine[i] = 0;
  for (r = 1; r < 8; r++) {
    send.p.src = _COL; send.p.dst = (_COL + r) & 7; send.p.idx = _COL; send.p.pad = 0;
    send.p.a = edge[send.p.dst * 8]; send.p.b = edge[send.p.dst * 8 + 1];
    simd_putr(send.v, send.p.dst);
    simd_getr(recv.v);
    f(mine, &recv.p);
    athread_syn(ROW_SCOPE, 0xff);
  }
#if FAULT == 1
  if (_COL == 3) simd_putr(send.v, 5);  // where 1
#endif
#if FAULT == 2
  simd_putr(send.v, _COL);  // where 2
#endif
  put_reply = 0;
  athread_put(PE_MODE, mine, arg.vertex + _MYID * 8, sizeof mine, (void*)&put_reply, 0, 0);
  while (put_reply != 1) ;
}
