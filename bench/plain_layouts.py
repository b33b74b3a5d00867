"""Operators as programs write them at first, in plain layouts and without a schedule.

    python bench/plain_layouts.py [--only TEXT ...] [--rounds 20] [--search]

Each is scheduled by `auto_schedule` (by the model alone, or with `--search` by its measured search)
and takes turns with PyTorch's eager operators where these are installed
(`bench/cpu/requirements.txt`), on one thread, with what both need in caches. Results are compared
with NumPy's of float64 before anything is timed. The limit is the longer of two probes:
multiply-adds, and reading as many bytes as the arrays have. docs/cpu_schedules.md has the figures.
"""

from __future__ import annotations

import os
from collections.abc import Callable

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import solway as sw
from measuring import (
    PROBE_FLOPS,
    Candidate,
    aligned,
    of_call,
    parser_of_cases,
    probe,
    read_probe,
    run_in_turns,
)
from plain_cases import (
    Case,
    attention,
    beside,
    channels_last,
    convolution,
    framed,
    layer,
    pooled,
    reversed_order,
    spread_of_columns,
    turned,
)
from plain_index_cases import (
    between_zeros,
    complex_product,
    gated_layers,
    grey,
    product_of_bytes,
    repeated_border,
    rolled,
    times_itself,
    twice_as_large,
)

try:
    import torch
except ImportError:
    torch = None

CASES: dict[str, Callable[[], Case]] = {
    "turned, 1024 x 1024": lambda: turned(1024, 1024),
    "turned, 700 x 1000": lambda: turned(700, 1000),
    "NCHW to NHWC, 64 of 56 x 56": lambda: channels_last(64, 56),
    "border of zeros, 64 of 56 x 56": lambda: framed(64, 56),
    "border of what is inside, 64 of 56 x 56": lambda: repeated_border(64, 56),
    "rows that begin again, 1024 x 1024": lambda: rolled(1024, 100),
    "twice as large, 16 of 56 x 56": lambda: twice_as_large(16, 56),
    "complex numbers, 256 K": lambda: complex_product(1 << 18),
    "grey of 512 x 512 x 3 bytes": lambda: grey(512),
    "side by side, 3136 x 64 twice": lambda: beside(3136, 64),
    "the last first, 1 M": lambda: reversed_order(1 << 20),
    "largest of 2 x 2, 64 of 56 x 56": lambda: pooled(64, 56),
    "variance of columns, 1024 x 256": lambda: spread_of_columns(1024, 256),
    "layer, 4 x 1024 to 4096": lambda: layer(4, 4096, 1024),
    "layer, 64 x 512 to 512": lambda: layer(64, 512, 512),
    "3 x 3, NCHW, 64 to 64, 56 x 56": lambda: convolution(64, 64, 56, 3, 1),
    "3 x 3, NHWC, 64 to 64, 56 x 56": lambda: convolution(64, 64, 56, 3, 1, last=True),
    "3 x 3 / 2, NCHW, 64 to 128, 56 x 56": lambda: convolution(64, 128, 56, 3, 2),
    "3 x 3, NCHW, 512 to 512, 7 x 7": lambda: convolution(512, 512, 7, 3, 1),
    "7 x 7 / 2, NCHW, 3 to 64, 224 x 224": lambda: convolution(3, 64, 224, 7, 2),
    "3 x 3, NCHW, 128 in 32 groups, 28 x 28": lambda: convolution(128, 128, 28, 3, 1, 32),
    "3 x 3, NCHW, 128 in 4 groups, 28 x 28": lambda: convolution(128, 128, 28, 3, 1, 4),
    "3 x 3 transposed by 2, NCHW, 32 to 16, 28 x 28": lambda: between_zeros(32, 16, 28),
    "3 x 3 each channel, NCHW, 32, 56 x 56": lambda: convolution(32, 32, 56, 3, 1, 32),
    "3 x 3 / 2 each channel, NCHW, 144, 56 x 56": lambda: convolution(144, 144, 56, 3, 2, 144),
    "5 x 5 each channel, NCHW, 240, 14 x 14": lambda: convolution(240, 240, 14, 5, 1, 240),
    "gated layers, 64 x 512 to 1376 to 512": lambda: gated_layers(64, 512, 1376),
    "an array times itself, 256 x 512": lambda: times_itself(256, 512),
    "bytes, 64 x 512 x 512 to int32": lambda: product_of_bytes(64, 512, 512),
    "attention, 4 of 200 x 80": lambda: attention(4, 200, 80, causal=False),
    "attention, causal, 12 of 256 x 64": lambda: attention(12, 256, 64, causal=True),
    "attention, causal, 12 of 1024 x 64": lambda: attention(12, 1024, 64, causal=True),
}


def of_type(values: np.ndarray, tensor: sw.Tensor) -> np.ndarray:
    """The values in a tensor's type; bytes are never negative, so that all of them have them."""
    if tensor.dtype == "float32":
        return aligned(values)
    return (np.abs(values) if tensor.dtype == "uint8" else values).astype(tensor.dtype)


def candidates_of(case: Case, search: bool) -> dict[str, Candidate]:
    """Probes, solway, and PyTorch where it is there; values are compared before."""
    rng = np.random.default_rng(0)
    arrays = [of_type(rng.integers(-3, 4, t.shape), t) for t in case.inputs]
    out = of_type(np.zeros(case.output.shape), case.output)
    schedule = sw.create_schedule(case.output)
    schedule.auto_schedule("host", search=search)
    kernel = sw.build(schedule, [*case.inputs, case.output])
    kernel(*arrays, out)
    expected = case.reference(*(a.astype("float64") for a in arrays))
    atol = 1e-5 * float(np.abs(expected).max())
    np.testing.assert_allclose(out, expected, rtol=1e-4, atol=atol)
    count = (sum(a.nbytes for a in arrays) + out.nbytes) // 4
    found: dict[str, Candidate] = {"fma": probe(), "read": read_probe(count)}
    found["solway"] = of_call(lambda: kernel(*arrays, out))
    if torch is not None:
        given = [torch.from_numpy(a) for a in arrays]
        np.testing.assert_allclose(case.peer(*given).numpy(), expected, rtol=1e-4, atol=atol)
        found["torch"] = of_call(lambda: case.peer(*given))
    return found


def main() -> None:
    """Measures what the command line asks for."""
    parser = parser_of_cases(__doc__)
    parser.add_argument("--search", action="store_true", help="with the measured search")
    given = parser.parse_args()
    if torch is None:
        print("without PyTorch, which is not installed")
    else:
        torch.set_num_threads(1)
    print(f"{'least and median us':44} {'limit':>8} {'solway':>17} {'torch':>17}  ratios")
    most_of_others = 0.0
    for name, make in CASES.items():
        if not any(text in name for text in given.only):
            continue
        case = make()
        seconds, others = run_in_turns(candidates_of(case, given.search), given.rounds, warm=2)
        most_of_others = max(most_of_others, others)
        limit = max(min(seconds["fma"]) * case.flops / PROBE_FLOPS, min(seconds["read"]))
        line = f"{name:44} {limit * 1e6:8.1f}"
        for who in ("solway", "torch"):
            if who in seconds:
                low, middle = min(seconds[who]), float(np.median(seconds[who]))
                line += f" {low * 1e6:8.1f} {middle * 1e6:8.1f}"
        if "torch" in seconds:
            least = min(seconds["torch"]) / min(seconds["solway"])
            usual = float(np.median(seconds["torch"]) / np.median(seconds["solway"]))
            line += f"  {least:.2f} ({usual:.2f})"
        print(line, flush=True)
    print(f"other processes: at most {most_of_others:.2f} cores")


if __name__ == "__main__":
    main()
