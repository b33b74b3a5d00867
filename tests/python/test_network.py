"""Networks: layers joined by tensors, one area of memory, one program."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
import solway as sw

HOST = Path(__file__).parents[2] / "examples" / "scratchpad_host"
TARGETS = ("host", "c", "sw26010", "sw26010pro", "example-cluster")
C, H, F = 4, 12, 8


def convolution(x, w, name):
    """Of 3 x 3 with zeros around, in two stages: the padded image is a temporary."""
    channels, size, _ = x.shape
    padded = sw.compute(
        (channels, size + 2, size + 2),
        lambda c, y, z: sw.select(
            sw.all_of(y >= 1, y <= size, z >= 1, z <= size), x[c, y - 1, z - 1], 0.0
        ),
        name=f"{name}_padded",
    )
    c, ry, rx = (sw.reduce_axis(n, name=r) for n, r in ((channels, "c"), (3, "ry"), (3, "rx")))
    return sw.compute(
        (w.shape[0], size, size),
        lambda f, y, z: sw.sum(padded[c, y + ry, z + rx] * w[f, c, ry, rx], axis=[c, ry, rx]),
        name=name,
    )


class Layers:
    """conv, relu and pool, conv, fully connected: each a layer that reads the one before."""

    def __init__(self):
        self.x = sw.placeholder((C, H, H), name="x")
        self.w1 = sw.placeholder((F, C, 3, 3), name="w1")
        self.conv1 = convolution(self.x, self.w1, "conv1")
        ry, rx = sw.reduce_axis(2, name="ry"), sw.reduce_axis(2, name="rx")
        conv1 = self.conv1
        self.pool = sw.compute(
            (F, H // 2, H // 2),
            lambda f, y, z: sw.max(
                sw.maximum(conv1[f, y * 2 + ry, z * 2 + rx], 0.0), axis=[ry, rx]
            ),
            name="pool",
        )
        self.w2 = sw.placeholder((F, F, 3, 3), name="w2")
        self.conv2 = convolution(self.pool, self.w2, "conv2")
        conv2 = self.conv2
        self.w3 = sw.placeholder((10, F, H // 2, H // 2), name="w3")
        w3 = self.w3
        axes = [sw.reduce_axis(n, name=a) for n, a in ((F, "f"), (H // 2, "i"), (H // 2, "j"))]
        self.y = sw.compute(
            (10,),
            lambda o: sw.sum(w3[(o, *axes)] * conv2[tuple(axes)], axis=axes),
            name="y",
        )

    def parts(self, plan=None):
        out = []
        for output, args, given in (
            (self.conv1, [self.x, self.w1], []),
            (self.pool, [self.conv1], [self.conv1]),
            (self.conv2, [self.pool, self.w2], [self.pool]),
            (self.y, [self.conv2, self.w3], [self.conv2]),
        ):
            s = sw.create_schedule(output, inputs=given)
            if plan is not None:
                plan(s)
            out.append((s, [*args, output]))
        return out

    def inputs(self):
        rng = np.random.default_rng(7)
        return [
            rng.integers(-3, 4, t.shape).astype("float32")
            for t in (self.x, self.w1, self.w2, self.w3)
        ]


def numpy_convolution(x, w):
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))
    return np.einsum("cyzij,fcij->fyz", windows, w)


def expected(x, w1, w2, w3):
    a = np.maximum(numpy_convolution(x, w1), 0)
    pool = a.reshape(F, H // 2, 2, H // 2, 2).max(axis=(2, 4))
    conv2 = numpy_convolution(pool, w2)
    return np.einsum("ofyz,fyz->o", w3, conv2), pool


@pytest.mark.parametrize("target", TARGETS)
def test_layers_pass_on_what_they_compute(target):
    layers = Layers()
    net = sw.build_network(layers.parts(), target=target, name="net")
    arrays = layers.inputs()
    np.testing.assert_array_equal(net.run(*arrays), expected(*arrays)[0])
    assert net.layers == ("net_conv1", "net_pool", "net_conv2", "net_y")
    assert [a.name for a in net.arguments] == ["x", "w1", "w2", "w3", "y"]


@pytest.mark.parametrize("landing", ["at_issue", "at_wait", "random"])
def test_planned_layers_share_the_scratchpad(landing):
    layers = Layers()

    def plan(s):
        s.auto_buffer("sw26010", planner="greedy")

    net = sw.build_network(layers.parts(plan), target="sw26010", name="net")
    arrays = layers.inputs()
    with sw.emulator("hazard", landing=landing, seed=3):
        result = net.run(*arrays)
    np.testing.assert_array_equal(result, expected(*arrays)[0])
    assert net.last_run.bytes["get"] > 0
    assert "extern __thread_local char net_ldm[];" in net.source["net_conv1_cpe.c"]
    assert net.last_run.ldm_peak_bytes <= 65536


def test_two_layers_may_each_fill_the_scratchpad():
    n = 64 * 10240
    x = sw.placeholder((n,), name="x")
    h = sw.compute((n,), lambda i: x[i] * 2, name="h")
    y = sw.compute((n,), lambda i: h[i] + 1, name="y")
    parts = []
    for output, source, given in ((h, x, []), (y, h, [h])):
        s = sw.create_schedule(output, inputs=given)
        outer, inner = s[output].split("i", factor=5120)
        s[output].parallel(outer)
        s.buffer_read(source, [inner])
        s.buffer_write(output, [inner])
        assert s.ldm_report("sw26010").to_dict()["memories"][0]["total_bytes"] == 40960
        parts.append((s, [source, output]))
    net = sw.build_network(parts, target="sw26010", name="net")
    a = np.arange(n, dtype="float32")
    np.testing.assert_array_equal(net.run(a, mode="hazard"), a * 2 + 1)
    assert net.last_run.ldm_peak_bytes < 2 * 40960


def test_arrays_that_never_meet_share_bytes():
    layers = Layers()
    memory = sw.build_network(layers.parts(), target="c", name="net").memory
    assert memory.least_bytes <= memory.area_bytes < memory.apart_bytes
    by_name = {a.name: a for a in memory.arrays}
    assert set(by_name) == {
        "conv1",
        "pool",
        "conv2",
        "net_conv1.conv1_padded",
        "net_conv2.conv2_padded",
    }
    assert by_name["conv1"].layers == ("net_conv1", "net_pool")
    spans = {"net_conv1": 0, "net_pool": 1, "net_conv2": 2, "net_y": 3}
    for a in memory.arrays:
        for b in memory.arrays:
            meet = a is not b and not (
                spans[a.layers[1]] < spans[b.layers[0]] or spans[b.layers[1]] < spans[a.layers[0]]
            )
            apart = (
                a.offset_bytes + a.size_bytes <= b.offset_bytes
                or b.offset_bytes + b.size_bytes <= a.offset_bytes
            )
            assert not meet or apart
    text = str(memory)
    assert "net_conv1.conv1_padded" in text
    assert f"{memory.area_bytes:,} bytes" in text


def test_outputs_that_are_asked_for():
    layers = Layers()
    net = sw.build_network(
        layers.parts(), target="host", name="net", outputs=[layers.pool, layers.y]
    )
    arrays = layers.inputs()
    pool, y = net.run(*arrays)
    right, right_pool = expected(*arrays)
    np.testing.assert_array_equal(y, right)
    np.testing.assert_array_equal(pool, right_pool)


def test_a_layer_may_change_a_tensor_in_place():
    x = sw.placeholder((8,), name="x")
    h = sw.compute((8,), lambda i: x[i] * 2, name="h")
    h2 = sw.update(h, (7,), lambda i: i + 1, lambda i: h[i] + h[i + 1], name="h2")
    y = sw.compute((8,), lambda i: h2[i] - 1, name="y")
    parts = [
        (sw.create_schedule(h), [x, h]),
        (sw.create_schedule(h2, inputs=[h]), [h2]),
        (sw.create_schedule(y, inputs=[h2]), [h2, y]),
    ]
    a = np.arange(8, dtype="float32")
    for target in TARGETS:
        net = sw.build_network(parts, target=target, name="net")
        np.testing.assert_array_equal(net.run(a), np.cumsum(a * 2) - 1)


def test_the_saved_program_reads_and_writes_files(tmp_path):
    layers = Layers()
    net = sw.build_network(layers.parts(), target="c", name="net")
    net.save(tmp_path)
    subprocess.run(["make", "-s", "-C", tmp_path, "CFLAGS=-O1 -Wall -Werror"], check=True)
    arrays = layers.inputs()
    for name, array in zip(("x", "w1", "w2", "w3"), arrays, strict=True):
        array.tofile(tmp_path / f"{name}.bin")
    program = tmp_path / "net"
    subprocess.run([program, tmp_path], check=True)
    result = np.fromfile(tmp_path / "y.bin", dtype="float32")
    np.testing.assert_array_equal(result, expected(*arrays)[0])
    # It is linked statically, and says what is wrong with a file.
    assert b"NEEDED" not in subprocess.run(["readelf", "-d", program], capture_output=True).stdout
    (tmp_path / "w2.bin").write_bytes(b"short")
    failed = subprocess.run([program, tmp_path], capture_output=True, text=True)
    assert failed.returncode == 1
    assert "w2.bin: 'w2' takes 2304 bytes" in failed.stderr


def test_the_saved_program_of_another_machine_runs_on_what_implements_it(tmp_path):
    layers = Layers()

    def plan(s):
        s.auto_buffer("example-cluster", planner="greedy")

    net = sw.build_network(layers.parts(plan), target="example-cluster", name="net")
    net.save(tmp_path)
    flags = ["CFLAGS=-O1 -std=c99 -pthread -Wall -Werror", f"SCRATCHPAD={HOST}"]
    subprocess.run(["make", "-s", "-C", tmp_path, *flags], check=True)
    words = ["cc", "-std=c99", "-pthread", f"-I{HOST}", "net_main.o", HOST / "scratchpad.c"]
    subprocess.run([*words, "libnet.a", "-lm", "-o", "net"], cwd=tmp_path, check=True)
    arrays = layers.inputs()
    for name, array in zip(("x", "w1", "w2", "w3"), arrays, strict=True):
        array.tofile(tmp_path / f"{name}.bin")
    subprocess.run([tmp_path / "net", tmp_path], check=True)
    result = np.fromfile(tmp_path / "y.bin", dtype="float32")
    np.testing.assert_array_equal(result, expected(*arrays)[0])


def test_what_is_saved_for_sunway_is_emulated_from_its_folder(tmp_path):
    layers = Layers()
    net = sw.build_network(layers.parts(), target="sw26010", name="net")
    folder = tmp_path / "net"
    net.save(folder)
    hand = sw.hand_kernel(folder)
    arrays = layers.inputs()
    np.testing.assert_array_equal(hand.run(*arrays), expected(*arrays)[0])
    assert "athread_init" in net.source["net.c"]
    assert "fopen" in net.source["net_main.c"]


def test_timed_mode_counts_the_whole_network():
    layers = Layers()
    net = sw.build_network(layers.parts(), target="sw26010", name="net")
    net.run(*layers.inputs(), mode="timed")
    assert net.last_run.cycles > 0
    assert net.last_run.timeline is not None


def test_schedules_with_inputs_are_saved_and_loaded(tmp_path):
    layers = Layers()
    s = sw.create_schedule(layers.pool, inputs=[layers.conv1])
    s[layers.pool].split("f", factor=4)
    path = tmp_path / "pool.schedule"
    s.save(path)
    assert 's = sw.create_schedule(outputs, inputs=["conv1"])' in path.read_text()
    again = sw.load_schedule(path, [layers.pool])
    assert str(again) == str(s)
    assert list(again.tensors) == ["conv1", "pool"]


def test_inputs_are_arguments_of_a_kernel():
    x = sw.placeholder((4,), name="x")
    h = sw.compute((4,), lambda i: x[i] * 2, name="h")
    y = sw.compute((4,), lambda i: h[i] + x[i], name="y")
    kernel = sw.build(sw.create_schedule(y, inputs=["h"]), [x, h, y])
    assert [a.role for a in kernel.arguments] == ["in", "in", "out"]
    a = np.arange(4, dtype="float32")
    np.testing.assert_array_equal(kernel.run(a, a * 10), a * 11)


def test_promises_about_given_indices_are_checked():
    x = sw.placeholder((4,), "int64", name="x")
    index = sw.compute((4,), lambda i: x[i] * 2, name="index")
    table = sw.placeholder((8,), name="table")
    y = sw.compute((4,), lambda i: table[sw.bounded(index[i], 0, 8)], name="y")
    s = sw.create_schedule(y, inputs=[index])
    kernel = sw.build(s, [index, table, y], options=sw.Options(debug=True))
    values = np.arange(8, dtype="float32")
    np.testing.assert_array_equal(kernel.run(np.array([0, 2, 4, 6]), values), values[::2])
    with pytest.raises(sw.ArgumentMismatchError, match="breaks its promise"):
        kernel.run(np.array([0, 2, 4, 8]), values)
    network = [(sw.create_schedule(index), [x, index]), (s, [index, table, y])]
    with pytest.raises(sw.UnsupportedError, match="depend on data"):
        sw.build_network(network, options=sw.Options(debug=True))
    net = sw.build_network(network)
    np.testing.assert_array_equal(net.run(np.arange(4), values), values[::2])


def test_arguments_may_not_overlap():
    layers = Layers()
    net = sw.build_network(layers.parts(), target="host", name="net")
    block = np.zeros(F * F * 9, "float32")
    arrays = layers.inputs()
    arrays[2] = block.reshape(F, F, 3, 3)
    with pytest.raises(sw.ArgumentMismatchError, match="overlap"):
        net(*arrays, block[:10])


def test_networks_refuse_sizes():
    n = sw.size("n", max=64)
    x = sw.placeholder((n,), name="x")
    y = sw.compute((n,), lambda i: x[i] * 2, name="y")
    with pytest.raises(sw.UnsupportedError, match="size 'n'"):
        sw.build_network([(sw.create_schedule(y), [x, y])])


def test_an_input_and_what_it_was_before_are_not_both_read():
    x = sw.placeholder((8,), name="x")
    h = sw.compute((8,), lambda i: x[i] * 2, name="h")
    early = sw.compute((8,), lambda i: h[i] + 1, name="early")
    h2 = sw.update(h, (7,), lambda i: i + 1, lambda i: h[i] + h[i + 1], name="h2")
    y = sw.compute((8,), lambda i: h2[i] + early[i], name="y")
    with pytest.raises(sw.DslError, match="'h' is needed beside input 'h2'"):
        sw.create_schedule(y, inputs=[h2])
    s = sw.create_schedule(y, inputs=[h2, early])
    assert list(s.tensors) == ["h2", "early", "y"]
