/* What the first `cores` CPEs do at once: `requests` transfers of `bytes` each, one after the
 * other, between their LDM and `offset` bytes behind the start of each CPE's `region`. */
struct pattern {
  int is_put, requests, bytes, offset, region, cores;
};

struct job {
  char* memory;
  struct pattern* patterns;
  long* taken; /* cycles, by pattern and CPE */
  int count;
};
