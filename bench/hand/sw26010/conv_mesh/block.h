/* Pixels times filters whose sums a CPE has in its registers: eight times eight where a block of
 * sixteen filters for each of eight columns of the mesh would be empty for the most part. */
#ifndef BLOCK_H
#define BLOCK_H

#if FILTERS <= 64 || (FILTERS > 128 && FILTERS <= 192) || (FILTERS > 256 && FILTERS <= 320)
#define BLOCK_PIXELS 8
#define BLOCK_FILTERS 8
#else
#define BLOCK_PIXELS 4
#define BLOCK_FILTERS 16
#endif

#endif
