/* CPE side of the stand-in. */
#ifndef FAKE_SLAVE_H
#define FAKE_SLAVE_H

#define __thread_local __thread

typedef enum { PE_MODE = 0 } dma_mode;
typedef enum { ROW_SCOPE = 0, COL_SCOPE = 1, ARRAY_SCOPE = 2 } scope;

int athread_get_id(int core);
int athread_get(dma_mode mode, void *src, void *dest, int len, void *reply, char mask, int stride,
                int bsize);
int athread_put(dma_mode mode, void *src, void *dest, int len, void *reply, int stride, int bsize);
int athread_syn(scope where, int mask);

#endif
