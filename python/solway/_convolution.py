"""Which tensor expressions are a convolution of images in two dimensions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from solway import _core

__all__ = ["Convolution", "convolution_of"]

_OPPOSITE = {">=": "<=", "<=": ">=", ">": "<", "<": ">"}


class Convolution(NamedTuple):
    """C[n, f, y, x] = the sum over c, r, q of A[n, c, y s + r d - p, x s + q d - p] W[f, c, r, q].

    Args:
        image: (N, channels, rows, columns) of A; N is 1 where the tensors have no such dimension.
        weights: (filters, channels, rows, columns) of W.
        result: (N, filters, rows, columns) of C.
        stride, dilation, before: s, d and p, of rows and of columns.
        after: the zeros that the last windows reach behind A; negative where they end inside.
    """

    image: tuple[int, ...]
    weights: tuple[int, ...]
    result: tuple[int, ...]
    stride: tuple[int, int]
    dilation: tuple[int, int]
    before: tuple[int, int]
    after: tuple[int, int]


class _Affine(NamedTuple):
    """A sum of axes with factors, and a number."""

    factors: dict[_core.Axis, int]
    constant: int

    def plus(self, other: _Affine, times: int = 1) -> _Affine:
        """This + times * other."""
        factors = dict(self.factors)
        for axis, factor in other.factors.items():
            factors[axis] = factors.get(axis, 0) + times * factor
        kept = {axis: factor for axis, factor in factors.items() if factor}
        return _Affine(kept, self.constant + times * other.constant)


class _Image(NamedTuple):
    """What one element of the image's side is: A at an index, 0 where a condition does not hold."""

    at: list[_Affine]
    inside: list[_Affine]  # each at least 0


def convolution_of(a: _core.Tensor, w: _core.Tensor, c: _core.Tensor) -> Convolution | None:
    """The convolution of `a` with `w` that `c` is; None when it is none.

    Zeros around `a` may be a stage of their own, a `select` of `a` and 0, or stand in the sum; or
    the sum leaves out what lies outside.
    """
    body = c.body
    if body is None or body.kind != "reduce" or body.op != "sum" or c.domain is not None:
        return None
    factors = body.operands[0]
    inside: list[_Affine] | None = []
    if factors.kind == "select":
        condition, factors, outside = factors.operands
        inside = _conditions(condition) if _is_zero(outside) else None
    if inside is None:
        return None
    shapes = [_numbers(t) for t in (a, w, c)]
    if factors.kind != "binary" or factors.op != "*" or None in shapes:
        return None
    images, weights, results = (shape or () for shape in shapes)
    if len(weights) != 4 or len(results) not in (3, 4) or len(images) != len(results):
        return None
    for one, other in (factors.operands, factors.operands[::-1]):
        index, image = _read_of(w, other), _image_of(a, one)
        if index is not None and image is not None:
            image = image._replace(inside=[*image.inside, *inside])
            return _geometry(c, body, images, weights, index, image)
    return None


def _geometry(
    c: _core.Tensor,
    body: _core.Expr,
    images: tuple[int, ...],
    weights: tuple[int, ...],
    index: list[_Affine],
    image: _Image,
) -> Convolution | None:
    *batch, f, y, x = c.axis
    if any((axis.begin, axis.end) != (0, n) for axis, n in zip(c.axis, c.shape, strict=True)):
        return None
    taps = [_alone(i) if i.factors else None for i in index[1:]]
    used = [axis for axis in taps if axis is not None]
    if index[0] != _Affine({f: 1}, 0) or set(used) != set(body.axes) or len(set(used)) < len(used):
        return None
    for axis, found, extent in zip(taps, index[1:], weights[1:], strict=True):
        if axis is None and (found.factors or found.constant or extent != 1):
            return None
        if axis is not None and (axis.begin, axis.end) != (0, extent):
            return None
    expected = [_Affine({axis: 1}, 0) for axis in batch]
    expected += [_Affine({taps[0]: 1} if taps[0] is not None else {}, 0)]
    channels, filters = images[len(batch)], c.shape[len(batch)]
    if image.at[:-2] != expected or channels != weights[1] or filters != weights[0]:
        return None
    if batch and images[0] != c.shape[0]:
        return None
    windows = [
        _window(at, out, tap, (extent, c.shape[k], size))
        for k, at, out, tap, extent, size in zip(
            (-2, -1), image.at[-2:], (y, x), taps[1:], images[-2:], weights[-2:], strict=True
        )
    ]
    if None in windows or not _is_inside_only(image, images):
        return None
    stride, dilation, before, after = zip(*(window for window in windows if window), strict=True)
    leading = () if batch else (1,)
    result = tuple(int(str(n)) for n in c.shape)
    return Convolution(leading + images, weights, leading + result, stride, dilation, before, after)


def _window(
    at: _Affine,
    out: _core.Axis,
    tap: _core.Axis | None,
    extents: tuple[int, object, int],
) -> tuple[int, int, int, int] | None:
    """Stride, dilation, zeros before and behind, of one dimension."""
    size, results, taps = extents
    stride = at.factors.get(out, 0)
    dilation = at.factors.get(tap, 0) if tap is not None else 1
    others = set(at.factors) - {out, tap}
    if stride < 1 or dilation < 1 or others or at.constant > 0 or not isinstance(results, int):
        return None
    last = (results - 1) * stride + (taps - 1) * dilation + at.constant
    return stride, dilation, -at.constant, last + 1 - size


def _is_inside_only(image: _Image, images: tuple[int, ...]) -> bool:
    """Whether the conditions exclude nothing that lies inside A."""
    for condition in image.inside:
        implied = False
        for at, extent in zip(image.at, images, strict=True):
            below = condition.plus(at, -1)
            above = condition.plus(_Affine({}, extent - 1).plus(at, -1), -1)
            implied |= any(not rest.factors and rest.constant >= 0 for rest in (below, above))
        if not implied:
            return False
    return True


def _image_of(a: _core.Tensor, node: _core.Expr) -> _Image | None:
    """`node` as an element of `a` with zeros around it."""
    direct = _read_of(a, node)
    if direct is not None:
        return _Image(direct, [])
    if node.kind == "select":
        condition, inside, outside = node.operands
        conditions, index = _conditions(condition), _read_of(a, inside)
        if conditions is None or index is None or not _is_zero(outside):
            return None
        return _Image(index, conditions)
    stage = node.tensor if node.kind == "read" else None
    if stage is None or stage.body is None or stage.domain is not None or stage.base is not None:
        return None
    inner, index = _image_of(a, stage.body), _read_of(stage, node)
    if inner is None or index is None:
        return None
    given = dict(zip(stage.axis, index, strict=True))
    return _Image(
        [_substituted(i, given) for i in inner.at],
        [_substituted(i, given) for i in inner.inside],
    )


def _conditions(node: _core.Expr) -> list[_Affine] | None:
    """Forms that are at least 0 exactly where the condition holds."""
    if node.kind == "cast":
        return _conditions(node.operands[0])
    if node.kind != "binary":
        return None
    left, right = node.operands
    if node.op == "and":
        one, other = _conditions(left), _conditions(right)
        return one + other if one is not None and other is not None else None
    if node.op not in _OPPOSITE:
        return None
    low, high = _affine(left), _affine(right)
    if low is None or high is None:
        return None
    if node.op in (">", ">="):
        low, high = high, low
    return [high.plus(low, -1).plus(_Affine({}, -1 if node.op in ("<", ">") else 0))]


def _read_of(tensor: _core.Tensor, node: _core.Expr) -> list[_Affine] | None:
    """The index of a read of `tensor`."""
    if node.kind != "read" or node.tensor != tensor:
        return None
    found = [_affine(i) for i in node.operands]
    return [i for i in found if i is not None] if None not in found else None


def _affine(node: _core.Expr) -> _Affine | None:
    if node.kind == "axis" and node.axis is not None:
        return _Affine({node.axis: 1}, 0)
    if node.kind == "int":
        return _Affine({}, node.int_value)
    if node.kind == "cast":
        return _affine(node.operands[0])
    if node.kind != "binary" or node.op not in ("+", "-", "*"):
        return None
    left, right = (_affine(i) for i in node.operands)
    if left is None or right is None:
        return None
    if node.op != "*":
        return left.plus(right, 1 if node.op == "+" else -1)
    if left.factors and right.factors:
        return None
    many, number = (left, right.constant) if left.factors else (right, left.constant)
    return _Affine({}, 0).plus(many, number)


def _substituted(form: _Affine, given: Mapping[_core.Axis, _Affine]) -> _Affine:
    found = _Affine({}, form.constant)
    for axis, factor in form.factors.items():
        found = found.plus(given.get(axis, _Affine({axis: 1}, 0)), factor)
    return found


def _alone(form: _Affine) -> _core.Axis | None:
    """The axis that a form is, without a factor and a number."""
    ((axis, factor), *others) = form.factors.items()
    return axis if factor == 1 and not others and form.constant == 0 else None


def _is_zero(node: _core.Expr) -> bool:
    if node.kind == "cast":
        return _is_zero(node.operands[0])
    if node.kind == "int":
        return node.int_value == 0
    return node.kind == "float" and node.float_value == 0


def _numbers(tensor: _core.Tensor) -> tuple[int, ...] | None:
    """The shape, when no size is in it."""
    found = tuple(n for n in tensor.shape if isinstance(n, int))
    return found if len(found) == len(tensor.shape) else None
