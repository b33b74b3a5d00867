"""The main job on real input: a photograph through the first layer of AlexNet.

An 11x11 convolution with stride 4 takes a 224x224 photograph (it ships in scikit-learn), with two
zeros around it, from 3 to 64 channels. The first weights are fixed edge and blur filters, so that
the result can be looked at: the feature maps go to ``out/demo.png``.

One program runs on this machine through LLVM, as portable C, and as athread C for SW26010 in the
emulator, there with a schedule by hand and with one by the planner. All results are compared with
NumPy, with athread C that somebody wrote by hand, and with a matrix product by OpenBLAS.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import solway as sw
from tqdm import tqdm

CHANNELS, FILTERS, KERNEL, STRIDE, SIZE, PADDING = 3, 64, 11, 4, 224, 2
OUT = (SIZE + 2 * PADDING - KERNEL) // STRIDE + 1
PADDED = (OUT - 1) * STRIDE + KERNEL
HAND = Path(__file__).parents[1] / "bench" / "hand" / "sw26010" / "conv_athread"

Program = tuple[sw.Tensor, sw.Tensor, sw.Tensor, sw.Tensor]


def photograph() -> np.ndarray:
    """The middle 224x224 of a photograph, channels first, values from 0 to 255."""
    from sklearn.datasets import load_sample_image

    image = load_sample_image("china.jpg")
    top, left = (image.shape[0] - SIZE) // 2, (image.shape[1] - SIZE) // 2
    crop = image[top : top + SIZE, left : left + SIZE]
    return np.ascontiguousarray(crop.transpose(2, 0, 1), dtype=np.float32)


def weights() -> np.ndarray:
    """Blur, two edge filters and a Laplacian, then small integers, so that sums are exact."""
    rng = np.random.default_rng(0)
    w = rng.integers(-2, 3, (FILTERS, CHANNELS, KERNEL, KERNEL)).astype(np.float32)
    middle = KERNEL // 2
    w[:4] = 0
    w[0] = 1
    w[1, :, :, :middle], w[1, :, :, middle + 1 :] = -1, 1
    w[2, :, :middle], w[2, :, middle + 1 :] = -1, 1
    w[3] = -1
    w[3, :, middle, middle] = KERNEL * KERNEL - 1
    return w


def windows(image: np.ndarray) -> np.ndarray:
    """What each output reads: [channel, y, x, row, column], without a copy."""
    padded = np.pad(image, ((0, 0), (PADDING, PADDING), (PADDING, PADDING)))
    views = np.lib.stride_tricks.sliding_window_view(padded, (KERNEL, KERNEL), axis=(1, 2))
    return views[:, ::STRIDE, ::STRIDE]


def by_numpy(image: np.ndarray, w: np.ndarray) -> np.ndarray:
    """The same convolution by NumPy."""
    return np.einsum("cyxrq,fcrq->fyx", windows(image), w, optimize=True)


class ByOpenblas:
    """The same convolution as a matrix product; making the columns by NumPy is part of a call."""

    def __init__(self) -> None:
        depth = CHANNELS * KERNEL * KERNEL
        m = sw.placeholder((FILTERS, depth), name="M")
        n = sw.placeholder((depth, OUT * OUT), name="N")
        k = sw.reduce_axis(depth, name="k")
        product = sw.compute(
            (FILTERS, OUT * OUT), lambda i, j: sw.sum(m[i, k] * n[k, j], axis=k), name="MN"
        )
        self._sgemm = sw.library.openblas_sgemm(m, n, product)
        self.product_seconds: list[float] = []

    def __call__(self, image: np.ndarray, w: np.ndarray) -> np.ndarray:
        """One call on the photograph and the weights."""
        columns = windows(image).transpose(0, 3, 4, 1, 2).reshape(-1, OUT * OUT)
        result = self._sgemm.run(w.reshape(FILTERS, -1), columns)
        self.product_seconds.append(self._sgemm.last_run.seconds)
        return result.reshape(FILTERS, OUT, OUT)


def program() -> Program:
    """What is computed: the photograph with zeros around it, then Figure 3's convolution.

    The columns of ``P`` stand in as many phases as the stride, x at [x % 4, x // 4], so that what
    neighbouring results read stands side by side.
    """
    a = sw.placeholder((CHANNELS, SIZE, SIZE), name="A")
    w = sw.placeholder((FILTERS, CHANNELS, KERNEL, KERNEL), name="W")
    end = PADDING + SIZE

    def padded(c: sw.Expr, y: sw.Expr, phase: sw.Expr, q: sw.Expr) -> sw.Expr:
        x = q * STRIDE + phase
        inside = sw.all_of(PADDING <= y, y < end, PADDING <= x, x < end)
        return sw.select(inside, a[c, y - PADDING, x - PADDING], 0.0)

    p = sw.compute((CHANNELS, PADDED, STRIDE, -(-PADDED // STRIDE)), padded, name="P")
    rc = sw.reduce_axis(CHANNELS, name="rc")
    ry = sw.reduce_axis(KERNEL, name="ry")
    rx = sw.reduce_axis(KERNEL, name="rx")

    def convolved(ff: sw.Expr, yy: sw.Expr, xx: sw.Expr) -> sw.Expr:
        pixel = p[rc, yy * STRIDE + ry, rx % STRIDE, xx + rx // STRIDE]
        return sw.sum(pixel * w[ff, rc, ry, rx], axis=(rc, ry, rx))

    return a, w, p, sw.compute((FILTERS, OUT, OUT), convolved, name="B")


def for_this_machine(p: Program) -> sw.Schedule:
    """Four filters at a time over a whole row of the result, their sums in vector registers."""
    _, _, _, b = p
    s = sw.create_schedule(b)
    outer, inner = s[b].split("ff", factor=4)
    s[b].reorder("yy", outer, "rc", "ry", "rx", inner, "xx")
    s.buffer_write(b, at=outer, scope="register")
    s[b].unroll(inner)
    s[b].vectorize("xx")
    return s


def for_sw26010(p: Program) -> sw.Schedule:
    """A row of the result per core: its 11 rows of the image stay, filters come 8 at a time."""
    a, w, padded, b = p
    s = sw.create_schedule(b, target="sw26010")
    s[padded].reorder("y", "c", "phase", "q")
    s.buffer_read(a, at=s[padded].axis[1])
    s.buffer_write(padded, at=s[padded].axis[1])
    s[padded].parallel("y")
    outer, inner = s[b].split("ff", factor=8)
    s[b].reorder("yy", outer, "rc", "ry", "rx", inner, "xx")
    s.buffer_read(w, at=outer)
    s.buffer_read(padded, at="yy")
    s.buffer_write(b, at=outer)
    s[b].parallel("yy")
    return s


def by_planner(p: Program) -> tuple[sw.Schedule, str]:
    """Buffers, tiles and loop order by the algorithms of the swTVM paper; what they chose."""
    s = sw.create_schedule(p[3], target="sw26010")
    return s, str(s.auto_buffer("sw26010", planner="greedy"))


def write_picture(maps: np.ndarray, image: np.ndarray, path: Path) -> None:
    """The photograph and the first four feature maps, side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(15, 3.4))
    axes = figure.subplots(1, 5)
    titles = ["photograph", "blur", "vertical edges", "horizontal edges", "Laplacian"]
    pictures = [image.transpose(1, 2, 0).astype(np.uint8), *np.abs(maps[:4])]
    for axis, title, picture in zip(axes, titles, pictures, strict=True):
        axis.imshow(picture, cmap=None if picture.ndim == 3 else "gray")
        axis.set_title(title)
        axis.set_axis_off()
    figure.tight_layout()
    figure.savefig(path, dpi=100)


def show(name: str, s: sw.Schedule) -> None:
    """The loops of a schedule, and its buffers in the LDM."""
    print(f"== {name}\n{s}\n{s.ldm_report('sw26010')}\n")


def main() -> int:
    """Builds for every target, compares, shows."""
    steps = tqdm(total=7, file=sys.stderr, bar_format="{n}/{total} {desc} [{elapsed}]")

    def step(what: str) -> None:
        steps.update()
        steps.set_description_str(what)

    step("photograph and weights")
    path = Path("out") / "demo.png"
    path.parent.mkdir(exist_ok=True)
    image, w = photograph(), weights()
    p = program()
    args = [p[0], p[1], p[3]]
    step("schedules by hand")
    here, there = for_this_machine(p), for_sw26010(p)
    step("schedule by the planner")
    planned, choice = by_planner(p)
    step("build")
    kernels = {
        "host": sw.build(here, args, name="conv"),
        "c": sw.build(here, args, target="c", name="conv"),
        "host, as SW26010": sw.build(there, args, name="conv"),
        "sw26010": sw.build(there, args, target="sw26010", name="conv"),
        "sw26010, planner": sw.build(planned, args, target="sw26010", name="planned"),
    }
    step("run and compare")
    hand = sw.hand_kernel(HAND, args=args)
    openblas = ByOpenblas()
    others = {"athread by hand": hand, "numpy": by_numpy, "OpenBLAS with im2col": openblas}
    found = sw.compare({**kernels, **others}, inputs=[image, w])
    step("picture")
    write_picture(kernels["sw26010"].run(image, w), image, path)
    step("done")
    steps.close()

    show("sw26010, by hand", there)
    show("sw26010, by the planner", planned)
    print(f"{choice}\n\n== comparison\n{found}")
    product = min(openblas.product_seconds) * 1e3
    print(f"OpenBLAS with im2col: of its min, the product alone is {product:.2f} ms")
    print(f"feature maps: {path}")
    different = [name for name, m in found.measurements.items() if m.error != 0]
    print(
        f"not equal: {', '.join(different)}" if different else "every result equals NumPy, exactly"
    )
    return int(bool(different))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (sw.Error, OSError) as error:
        sys.exit(f"demo: {error}")
