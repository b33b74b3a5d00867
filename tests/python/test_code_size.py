"""Timed mode makes code pay that is larger than the instruction cache, or needs more registers."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

LINE = 128
OWN = 16384
SHARED = 65536
#: Assumed in targets/sw26010.toml: of a line that the second level has, and of one that it has not.
SHARED_CYCLES, MAIN_CYCLES = 30, 177

MPE = """
#include <athread.h>
extern void SLAVE_FUN(work)(double *);
void kernel(double *x) {
  athread_init();
  athread_set_num_threads(THREADS);
  for (int k = 0; k < LAUNCHES; ++k) {
    athread_spawn(work, x);
    athread_join();
  }
}
"""

HEAD = """
#include <simd.h>
#include <slave.h>
__thread_local double y[64] __attribute__((aligned(128)));
static unsigned long cycles(void) {
  unsigned long now;
  asm volatile("rcsr %0,4" : "=r"(now));
  return now;
}
"""

TOML = """
[kernel]
name = "kernel"
target = "sw26010"
entry = "kernel"
[sources]
mpe = ["mpe.c"]
cpe = ["cpe.c", "loop.S"]
defines = {{ THREADS = "{threads}", LAUNCHES = "{launches}" }}
[[argument]]
name = "x"
dtype = "float64"
shape = [64]
role = "inout"
"""


def timed(folder, c, assembly="", *, threads=1, launches=1):
    """What CPEs write into the array, and `last_run`."""
    folder.mkdir(exist_ok=True)
    (folder / "mpe.c").write_text(MPE)
    (folder / "cpe.c").write_text(HEAD + c)
    (folder / "loop.S").write_text(assembly)
    (folder / "kernel.toml").write_text(TOML.format(threads=threads, launches=launches))
    kernel = sw.hand_kernel(folder)
    return kernel.run(np.zeros(64), mode="timed"), kernel.last_run


def loop(bytes_):
    """`void loop(int rounds)`, whose loop has so many bytes of code: one addition in a cycle."""
    additions = ["addl $1,1,$1"] * (bytes_ // 4 - 2)
    end = ["subw $16,1,$16", "bgt $16,.round", "ret $31,($26),1", ""]
    return "\n".join([".globl loop", "loop:", "mov 0,$1", ".round:", *additions, *end])


ROUNDS = 8
CALL_LOOP = f"""
void loop(int rounds);
void work(double *x) {{
  loop(1);
  unsigned long begin = cycles();
  loop({ROUNDS});
  x[_MYID] = cycles() - begin;
}}
"""


def cycles_per_instruction(folder, bytes_):
    """Of further rounds of a loop, each of whose instructions takes a cycle alone."""
    taken, _ = timed(folder, CALL_LOOP, loop(bytes_))
    return taken[0] / ROUNDS / (bytes_ / 4)


@pytest.mark.parametrize(("kilobytes", "line_cycles"), [(3, 0), (12, 0), (24, SHARED_CYCLES)])
def test_a_loop_pays_once_it_is_larger_than_the_cache(tmp_path, kilobytes, line_cycles):
    expected = 1 + line_cycles / (LINE / 4)
    assert cycles_per_instruction(tmp_path, 1024 * kilobytes) == pytest.approx(expected, rel=0.02)


def test_a_loop_that_the_second_level_has_no_room_for_pays_more(tmp_path):
    expected = 1 + MAIN_CYCLES / (LINE / 4)
    assert cycles_per_instruction(tmp_path, 96 * 1024) == pytest.approx(expected, rel=0.02)


def test_a_loop_a_little_larger_than_the_cache_keeps_most_of_it(tmp_path):
    bytes_ = OWN + LINE
    more = (cycles_per_instruction(tmp_path, bytes_) - 1) * bytes_ / 4
    # One or two of 32 places have five lines for four: these come anew in each round, of 129.
    assert 5 * SHARED_CYCLES <= more <= 10 * SHARED_CYCLES + 10


def test_loops_of_c_pay_too(tmp_path):
    statements = [f"v ^= v << {1 + k % 7}; v += {k};" for k in range(2500)]

    def part_of_waits(count):
        work = "void work(double *x) { long v = x[0]; for (int k = 0; k < 50; ++k) {"
        work += "".join(statements[:count]) + "} x[1] = v; }"
        _, run = timed(tmp_path / str(count), work)
        return run.stalls["instructions"] / run.cpe_cycles

    assert part_of_waits(500) < 0.15
    assert 0.2 < part_of_waits(2500) < 0.6


def test_the_first_launch_fetches_the_code_and_later_ones_have_it(tmp_path):
    work = "void loop(int rounds); void work(double *x) { loop(1); }"
    one = timed(tmp_path / "1", work, loop(8192))[1]
    three = timed(tmp_path / "3", work, loop(8192), launches=3)[1]
    lines = 8192 / LINE
    assert lines * MAIN_CYCLES <= one.stalls["instructions"] <= (lines + 3) * MAIN_CYCLES
    assert three.stalls["instructions"] == one.stalls["instructions"]


def test_cores_that_fetch_the_same_code_wait_for_it_once(tmp_path):
    work = "void loop(int rounds); void work(double *x) { loop(1); }"
    one = timed(tmp_path / "1", work, loop(8192))[1]
    all_ = timed(tmp_path / "64", work, loop(8192), threads=64)[1]
    assert all_.cpe_cycles == pytest.approx(one.cpe_cycles, rel=0.02)


def test_it_is_the_same_in_every_run(tmp_path):
    runs = [timed(tmp_path / name, CALL_LOOP, loop(24 * 1024), threads=64)[1] for name in "ab"]
    assert runs[0].cycles == runs[1].cycles
    assert runs[0].stalls == runs[1].stalls


def registers(vectors, integers):
    """A loop that changes so many vectors and integers in each round."""
    lines = [f"doublev4 v{k} = a + {k}.0;" for k in range(vectors)]
    lines += [f"long n{k} = begin + {k};" for k in range(integers)]
    lines.append("for (int round = 0; round < 1000; ++round) {")
    lines += [f"v{k} = simd_vmad(v{k}, a, a);" for k in range(vectors)]
    # Multiplied, so that none is a constant apart from another.
    lines += [f"n{k} = (n{k} << 1) ^ n{(k + 1) % integers};" for k in range(integers)]
    lines.append("}")
    lines += [f"v0 += v{k};" for k in range(1, vectors)]
    lines += [f"n0 += n{k};" for k in range(1, integers)]
    return (
        "void work(double *x) { doublev4 a; simd_load(a, y); long begin = x[1];"
        + "\n".join(lines)
        + "simd_store(v0, y); x[0] = n0 + y[0]; }"
    )


def test_integers_and_vectors_share_the_registers(tmp_path):
    def cycles(vectors, integers):
        _, run = timed(tmp_path / f"{vectors}_{integers}", registers(vectors, integers))
        return run.cpe_cycles / 1000

    # Both alone have room; together some 14 have none, and a store and a load each per round.
    alone = max(cycles(20, 2), cycles(2, 20))
    assert cycles(20, 20) > alone + 5
