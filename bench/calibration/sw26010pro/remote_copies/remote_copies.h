/* What one CPE does in a pattern, `rounds` times. STREAM: `window` copies of `bytes` to each of
 * those in `to`, -1: none, and the wait for their replies; in the end it waits for the `expected`
 * copies to itself. FIRST and SECOND: a copy to `to[0]` and one back. IDLE: nothing. */
enum { IDLE, STREAM, FIRST, SECOND };
struct part {
  int role, rounds, bytes, window, to[3], expected;
};

struct job {
  struct part* parts; /* by pattern and CPE */
  long* taken;        /* cycles, by pattern and CPE */
  int count;
};
