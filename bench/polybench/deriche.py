"""deriche: a recursive edge filter, along rows and then columns, both ways."""

import math

import numpy as np
import solway as sw

SIZES = {"MINI": (64, 64), "SMALL": (192, 128), "MEDIUM": (720, 480), "LARGE": (4096, 2160)}
ALPHA = 0.25
_E1, _E2 = math.exp(-ALPHA), math.exp(-2 * ALPHA)
_K = (1 - _E1) ** 2 / (1 + 2 * ALPHA * _E1 - _E2)
A1, A2 = _K, _K * _E1 * (ALPHA - 1)
A3, A4 = _K * _E1 * (ALPHA + 1), -_K * _E2
B1, B2 = 2 ** (-ALPHA), -_E2


def along_rows(image, w, h, name):
    """Both filters along the second dimension, added."""

    def forward(y, i, j):
        now = A1 * image[i, j] + sw.select(j > 0, A2 * image[i, j - 1] + B1 * y[i, j - 1], 0.0)
        return now + sw.select(j > 1, B2 * y[i, j - 2], 0.0)

    def backward(y, i, r):  # y[i, r] is that of column h - 1 - r
        j = h - 1 - r
        before = A3 * image[i, j + 1] + B1 * y[i, r - 1]
        first = sw.select(r > 0, before, 0.0)
        second = sw.select(r > 1, A4 * image[i, j + 2] + B2 * y[i, r - 2], 0.0)
        return first + second

    y1 = sw.recurrence((w, h), forward, "float64", name=name + "_forward")
    y2 = sw.recurrence((w, h), backward, "float64", name=name + "_backward")
    return sw.compute((w, h), lambda i, j: y1[i, j] + y2[i, h - 1 - j], name=name)


def program(w, h):
    image = sw.placeholder((w, h), "float64", name="image")
    rows = along_rows(image, w, h, "rows")
    turned = sw.compute((h, w), lambda j, i: rows[i, j], name="turned")
    columns = along_rows(turned, h, w, "columns")
    out = sw.compute((w, h), lambda i, j: columns[j, i], name="out")
    return [image, out], [out]


def data(rng, w, h):
    return (rng.random((w, h)),)


def _reference_rows(image):
    y1, y2 = np.zeros_like(image), np.zeros_like(image)
    x1 = x2 = b1 = b2 = np.zeros(len(image))
    for j in range(image.shape[1]):
        y1[:, j] = A1 * image[:, j] + A2 * x1 + B1 * b1 + B2 * b2
        x1, b1, b2 = image[:, j], y1[:, j], b1
    x1 = x2 = b1 = b2 = np.zeros(len(image))
    for j in reversed(range(image.shape[1])):
        y2[:, j] = A3 * x1 + A4 * x2 + B1 * b1 + B2 * b2
        x1, x2, b1, b2 = image[:, j], x1, y2[:, j], b1
    return y1 + y2


def reference(size, image):
    return [_reference_rows(_reference_rows(image).T).T]
