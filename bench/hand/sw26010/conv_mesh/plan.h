/* How large the parts are that a CPE has in its LDM, for any size of a layer.
 *
 * A CPE computes TILE_Y rows of TILE_X pixels of MY_FILTERS channels of the result at a time; eight
 * such tiles of pixels make a pass. MY_CHANNELS channels of the image are in its LDM at a time. */
#ifndef PLAN_H
#define PLAN_H

#include "block.h"
#include "conv.h"

#define LDM_FOR_PARTS 63500 /* the rest is for the stack and single numbers */
#define TAPS (KERNEL * KERNEL)

#define CEIL(a, b) (((a) + (b)-1) / (b))
#define LESS(a, b) ((a) < (b) ? (a) : (b))

/* Rows or columns of the image, with zeros around it, that n of the result need. */
#define NEEDED(n) (((n)-1) * STRIDE + KERNEL)

/* Images of short rows come by whole rows, which lie side by side in main memory. */
#define LANDED_COLUMNS(x) (SIZE <= 32 ? SIZE : LESS(NEEDED(x), SIZE))
#define LANDED_ROWS(y) LESS(NEEDED(y), SIZE)

#define BYTES_PER_CHANNEL(x, y, f) \
  (NEEDED(y) * NEEDED(x) * 8 + LANDED_ROWS(y) * LANDED_COLUMNS(x) * 4 + TAPS * (f)*12)
#define BYTES_OF_RESULT(x, y, f) ((x) * (y) * ((f)*12 + 4))
#define FITS(x, y, f, channels) \
  (BYTES_PER_CHANNEL(x, y, f) * (channels) + BYTES_OF_RESULT(x, y, f) <= LDM_FOR_PARTS)

/* The eight tiles of a pass lie in n columns and 8 / n rows and are whole rows of the result
 * together. WIDTH: of a tile; WORK: pixels that a CPE computes, and some more for what a pass and
 * its transfers cost besides. */
#define WIDTH(n) (BLOCK_PIXELS * CEIL(CEIL(OUT, BLOCK_PIXELS), n))
#define WORK(n, y) \
  (CEIL(OUT, 8 / (n) * (y)) * (WIDTH(n) * (y) + LANDED_ROWS(y) * LANDED_COLUMNS(WIDTH(n)) / 16 + 8))
#if !FITS(WIDTH(8), 1, BLOCK_FILTERS, 1)
#error "SIZE is too large: an eighth of a row of the result does not fit into the LDM"
#endif

#define TILING(n, y) ((n)*256 + (y))
#define FEW_CHANNELS LESS(CEIL(CHANNELS, 8), 4)
#define IS_BETTER(tiling, n, y)                      \
  (FITS(WIDTH(n), y, BLOCK_FILTERS, FEW_CHANNELS) && \
   WORK(n, y) < WORK((tiling) / 256, (tiling) % 256))
#define BETTER(tiling, n, y) (IS_BETTER(tiling, n, y) ? TILING(n, y) : (tiling))
#define BEST_OF(n, before)                                                        \
  BY_##n##_7 = BETTER(before, n, 7), BY_##n##_4 = BETTER(BY_##n##_7, n, 4),       \
  BY_##n##_3 = BETTER(BY_##n##_4, n, 3), BY_##n##_2 = BETTER(BY_##n##_3, n, 2),   \
  BY_##n##_8 = BETTER(BY_##n##_2, n, 8), BY_##n##_14 = BETTER(BY_##n##_8, n, 14), \
  BY_##n##_5 = BETTER(BY_##n##_14, n, 5), BY_##n = BETTER(BY_##n##_5, n, 1)

enum { BEST_OF(8, TILING(8, 1)), BEST_OF(4, BY_8), BEST_OF(2, BY_4), BEST_OF(1, BY_2) };
enum { TILES_X = BY_1 / 256, TILE_X = WIDTH(TILES_X), TILE_Y = BY_1 % 256 };
enum { PASS_ROWS = 8 / TILES_X * TILE_Y, PASSES = CEIL(OUT, PASS_ROWS) };

/* Cycles, by 64, of all steps of a pass, with f filters and k channels in the LDM of a CPE: what
 * the rounds take, or what the transfers of the weights' short blocks and of the image do. */
#define GROUPS (TILE_X * TILE_Y / BLOCK_PIXELS)
#define ROUNDS(f, k) (GROUPS * ((f) / BLOCK_FILTERS) * ((k)*TAPS * 16 + 50) / 8)
#define BLOCK_TRANSFER(f) ((f) <= 32 ? 11 : (f) / 4)
#define ROWS_APART (LANDED_COLUMNS(TILE_X) < SIZE ? LANDED_ROWS(TILE_Y) : 1)
#define IMAGE_TRANSFER (LANDED_ROWS(TILE_Y) * LANDED_COLUMNS(TILE_X) / 4 + 6 * ROWS_APART)
#define TRANSFERS(f, k) ((k) * (TAPS * BLOCK_TRANSFER(f) + IMAGE_TRANSFER))
#define LONGER(a, b) ((a) > (b) ? (a) : (b))
#define CYCLES(f, k) \
  (CEIL(FILTERS, 8 * (f)) * CEIL(CHANNELS, 8 * (k)) * LONGER(ROUNDS(f, k), TRANSFERS(f, k)))
#define PART(f, k) ((f)*256 + (k))
#define IS_QUICKER(part, f, k)                               \
  ((f) % BLOCK_FILTERS == 0 && FITS(TILE_X, TILE_Y, f, k) && \
   CYCLES(f, k) < CYCLES((part) / 256, (part) % 256))
#define QUICKER(part, f, k) (IS_QUICKER(part, f, k) ? PART(f, k) : (part))
#define QUICKEST_OF(f, before)                                                            \
  PART_##f##_1 = QUICKER(before, f, 1), PART_##f##_2 = QUICKER(PART_##f##_1, f, 2),       \
  PART_##f##_3 = QUICKER(PART_##f##_2, f, 3), PART_##f##_4 = QUICKER(PART_##f##_3, f, 4), \
  PART_##f##_5 = QUICKER(PART_##f##_4, f, 5), PART_##f##_6 = QUICKER(PART_##f##_5, f, 6), \
  PART_##f##_7 = QUICKER(PART_##f##_6, f, 7), PART_##f = QUICKER(PART_##f##_7, f, 8)

enum { QUICKEST_OF(64, PART(BLOCK_FILTERS, 1)), QUICKEST_OF(48, PART_64) };
enum { QUICKEST_OF(32, PART_48), QUICKEST_OF(16, PART_32) };
enum { QUICKEST_OF(40, PART_16), QUICKEST_OF(24, PART_40), QUICKEST_OF(8, PART_24) };
enum { MY_FILTERS = PART_8 / 256, FILTER_PASSES = CEIL(FILTERS, 8 * MY_FILTERS) };
enum { MY_CHANNELS = PART_8 % 256, CHANNEL_PASSES = CEIL(CHANNELS, 8 * MY_CHANNELS) };

enum { MY_ROWS = NEEDED(TILE_Y), MY_COLUMNS = NEEDED(TILE_X) };

#endif
