/* Copies from LDM to LDM. Included by slave.h.

   Addresses of another CPE's LDM are those of the caller's own: objects lie alike on all CPEs. A
   counter of the caller (`l_rply`) rises when the copy is complete there, one of the others
   (`r_rply`, at the same place on each) when it is complete on that one; a null pointer: none.
   Masks: bit r stands for row r, or bit c for column c. Names without `_other` include the caller
   where it is one of those addressed. */
#ifndef SOLWAY_SW26010PRO_RMA_H
#define SOLWAY_SW26010PRO_RMA_H

#ifdef __cplusplus
extern "C" {
#endif

/* As the machine numbers them: operations, and to whom. */
#define __SOLWAY_RMA_PUT 0
#define __SOLWAY_RMA_GET 1
#define __SOLWAY_ONE 0
#define __SOLWAY_ROWS 1
#define __SOLWAY_COLUMNS 2
#define __SOLWAY_ROWS_AND_SELF 5
#define __SOLWAY_COLUMNS_AND_SELF 6

int __solway_rma_request(int operation, int other, void *here, void *there, int len, void *l_rply,
                         void *r_rply, int whom, int mask);
#define __solway_rma(operation, other, here, there, len, l_rply, r_rply, whom, mask)       \
  __solway_rma_request(operation, other, (void *)(here), (void *)(there), len,             \
                       (void *)(l_rply), (void *)(r_rply), whom, mask)

#define athread_rma_wait_value(rply, value) athread_dma_wait_value(rply, value)
void athread_rma_barrier(void);

#define athread_rma_iget(l_addr, l_rply, len, r_tid, r_addr, r_rply) \
  __solway_rma(__SOLWAY_RMA_GET, r_tid, l_addr, r_addr, len, l_rply, r_rply, __SOLWAY_ONE, 0)
#define athread_rma_iput(l_addr, l_rply, len, r_tid, r_addr, r_rply) \
  __solway_rma(__SOLWAY_RMA_PUT, r_tid, l_addr, r_addr, len, l_rply, r_rply, __SOLWAY_ONE, 0)
#define athread_rma_get(l_addr, len, r_tid, r_addr, r_rply) \
  __solway_done(athread_rma_iget(l_addr, &__crts_rply, len, r_tid, r_addr, r_rply))
#define athread_rma_put(l_addr, len, r_tid, r_addr, r_rply) \
  __solway_done(athread_rma_iput(l_addr, &__crts_rply, len, r_tid, r_addr, r_rply))

/* To those of rows or columns; with a mask, and of the caller's own. */
#define __solway_mcast(dst, src, len, l_rply, mask, r_rply, whom) \
  __solway_rma(__SOLWAY_RMA_PUT, _PEN, src, dst, len, l_rply, r_rply, whom, mask)
#define athread_rma_row_imcast(dst, src, len, l_rply, mask, r_rply) \
  __solway_mcast(dst, src, len, l_rply, mask, r_rply, __SOLWAY_ROWS_AND_SELF)
#define athread_rma_col_imcast(dst, src, len, l_rply, mask, r_rply) \
  __solway_mcast(dst, src, len, l_rply, mask, r_rply, __SOLWAY_COLUMNS_AND_SELF)
#define athread_rma_row_imcast_other(dst, src, len, l_rply, mask, r_rply) \
  __solway_mcast(dst, src, len, l_rply, mask, r_rply, __SOLWAY_ROWS)
#define athread_rma_col_imcast_other(dst, src, len, l_rply, mask, r_rply) \
  __solway_mcast(dst, src, len, l_rply, mask, r_rply, __SOLWAY_COLUMNS)

#define athread_rma_ibcast(dst, src, l_rply, len, r_rply) \
  athread_rma_col_imcast(dst, src, len, l_rply, 0xff, r_rply)
#define athread_rma_row_ibcast(dst, src, len, l_rply, r_rply) \
  athread_rma_row_imcast(dst, src, len, l_rply, 1 << _ROW, r_rply)
#define athread_rma_col_ibcast(dst, src, len, l_rply, r_rply) \
  athread_rma_col_imcast(dst, src, len, l_rply, 1 << _COL, r_rply)
#define athread_rma_row_ibcast_other(dst, src, len, l_rply, r_rply) \
  athread_rma_row_imcast_other(dst, src, len, l_rply, 1 << _ROW, r_rply)
#define athread_rma_col_ibcast_other(dst, src, len, l_rply, r_rply) \
  athread_rma_col_imcast_other(dst, src, len, l_rply, 1 << _COL, r_rply)

#define athread_rma_row_mcast(dst, src, len, mask, r_rply) \
  __solway_done(athread_rma_row_imcast(dst, src, len, &__crts_rply, mask, r_rply))
#define athread_rma_col_mcast(dst, src, len, mask, r_rply) \
  __solway_done(athread_rma_col_imcast(dst, src, len, &__crts_rply, mask, r_rply))
#define athread_rma_row_mcast_other(dst, src, len, mask, r_rply) \
  __solway_done(athread_rma_row_imcast_other(dst, src, len, &__crts_rply, mask, r_rply))
#define athread_rma_col_mcast_other(dst, src, len, mask, r_rply) \
  __solway_done(athread_rma_col_imcast_other(dst, src, len, &__crts_rply, mask, r_rply))
#define athread_rma_bcast(dst, src, len, r_rply) athread_rma_col_mcast(dst, src, len, 0xff, r_rply)
#define athread_rma_bcast_other(dst, src, len, r_rply) \
  athread_rma_col_mcast_other(dst, src, len, 0xff, r_rply)
#define athread_rma_row_bcast(dst, src, len, r_rply) \
  athread_rma_row_mcast(dst, src, len, 1 << _ROW, r_rply)
#define athread_rma_col_bcast(dst, src, len, r_rply) \
  athread_rma_col_mcast(dst, src, len, 1 << _COL, r_rply)
#define athread_rma_row_bcast_other(dst, src, len, r_rply) \
  athread_rma_row_mcast_other(dst, src, len, 1 << _ROW, r_rply)
#define athread_rma_col_bcast_other(dst, src, len, r_rply) \
  athread_rma_col_mcast_other(dst, src, len, 1 << _COL, r_rply)

/* All CPEs that take part call these; one of them sends. */
#define athread_rma_bcast_coll(dst, src, len, root)      \
  __solway_coll(athread_ssync_array, _PEN == (root),     \
                athread_rma_ibcast(dst, src, 0, len, &__crts_rma_rply))
#define athread_rma_row_bcast_coll(dst, src, len, root)  \
  __solway_coll(athread_ssync_row, _COL == (root),       \
                athread_rma_row_ibcast(dst, src, len, 0, &__crts_rma_rply))
#define athread_rma_col_bcast_coll(dst, src, len, root)  \
  __solway_coll(athread_ssync_col, _ROW == (root),       \
                athread_rma_col_ibcast(dst, src, len, 0, &__crts_rma_rply))

#ifdef __cplusplus
}
#endif

#endif
