/* The run-time library's own names on SW26010-Pro, of both sides. */
#ifndef SOLWAY_SW26010PRO_CRTS_H
#define SOLWAY_SW26010PRO_CRTS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __sw_host__

#include "athread.h"

typedef volatile long crts_rply_t;

#define CRTS_athread_spawn athread_spawn
#define CRTS_athread_spawn_noflush athread_spawn_noflush
#define CRTS_athread_join athread_join
#define CRTS_athread_halt athread_halt
#define CRTS_athread_get_max_threads athread_get_max_threads
#define CRTS_time_cycle athread_time_cycle

#else

#include "slave.h"

#define CRTS_tid _PEN
#define CRTS_rid _ROW
#define CRTS_cid _COL
#define CRTS_cgn _CGN
#define CRTS_CGN _CGN
#define CRTS_smng_get_tid() _PEN
#define CRTS_smng_get_rid() _ROW
#define CRTS_smng_get_cid() _COL
#define CRTS_smng_get_cgn() _CGN

#define CRTS_pldm_malloc ldm_malloc
#define CRTS_pldm_free ldm_free
#define CRTS_pldm_get_free_size get_allocatable_size
#define CRTS_scoll_redurt athread_redurt
#define CRTS_int athread_int
#define CRTS_uint athread_uint
#define CRTS_long athread_long
#define CRTS_ulong athread_ulong
#define CRTS_float athread_float
#define CRTS_double athread_double
#define CRTS_intv8 athread_intv8
#define CRTS_uintv8 athread_uintv8
#define CRTS_int256 athread_int256
#define CRTS_uint256 athread_uint256
#define CRTS_floatv4 athread_floatv4
#define CRTS_doublev4 athread_doublev4
#define CRTS_intv16 athread_intv16
#define CRTS_uintv16 athread_uintv16
#define CRTS_int512 athread_int512
#define CRTS_uint512 athread_uint512
#define CRTS_floatv8 athread_floatv8
#define CRTS_doublev8 athread_doublev8
#define CRTS_dma_barrier athread_dma_barrier
#define CRTS_rma_barrier athread_rma_barrier

#define CRTS_dma_wait_value athread_dma_wait_value
#define CRTS_dma_iget_stride athread_dma_iget_stride
#define CRTS_dma_iput_stride athread_dma_iput_stride
#define CRTS_dma_iget athread_dma_iget
#define CRTS_dma_iput athread_dma_iput
#define CRTS_dma_get_stride athread_dma_get_stride
#define CRTS_dma_put_stride athread_dma_put_stride
#define CRTS_dma_get athread_dma_get
#define CRTS_dma_put athread_dma_put
#define CRTS_dma_ibcast_stride athread_dma_ibcast_stride
#define CRTS_dma_row_ibcast_stride athread_dma_row_ibcast_stride
#define CRTS_dma_col_ibcast_stride athread_dma_col_ibcast_stride
#define CRTS_dma_ibcast athread_dma_ibcast
#define CRTS_dma_row_ibcast athread_dma_row_ibcast
#define CRTS_dma_col_ibcast athread_dma_col_ibcast
#define CRTS_dma_bcast_stride_coll athread_dma_bcast_stride_coll
#define CRTS_dma_row_bcast_stride_coll athread_dma_row_bcast_stride_coll
#define CRTS_dma_col_bcast_stride_coll athread_dma_col_bcast_stride_coll
#define CRTS_dma_bcast_coll athread_dma_bcast_coll
#define CRTS_dma_row_bcast_coll athread_dma_row_bcast_coll
#define CRTS_dma_col_bcast_coll athread_dma_col_bcast_coll
#define CRTS_rma_wait_value athread_rma_wait_value
#define CRTS_rma_iget athread_rma_iget
#define CRTS_rma_iput athread_rma_iput
#define CRTS_rma_get athread_rma_get
#define CRTS_rma_put athread_rma_put
#define CRTS_rma_row_imcast athread_rma_row_imcast
#define CRTS_rma_col_imcast athread_rma_col_imcast
#define CRTS_rma_row_imcast_other athread_rma_row_imcast_other
#define CRTS_rma_col_imcast_other athread_rma_col_imcast_other
#define CRTS_rma_ibcast athread_rma_ibcast
#define CRTS_rma_row_ibcast athread_rma_row_ibcast
#define CRTS_rma_col_ibcast athread_rma_col_ibcast
#define CRTS_rma_row_ibcast_other athread_rma_row_ibcast_other
#define CRTS_rma_col_ibcast_other athread_rma_col_ibcast_other
#define CRTS_rma_row_mcast athread_rma_row_mcast
#define CRTS_rma_col_mcast athread_rma_col_mcast
#define CRTS_rma_row_mcast_other athread_rma_row_mcast_other
#define CRTS_rma_col_mcast_other athread_rma_col_mcast_other
#define CRTS_rma_bcast athread_rma_bcast
#define CRTS_rma_bcast_other athread_rma_bcast_other
#define CRTS_rma_row_bcast athread_rma_row_bcast
#define CRTS_rma_col_bcast athread_rma_col_bcast
#define CRTS_rma_row_bcast_other athread_rma_row_bcast_other
#define CRTS_rma_col_bcast_other athread_rma_col_bcast_other
#define CRTS_rma_bcast_coll athread_rma_bcast_coll
#define CRTS_rma_row_bcast_coll athread_rma_row_bcast_coll
#define CRTS_rma_col_bcast_coll athread_rma_col_bcast_coll
#define CRTS_ssync_array athread_ssync_array
#define CRTS_ssync_row athread_ssync_row
#define CRTS_ssync_col athread_ssync_col
#define CRTS_ssync_node athread_ssync_node
#define CRTS_ssync_peer athread_ssync_peer
#define CRTS_ssync_sldm athread_ssync_sldm
#define CRTS_ssync_master_spe athread_ssync_master_spe
#define CRTS_ssync_master_array athread_ssync_master_array
#define CRTS_stime_cycle athread_stime_cycle
#define CRTS_memcpy_sldm athread_memcpy_sldm

#endif

#endif
