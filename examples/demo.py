"""The main job on real input: a photograph through the first layer of AlexNet.

An 11x11 convolution with stride 4 takes a 224x224 photograph (it ships in scikit-learn) from 3 to
64 channels. The first weights are fixed edge and blur filters, so that the result can be looked at.
One schedule runs on this machine through LLVM and as portable C; both are checked against NumPy,
and the first feature maps are written to ``out/demo.png``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import solway as sw
from rich.console import Console
from rich.table import Table
from tqdm import tqdm

CHANNELS, FILTERS, KERNEL, STRIDE, SIZE = 3, 64, 11, 4, 224
OUT = (SIZE - KERNEL) // STRIDE + 1


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


def reference(image: np.ndarray, w: np.ndarray) -> np.ndarray:
    """The same convolution by NumPy."""
    windows = np.lib.stride_tricks.sliding_window_view(image, (KERNEL, KERNEL), axis=(1, 2))
    picked = windows[:, ::STRIDE, ::STRIDE]
    return np.einsum("cyxrq,fcrq->fyx", picked, w, optimize=True)


def convolution() -> tuple[sw.Schedule, list[sw.Tensor]]:
    """What is computed, and the loops that run it."""
    image = sw.placeholder((CHANNELS, SIZE, SIZE), name="A")
    w = sw.placeholder((FILTERS, CHANNELS, KERNEL, KERNEL), name="W")
    rc = sw.reduce_axis(CHANNELS, name="rc")
    ry = sw.reduce_axis(KERNEL, name="ry")
    rx = sw.reduce_axis(KERNEL, name="rx")
    out = sw.compute(
        (FILTERS, OUT, OUT),
        lambda ff, yy, xx: sw.sum(
            image[rc, yy * STRIDE + ry, xx * STRIDE + rx] * w[ff, rc, ry, rx], axis=(rc, ry, rx)
        ),
        name="B",
    )
    s = sw.create_schedule(out)
    outer, inner = s[out].split("ff", factor=8)
    s[out].reorder(outer, "yy", rc, ry, rx, inner, "xx")
    s[out].parallel(outer)
    return s, [image, w, out]


def write_picture(maps: np.ndarray, image: np.ndarray, path: Path) -> None:
    """The photograph and the first four feature maps, side by side."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 5, figsize=(15, 3.4))
    titles = ["photograph", "blur", "vertical edges", "horizontal edges", "Laplacian"]
    pictures = [image.transpose(1, 2, 0).astype(np.uint8), *np.abs(maps[:4])]
    for axis, title, picture in zip(axes, titles, pictures, strict=True):
        axis.imshow(picture, cmap=None if picture.ndim == 3 else "gray")
        axis.set_title(title)
        axis.set_axis_off()
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=100)


def main() -> int:
    """Runs every target, compares, shows; 1 when a result differs."""
    console = Console()
    image, w = photograph(), weights()
    expected = reference(image, w)
    s, args = convolution()
    console.print(str(s), highlight=False, markup=False)
    table = Table("target", "result", "ms")
    failed = False
    for target in tqdm(["host", "c"], desc="targets", file=sys.stderr):
        kernel = sw.build(s, args, target=target, name="conv")
        result = kernel.run(image, w)
        same = np.array_equal(result, expected)
        failed |= not same
        verdict = "equals NumPy" if same else "DIFFERS FROM NUMPY"
        table.add_row(target, verdict, f"{kernel.last_run.seconds * 1e3:.1f}")
    console.print(table)
    path = Path("out") / "demo.png"
    write_picture(result, image, path)
    console.print(f"feature maps: {path}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
