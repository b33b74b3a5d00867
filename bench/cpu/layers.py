"""The layers of the benchmark of CPUs, by groups, and the goals of these."""

from __future__ import annotations

from typing import NamedTuple

from operations import (
    Attention,
    Convolution,
    FullyConnected,
    Gelu,
    LayerNorm,
    Operation,
    Pool,
    Product,
    Softmax,
)

__all__ = ["GROUPS", "Goal", "Group"]


class Goal(NamedTuple):
    """How many times as fast as the best peer.

    Args:
        each: layer should be.
        mean: the geometric mean of all layers.
    """

    each: float
    mean: float


class Group(NamedTuple):
    """Layers of a kind.

    Args:
        what: of all of them.
        goal: of what is computed as it is written.
        layers: by name.
        of_limit: which part of the limit each should reach; 0: none is set.
        fast_goal: with fast_math; None: none is set.
    """

    what: str
    goal: Goal
    layers: dict[str, Operation]
    of_limit: float = 0.0
    fast_goal: Goal | None = None


def dense(channels: int, filters: int, image: int, kernel: int, stride: int = 1) -> Convolution:
    """A convolution that keeps the size of its image, or divides it by the stride."""
    return Convolution(channels, filters, image, kernel, stride, border=kernel // 2)


def each(channels: int, image: int, kernel: int, stride: int = 1) -> Convolution:
    """The same of each channel by itself."""
    return Convolution(channels, channels, image, kernel, stride, kernel // 2, groups=channels)


GROUPS = {
    "dense": Group(
        "dense convolutions, 3 x 3, stride 1",
        Goal(each=0.98, mean=1.0),
        {
            "AlexNet 3: 192 to 384, 13 x 13": dense(192, 384, 13, 3),
            "AlexNet 4: 384 to 256, 13 x 13": dense(384, 256, 13, 3),
            "AlexNet 5: 256 to 256, 13 x 13": dense(256, 256, 13, 3),
            "VGG 1.2: 64 to 64, 224 x 224": dense(64, 64, 224, 3),
            "VGG 2.1: 64 to 128, 112 x 112": dense(64, 128, 112, 3),
            "VGG 2.2: 128 to 128, 112 x 112": dense(128, 128, 112, 3),
            "VGG 3.1: 128 to 256, 56 x 56": dense(128, 256, 56, 3),
            "VGG 3.2: 256 to 256, 56 x 56": dense(256, 256, 56, 3),
            "VGG 4.1: 256 to 512, 28 x 28": dense(256, 512, 28, 3),
            "VGG 4.2: 512 to 512, 28 x 28": dense(512, 512, 28, 3),
            "VGG 5: 512 to 512, 14 x 14": dense(512, 512, 14, 3),
            "ResNet: 64 to 64, 56 x 56": dense(64, 64, 56, 3),
            "ResNet: 128 to 128, 28 x 28": dense(128, 128, 28, 3),
            "ResNet: 256 to 256, 14 x 14": dense(256, 256, 14, 3),
        },
        fast_goal=Goal(each=1.9, mean=2.3),
    ),
    "other": Group(
        "other dense convolutions",
        Goal(each=0.98, mean=1.03),
        {
            "1 x 1, 64 to 256, 56 x 56": dense(64, 256, 56, 1),
            "1 x 1, 256 to 64, 56 x 56": dense(256, 64, 56, 1),
            "1 x 1, 512 to 128, 28 x 28": dense(512, 128, 28, 1),
            "1 x 1, 1024 to 256, 14 x 14": dense(1024, 256, 14, 1),
            "1 x 1, 2048 to 512, 7 x 7": dense(2048, 512, 7, 1),
            "1 x 1 / 2, 256 to 512, 56 x 56": dense(256, 512, 56, 1, 2),
            "3 x 3 / 2, 128 to 128, 56 x 56": dense(128, 128, 56, 3, 2),
            "3 x 3, 512 to 512, 7 x 7": dense(512, 512, 7, 3),
            "5 x 5, 64 to 192, 27 x 27": dense(64, 192, 27, 5),
            "7 x 7 / 2, 3 to 64, 224 x 224": dense(3, 64, 224, 7, 2),
            "11 x 11 / 4, 3 to 64, 224 x 224": Convolution(3, 64, 224, 11, 4, 2),
            "3 x 3, 3 to 64, 224 x 224": dense(3, 64, 224, 3),
        },
    ),
    "depthwise": Group(
        "convolutions of each channel by itself",
        Goal(each=1.8, mean=2.3),
        {
            "3 x 3, 32, 112 x 112": each(32, 112, 3),
            "3 x 3 / 2, 96, 112 x 112": each(96, 112, 3, 2),
            "3 x 3, 144, 56 x 56": each(144, 56, 3),
            "3 x 3, 384, 14 x 14": each(384, 14, 3),
            "5 x 5, 240, 14 x 14": each(240, 14, 5),
            "5 x 5 / 2, 240, 28 x 28": each(240, 28, 5, 2),
            "3 x 3, 960, 7 x 7": each(960, 7, 3),
        },
    ),
    "product": Group(
        "products, m x n x depth",
        Goal(each=0.97, mean=1.0),
        {
            "256 x 256 x 256": Product(256, 256, 256),
            "512 x 512 x 512": Product(512, 512, 512),
            "1024 x 1024 x 1024": Product(1024, 1024, 1024),
            "2048 x 2048 x 2048": Product(2048, 2048, 2048),
            "729 x 192 x 1600": Product(729, 192, 1600),
            "3136 x 64 x 576": Product(3136, 64, 576),
            "49 x 512 x 4608": Product(49, 512, 4608),
            "128 x 768 x 768": Product(128, 768, 768),
            "128 x 3072 x 768": Product(128, 3072, 768),
            "128 x 768 x 3072": Product(128, 768, 3072),
            "101 x 77 x 333": Product(101, 77, 333),
        },
    ),
    "connected": Group(
        "fully connected, outputs x inputs",
        Goal(each=1.0, mean=1.1),
        {
            "AlexNet 6: 4096 x 9216": FullyConnected(4096, 9216),
            "AlexNet 7: 4096 x 4096": FullyConnected(4096, 4096),
            "AlexNet 8: 1000 x 4096": FullyConnected(1000, 4096),
            "VGG 6: 4096 x 25088": FullyConnected(4096, 25088),
            "8192 x 8192": FullyConnected(8192, 8192),
        },
        of_limit=0.92,
    ),
    "memory": Group(
        "what memory bounds",
        Goal(each=1.0, mean=1.5),
        {
            "softmax, 128 x 1000": Softmax(128, 1000),
            "softmax, 1536 x 128": Softmax(1536, 128),
            "layer norm, 128 x 768": LayerNorm(128, 768),
            "sum and layer norm, 128 x 768": LayerNorm(128, 768, residual=True),
            "GELU, 128 x 3072": Gelu(128, 3072),
            "largest of 3 x 3 / 2, 64, 113 x 113": Pool(64, 113, 3, 2),
            "largest of 2 x 2 / 2, 64, 224 x 224": Pool(64, 224, 2, 2),
            "mean of 7 x 7, 2048": Pool(2048, 7, 7, 1, "mean"),
        },
    ),
    "attention": Group(
        "attention of 12 heads of 64",
        Goal(each=1.0, mean=1.3),
        {f"{length} rows": Attention(12, length, 64) for length in (128, 512, 2048)},
    ),
}
