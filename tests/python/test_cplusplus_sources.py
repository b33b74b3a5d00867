"""Hand kernels in C++: templates, lambdas, the standard library on the MPE, initial values."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

MPE = """
#include <athread.h>
#include <iostream>
#include <numeric>
#include <vector>

extern "C" void SLAVE_FUN(work)(void *);

namespace {

struct Job {
  const float *x;
  float *y;
  float factor;
};

template <typename T>
T twice(T v) {
  return v + v;
}

class Counter {
 public:
  explicit Counter(int from) : value_(from) {}
  ~Counter() { value_ = 0; }
  int next() { return ++value_; }

 private:
  int value_;
};

int first() { return twice(1); }
Counter counter(first());

}  // namespace

extern "C" int cplusplus(const float *x, float *y) {
  std::vector<float> factors(4);
  std::iota(factors.begin(), factors.end(), 0.0f);
  std::vector<Job> jobs{Job{x, y, factors[3] * counter.next()}};
  athread_init();
  SPAWN(work, jobs.data());
  athread_join();
  athread_halt();
  std::cout << "done" << std::endl;
  return 0;
}
"""

CPE = """
#include <slave.h>

#include <algorithm>

namespace {

struct Job {
  const float *x;
  float *y;
  float factor;
};

constexpr int kBlock = 4;
__thread_local float block[kBlock];
__thread_local volatile int reply;

template <int N, typename F>
void each(F change) {
  for (int i = 0; i < N; ++i) change(block[i]);
}

}  // namespace

extern "C" void work(Job *job) {
  const int id = athread_get_id(-1);
  reply = 0;
  athread_get(PE_MODE, const_cast<float *>(job->x) + kBlock * id, block, sizeof block,
              (void *)&reply, 0, 0, 0);
  while (reply != 1) {
  }
  const float factor = job->factor;
  each<kBlock>([&](float &v) { v = std::max(v * factor, 1.0f); });
  reply = 0;
  athread_put(PE_MODE, block, job->y + kBlock * id, sizeof block, (void *)&reply, 0, 0);
  while (reply != 1) {
  }
}
"""

TOML = """
[kernel]
name = "cplusplus"
target = "TARGET"
entry = "cplusplus"
[sources]
mpe = ["mpe.cpp"]
cpe = ["cpe.cc"]
[[argument]]
name = "x"
dtype = "float32"
shape = [256]
role = "in"
[[argument]]
name = "y"
dtype = "float32"
shape = [256]
role = "out"
"""


def written(tmp_path, *, target="sw26010", mpe=MPE, cpe=CPE):
    # On the Pro, athread_spawn writes no prefix in C++.
    spawn = "athread_spawn(work," if target == "sw26010" else "athread_spawn(slave_work,"
    mpe = mpe.replace("SPAWN(work,", spawn)
    (tmp_path / "mpe.cpp").write_text(mpe)
    (tmp_path / "cpe.cc").write_text(cpe)
    (tmp_path / "kernel.toml").write_text(TOML.replace("TARGET", target))
    return sw.hand_kernel(tmp_path)


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
@pytest.mark.parametrize("mode", ["functional", "hazard", "timed"])
def test_a_kernel_in_cplusplus_runs(tmp_path, target, mode):
    kernel = written(tmp_path, target=target)
    x = np.arange(256, dtype="f4")
    for _ in range(2):  # each call is a process of its own: the counter begins anew
        np.testing.assert_array_equal(kernel.run(x, mode=mode), np.maximum(9 * x, 1))


def test_a_fault_has_its_line_inside_a_template(tmp_path):
    assert "i < N" in CPE
    kernel = written(tmp_path, cpe=CPE.replace("i < N", "i <= N"))
    with pytest.raises(sw.EmulatorError) as caught:
        kernel.run(np.ones(256, "f4"))
    assert caught.value.kind == "out_of_bounds_ldm"
    assert caught.value.where.file.endswith("cpe.cc")
    assert "change" in caught.value.where.text or "std::max" in caught.value.where.text


def test_an_object_of_new_is_known(tmp_path):
    """CPEs may read what the MPE has allocated, and not behind its end."""
    old = "SPAWN(work, jobs.data());"
    assert old in MPE
    given = "Job *one = new Job(jobs[0]); SPAWN(work, one); athread_join(); delete one;"
    good = MPE.replace(old, given).replace("athread_join();\n  athread_halt", "athread_halt")
    x = np.arange(256, dtype="f4")
    np.testing.assert_array_equal(written(tmp_path, mpe=good).run(x), np.maximum(9 * x, 1))
    folder = tmp_path / "bad"
    folder.mkdir()
    assert "job->factor" in CPE
    bad = CPE.replace("job->factor", "job[1].factor")
    with pytest.raises(sw.EmulatorError) as caught:
        written(folder, mpe=good, cpe=bad).run(x)
    assert caught.value.kind == "out_of_bounds_main"


def test_exceptions_do_not_compile(tmp_path):
    kernel = written(tmp_path, mpe=MPE.replace("return 0;", "throw 1;"))
    with pytest.raises(sw.DslError, match="does not compile") as caught:
        kernel.run(np.ones(256, "f4"))
    assert "exceptions" in caught.value.why
    assert caught.value.where.text == "throw 1;"


def test_an_entry_needs_its_name(tmp_path):
    kernel = written(tmp_path, mpe=MPE.replace('extern "C" int cplusplus', "int cplusplus"))
    with pytest.raises(sw.DslError) as caught:
        kernel.run(np.ones(256, "f4"))
    assert 'extern "C"' in caught.value.fix
