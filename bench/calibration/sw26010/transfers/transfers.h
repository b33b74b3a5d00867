/* What all CPEs do at once: `requests` transfers of `bytes` each, of blocks of `block` bytes that
 * lie `gap` bytes apart, from `offset` bytes behind the start of each CPE's `region`. */
struct pattern {
  int is_put, requests, bytes, block, gap, offset, region, cpes;
};

#define MOST_PATTERNS 384

struct job {
  char* memory;
  struct pattern* patterns;
  long* taken; /* cycles, by pattern and CPE */
  int count;
};
