"""What each core did when: the timeline of a run in timed mode, as data, as a page, as a trace."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
import solway as sw
from support.browser import run_browser

HAND = Path(__file__).parents[2] / "bench" / "hand" / "sw26010"


def product(depth, n=64):
    A = sw.placeholder((n, n), name="A")
    B = sw.placeholder((n, n), name="B")
    k = sw.reduce_axis(n, name="k")
    C = sw.compute((n, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C)
    ko, ki = s[C].split(k, factor=8)
    s[C].reorder("i", ko, "j", ki)
    s[C].parallel("i")
    s.buffer_read(B, [ki, "j"], depth=depth)
    s.buffer_read(A, [ki], depth=depth)
    s.buffer_write(C, ["j"])
    return sw.build(s, [A, B, C], target="sw26010", name=f"product_{depth}")


def timed(depth):
    kernel = product(depth)
    ones = np.ones((64, 64), "float32")
    kernel.run(ones, ones, mode="timed")
    return kernel


@pytest.fixture(scope="module")
def single():
    return timed(1)


@pytest.fixture(scope="module")
def double():
    return timed(2)


def test_is_there_in_timed_mode_only(single):
    ones = np.ones((64, 64), "float32")
    kernel = product(1)
    kernel.run(ones, ones, mode="functional")
    assert kernel.last_run.timeline is None
    assert single.last_run.timeline.cycles == single.last_run.cycles


def test_agrees_with_the_counters_of_the_run(single):
    run, timeline = single.last_run, single.last_run.timeline
    assert timeline.resolution == 0
    assert len(timeline.cores) == 64
    assert sum(t.bytes for t in timeline.transfers if t.direction == "get") == run.bytes["get"]
    assert sum(t.bytes for t in timeline.transfers if t.direction == "put") == run.bytes["put"]
    assert sum(core.get_bytes for core in timeline.cores) == run.bytes["get"]
    assert max(core.ldm_peak_bytes for core in timeline.cores) == run.ldm_peak_bytes
    for kind, cycles in run.stalls.items():
        assert sum(core.stalls[kind] for core in timeline.cores) == cycles
        spans = sum(w.end - w.begin for w in timeline.waits if w.kind == kind)
        if kind not in ("main_memory", "instructions"):  # which have no spans
            assert abs(spans - cycles) <= len(timeline.waits)  # each is rounded
    assert max(r.end for r in timeline.runs) - min(r.begin for r in timeline.runs) == pytest.approx(
        run.cpe_cycles, abs=2
    )


def test_times_of_a_core_follow_each_other(single):
    timeline = single.last_run.timeline
    last = defaultdict(int)
    for wait in timeline.waits:
        assert last[wait.core] <= wait.begin < wait.end <= timeline.cycles
        last[wait.core] = wait.end
    for run in timeline.runs:
        assert run.function == "product_1_cpe"
        assert 0 <= run.begin < run.end <= timeline.cycles
    for t in timeline.transfers:
        assert t.issued < t.completed <= timeline.cycles
        assert t.requests == 1


def test_transfers_name_their_line_in_the_sources(single):
    name = "product_1_cpe.c"
    lines = single.source[name].splitlines()
    for t in single.last_run.timeline.transfers:
        file, _, number = t.where.rpartition(":")
        assert file == name
        assert f"athread_{t.direction}(" in lines[int(number) - 1]


def test_a_second_buffer_hides_transfers(single, double):
    assert single.last_run.timeline.overlap < 0.01
    assert double.last_run.timeline.overlap > 0.2
    assert "% of the transfers' time is hidden" in str(double.last_run.timeline)


def test_cores_with_more_to_do_show():
    A = sw.placeholder((96, 64), name="A")
    B = sw.compute((96, 64), lambda i, j: A[i, j] * 2, name="B")
    s = sw.create_schedule(B)
    s[B].parallel("i")
    s.buffer_read(A, ["j"])
    s.buffer_write(B, ["j"])
    kernel = sw.build(s, [A, B], target="sw26010", name="rows")
    kernel.run(np.ones((96, 64), "float32"), mode="timed")
    timeline = kernel.last_run.timeline
    times = sorted(core.computing for core in timeline.cores)
    assert times[-1] > 1.5 * times[0]
    assert timeline.imbalance == pytest.approx(64 * times[-1] / sum(times))
    assert timeline.imbalance > 1.2


def hand_written(folder, work):
    """A kernel whose cores run `work` on 512 floats."""
    (folder / "mpe.c").write_text(
        "#include <athread.h>\nextern void SLAVE_FUN(work)(float *);\n"
        "void kernel(float *x) { athread_init(); athread_spawn(work, x); athread_join(); }\n"
    )
    (folder / "cpe.c").write_text("#include <slave.h>\n" + work)
    (folder / "kernel.toml").write_text(
        '[kernel]\nname = "kernel"\ntarget = "sw26010"\nentry = "kernel"\n'
        '[sources]\nmpe = ["mpe.c"]\ncpe = ["cpe.c"]\n'
        '[[argument]]\nname = "x"\ndtype = "float32"\nshape = [512]\nrole = "inout"\n'
    )
    return sw.hand_kernel(folder)


def test_plain_accesses_of_main_memory_count(tmp_path):
    kernel = hand_written(
        tmp_path,
        "void work(float *x) {\n  for (int k = 0; k < 8; ++k) x[8 * _MYID + k] += 1;\n}\n",
    )
    kernel.run(np.zeros(512, "float32"), mode="timed")
    timeline = kernel.last_run.timeline
    for core in timeline.cores:
        assert core.stalls["main_memory"] >= 8 * (177 + 101)
        assert 0 <= core.computing < core.stalls["main_memory"]
    assert timeline.shares["main_memory"] > 0.9
    assert timeline.overlap is None


def test_blocks_of_the_heap_show_in_the_scratchpad(tmp_path):
    kernel = hand_written(
        tmp_path,
        "void work(float *x) {\n"
        "  float *a = ldm_malloc(4096), *b = ldm_malloc(8192);\n"
        "  ldm_free(a, 4096);\n  ldm_free(b, 8192);\n}\n",
    )
    kernel.run(np.zeros(512, "float32"), mode="timed")
    levels = [level.bytes for level in kernel.last_run.timeline.levels if level.core == 3]
    base = levels[0]
    assert [level - base for level in levels[:4]] == [0, 4096, 12288, 0]


def test_a_trace_holds_what_the_timeline_holds(double, tmp_path):
    timeline = double.last_run.timeline
    path = timeline.to_chrome(tmp_path / "trace.json")
    events = json.loads(path.read_text())["traceEvents"]
    spans = [event for event in events if event["ph"] == "X"]
    assert len(spans) == len(timeline.runs) + len(timeline.waits) + len(timeline.transfers)
    moved = [event for event in spans if event["pid"] == 1]
    assert {event["args"]["where"] for event in moved} == {t.where for t in timeline.transfers}
    longest = max(event["ts"] + event["dur"] for event in spans)
    assert longest <= timeline.cycles / timeline.clock_mhz
    lanes = defaultdict(list)
    for event in moved:  # what a trace viewer draws in one row must not overlap
        lanes[event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    for spans_of_lane in lanes.values():
        ordered = sorted(spans_of_lane)
        ends = [end for _, end in ordered]
        begins = [begin for begin, _ in ordered]
        assert all(e <= b + 1e-9 for e, b in zip(ends, begins[1:], strict=False))


def test_long_runs_are_joined_and_stay_exact(tmp_path):
    kernel = sw.hand_kernel(HAND / "conv_registers")
    rng = np.random.default_rng(0)
    kernel.run(*(rng.standard_normal(a.shape) for a in kernel.arguments if a.is_read), mode="timed")
    timeline = kernel.last_run.timeline
    assert timeline.resolution > 0
    assert len(timeline.waits) + len(timeline.transfers) < 100_000
    assert sum(t.bytes for t in timeline.transfers) == (
        kernel.last_run.bytes["get"] + kernel.last_run.bytes["put"]
    )
    joined = sum(w.waited for w in timeline.waits if w.kind == "message")
    assert 0 < joined <= kernel.last_run.stalls["message"]
    assert timeline.to_html(tmp_path / "t.html").stat().st_size < 20_000_000


def test_the_command_writes_them(tmp_path):
    folder = HAND / "matmul_athread"
    from solway import cli

    page, trace = tmp_path / "t.html", tmp_path / "t.json"
    assert cli.main(["emulate", str(folder), "--mode", "timed", "--timeline", str(page)]) == 0
    assert cli.main(["emulate", str(folder), "--mode", "timed", "--timeline", str(trace)]) == 0
    assert json.loads(trace.read_text())["traceEvents"]
    assert "<section" in page.read_text()


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--timeline", "t.html"], "there is no timeline in mode 'functional'"),
        (["--mode", "timed", "--timeline", "t.txt"], "'t.txt' is no file for a timeline"),
    ],
)
def test_the_command_refuses(words, what, capsys):
    from solway import cli

    assert cli.main(["emulate", str(HAND / "matmul_athread"), *words]) != 0
    assert what in capsys.readouterr().err


def drawn(page, script, tmp_path):
    """The page as Chromium has it after `script` ran at its end."""
    copy = tmp_path / "with_script.html"
    copy.write_text(page.read_text().replace("</body>", f"<script>{script}</script></body>"))
    return run_browser(copy, "--dump-dom", "--window-size=1200,900")


# A wheel turned over the middle, what a pointer there shows, then everything again; and whether
# the cores are drawn in the colour of what they do.
SCRIPT = """
const section = document.querySelector("section.timeline");
const canvas = section.querySelector("canvas");
const at = (name, more) => {
  const box = canvas.getBoundingClientRect();
  const place = { clientX: box.left + box.width / 2, clientY: box.top + 30, bubbles: true };
  const Kind = name.startsWith("pointer") ? PointerEvent : WheelEvent;
  canvas.dispatchEvent(new Kind(name, { ...place, cancelable: true, ...more }));
};
const note = (key, value) => { document.body.dataset[key] = value; };
note("all", section.dataset.shown);
for (let k = 0; k < 8; ++k) at("wheel", { deltaY: -100 });
note("zoomed", section.dataset.shown);
at("pointermove");
note("tip", section.querySelector(".tip").textContent);
canvas.dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
note("again", section.dataset.shown);
const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
const seen = new Set();
for (let i = 0; i < pixels.length; i += 4) seen.add(pixels.slice(i, i + 3).join(" "));
note("blue", seen.has("59 125 216"));
note("orange", seen.has("230 159 0"));
"""


def test_a_browser_draws_it_and_zooms(double, tmp_path):
    timeline = double.last_run.timeline
    dom = drawn(timeline.to_html(tmp_path / "t.html"), SCRIPT, tmp_path)
    noted = dict(re.findall(r'data-(\w+)="([^"]*)"', dom.split("<body", 1)[1].split(">", 1)[0]))
    assert noted["all"] == noted["again"] == f"0 {timeline.cycles}"
    begin, end = map(int, noted["zoomed"].split())
    assert end - begin == pytest.approx(timeline.cycles * 0.8**8, abs=2)
    assert 0 < begin < timeline.cycles / 2 < end
    assert noted["tip"].startswith("core 0, cycle ")
    assert noted["blue"] == noted["orange"] == "true"


def test_the_page_of_a_comparison_has_all(single, double, tmp_path):
    ones = np.ones((64, 64), "float32")
    with sw.emulator():  # compare takes timed mode itself
        found = sw.compare(
            {"single": single, "double": double, "numpy": np.matmul}, inputs=[ones, ones]
        )
    path = found.to_html(tmp_path / "c.html")
    page = path.read_text()
    assert page.count('<section class="timeline">') == 2
    assert "double: " in page and "FLOP per byte moved" in page
    assert "bytes in 64 requests" in page  # beside the C
    assert "test_timeline.py:" in page  # the line that it stands for
    dom = drawn(path, "", tmp_path)
    assert len(re.findall(r'<section class="timeline" data-shown=', dom)) == 2
