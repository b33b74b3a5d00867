"""Random primitives on a schedule: a table, of which those count that solway has."""

from __future__ import annotations

import inspect
from typing import NamedTuple

import solway as sw
from solway import Schedule
from solway.stage import Stage

from support import cpu_plans

FACTORS = (1, 2, 3, 4, 5, 8, 11)
_HAS_GRID = "grid" in inspect.signature(Stage.parallel).parameters


class Site(NamedTuple):
    """Where a primitive is tried: a stage of a schedule, its loops, and one of them."""

    s: Schedule
    stage: Stage
    tensor: object
    tensors: tuple  # all computed tensors of the program
    loops: list
    pick: object
    buffers: list  # made so far
    drawn: list  # the stages of which one is drawn


def split(rng, at):
    tail = {"tail": rng.choice(("cut", "mask"))} if rng.random() < 0.3 else {}
    if rng.random() < 0.3:
        at.stage.split(at.pick, parts=rng.choice(FACTORS), **tail)
    else:
        at.stage.split(at.pick, rng.choice(FACTORS), **tail)


def tile(rng, at):
    if len(at.loops) > 1:
        at.stage.tile(*rng.sample(at.loops, 2), rng.choice(FACTORS), rng.choice(FACTORS))


def fuse(rng, at):
    if len(at.loops) > 1:
        first = rng.randrange(len(at.loops) - 1)
        at.stage.fuse(*at.loops[first : first + rng.choice((2, 2, 3))])


def reorder(rng, at):
    at.stage.reorder(*rng.sample(at.loops, rng.randint(1, len(at.loops))))


def parallel(rng, at):
    if _HAS_GRID and len(at.loops) > 1 and rng.random() < 0.2:
        at.stage.parallel(*rng.sample(at.loops, 2), grid=(8, 8))
    else:
        at.stage.parallel(at.pick)


def vectorize(rng, at):
    at.stage.vectorize(at.loops[-1] if rng.random() < 0.6 else at.pick)


def unroll(rng, at):
    at.stage.unroll(at.pick)


def prefetch_lines(rng, at):
    if at.tensor.inputs:
        read = rng.choice([*at.tensor.inputs, *at.buffers])
        inside = rng.choice((None, *at.loops))
        at.stage.prefetch_lines(read, at.pick, rng.choice((1, 2, 16, 1000)), inside=inside)


def skew(rng, at):
    if len(at.loops) > 1:
        axis, by = rng.sample(at.loops, 2)
        at.stage.skew(axis, by, rng.choice((-2, -1, 1, 1, 2)))


def shift(rng, at):
    at.stage.shift(at.pick, rng.choice((-2, -1, 1, 3)))


def reverse(rng, at):
    at.stage.reverse(at.pick)


def fission(rng, at):
    at.stage.fission(at.pick)


def bind(rng, at):
    at.stage.bind(at.pick, rng.choice(("core", "row", "column")))


def affine(rng, at):
    if len(at.loops) > 1:
        a, b = rng.sample(at.loops, 2)
        text = rng.choice(
            ("{ [i, j] -> [i + j, j] }", "{ [i, j] -> [j, i] }", "{ [i, j] -> [-i, i + j] }")
        )
        at.stage.affine(text.replace("i", a.name).replace("j", b.name), names=["p", "q"])


def _other(rng, at):
    """Another stage, one that reads this one where there is one."""
    others = [tensor for tensor in at.tensors if tensor != at.tensor]
    readers = [tensor for tensor in others if at.tensor in tensor.inputs]
    return rng.choice(readers or others) if others else None


def fuse_with(rng, at):
    other = _other(rng, at)
    if other is not None and at.s[other].axis:
        at.stage.fuse_with(other, rng.choice(at.s[other].axis))


def compute_at(rng, at):
    other = _other(rng, at)
    if other is not None:
        axes = [*at.s[other].axis, *at.s[other].reduce_axis]  # none of a stage that is inlined
        if axes:
            at.stage.compute_at(other, rng.choice(axes))


def compute_inline(rng, at):
    at.stage.compute_inline()


def compute_root(rng, at):
    at.stage.compute_root()


def rfactor(rng, at):
    reductions = at.stage.reduce_axis
    if reductions:
        at.s.rfactor(at.tensor, rng.choice(reductions))


def specialize(rng, at):
    """Primitives that follow go to either version: its stage joins those that are drawn."""
    conditions = [at.pick < rng.randint(at.pick.begin, at.pick.end)]
    if rng.random() < 0.3:
        a, b = rng.choice(at.loops), rng.choice(at.loops)
        conditions.append(a + rng.choice((-2, -1, 1, 2)) * b >= rng.randint(-3, 6))
    at.drawn.append(at.stage.specialize(*conditions))


def transform_layout(rng, at):
    tensor = rng.choice([at.tensor, *at.tensor.inputs])
    rank = len(tensor.shape)
    block, order = rng.choice((2, 3, 4)), rng.sample(range(rank), rank)

    def layout(*axes):
        if rng.random() < 0.5:
            return tuple(axes[n] for n in order)
        return (*axes[:-1], axes[-1] // block, axes[-1] % block)

    names = [f"l{n}" for n in range(rank)]
    text = f"lambda {', '.join(names)}: layout({', '.join(names)})"
    at.s.transform_layout(tensor, eval(text, {"layout": layout}))


def _place(rng, at):
    """Where a buffer stands: what the loops inside `pick` touch, or a region of inner loops."""
    inside = at.loops[rng.randrange(len(at.loops)) :]
    place = {"at": at.pick} if rng.random() < 0.5 else {"region": inside}
    if rng.random() < 0.2:
        place["depth"] = rng.choice((2, 2, 3))
    return place


def _references(rng, at, tensor):
    """Some of the reads of a tensor; mostly all that have no buffer."""
    count = len(at.stage.references(tensor))
    if count < 2 or rng.random() < 0.5:
        return None
    return rng.sample(range(count), rng.randint(1, count))


def buffer_read(rng, at):
    if not at.tensor.inputs:
        return
    read = rng.choice(at.tensor.inputs)
    rank = len(read.shape)
    order = rng.sample(range(rank), rank) if rng.random() < 0.3 else None
    place = {**_place(rng, at), "references": _references(rng, at, read)}
    at.buffers.append(at.s.buffer_read(read, **place, readers=[at.tensor], layout=order))


def shared_buffer(rng, at):
    """One buffer for all cores, and often one for each of them that is filled from there."""
    if not at.tensor.inputs:
        return
    inside = at.loops[rng.randrange(len(at.loops)) :]
    place = {"at": at.loops[0]} if rng.random() < 0.3 else {"region": inside}
    if rng.random() < 0.3:
        place["depth"] = 2
    read = rng.choice(at.tensor.inputs)
    shared = at.s.buffer_read(read, **place, readers=[at.tensor], scope="shared")
    at.buffers.append(shared)
    if rng.random() < 0.3:
        return
    try:
        at.buffers.append(at.s.buffer_read(shared, **_place(rng, at), readers=[at.tensor]))
    except sw.Error as error:  # the one for all cores stays
        if isinstance(error, sw.InternalError) or not error.why:
            raise AssertionError(error) from error


def buffer_write(rng, at):
    at.buffers.append(at.s.buffer_write(at.tensor, **_place(rng, at)))


def fused_buffers(rng, at):
    """Tiles of a few loops, counted by one loop that may be split again, and their buffers."""
    stage, loops = at.stage, list(at.stage.axis)
    if len(loops) < 2:
        return
    try:
        tiles = [stage.split(axis, rng.choice((1, 2, 3, 4))) for axis in loops[:3]]
        outer, inner = zip(*tiles, strict=True)
        stage.reorder(*outer, *inner)
        share = place = stage.fuse(*outer)
        if rng.random() < 0.5:
            share, place = stage.split(place, rng.choice(FACTORS))
        if rng.random() < 0.7:
            stage.parallel(share)
        for tensor in at.tensor.inputs:
            count = len(at.stage.references(tensor))
            apart = [[n] for n in range(count)] if 1 < count < 5 and rng.random() < 0.4 else [None]
            for numbers in apart:
                if rng.random() < 0.8:
                    place_of = {"at": place, "depth": rng.choice((1, 1, 2)), "references": numbers}
                    at.buffers.append(at.s.buffer_read(tensor, **place_of, readers=[at.tensor]))
        if rng.random() < 0.8:
            at.buffers.append(at.s.buffer_write(at.tensor, at=place))
    except sw.Error as error:  # what was legal before stays
        if isinstance(error, sw.InternalError) or not error.why:
            raise AssertionError(error) from error


def _across(rng, at):
    """A loop of the stage, which may be one that is not around a buffer; or none."""
    loops = [*at.stage.axis, *at.stage.reduce_axis]
    return rng.choice(loops) if loops and rng.random() < 0.5 else None


def double_buffer(rng, at):
    if at.buffers:
        at.s.double_buffer(rng.choice(at.buffers), across=_across(rng, at))


def prefetch(rng, at):
    if at.buffers:
        distance = rng.choice((1, 1, 2, 3))
        at.s.prefetch(rng.choice(at.buffers), distance=distance, across=_across(rng, at))


def single_buffer(rng, at):
    if at.buffers:
        at.s.single_buffer(rng.choice(at.buffers), across=_across(rng, at))


def auto_schedule(rng, at):
    """Any of the plans that the model lists for a CPU with little cache."""
    machine = cpu_plans.cpu(rng.choice(("x86-64-v3", "x86-64-v4")), rng.choice(cpu_plans.CACHES))
    listed = cpu_plans.alternatives(at.s, machine)
    picks = {stage: rng.randrange(count) for stage, count in listed.items()}
    cpu_plans.apply_plans(at.s, machine, picks)


#: Each with how often it is drawn beside the others.
PRIMITIVES = (
    (split, 4), (tile, 1), (fuse, 2), (reorder, 4), (parallel, 1), (vectorize, 2), (unroll, 1),
    (prefetch_lines, 1),
    (skew, 2), (shift, 2), (reverse, 2), (fission, 1), (bind, 1), (affine, 1), (fuse_with, 2),
    (compute_at, 4), (compute_inline, 2), (compute_root, 1), (rfactor, 3), (transform_layout, 2),
    (specialize, 2),
    (buffer_read, 6), (shared_buffer, 1), (buffer_write, 4), (fused_buffers, 3), (double_buffer, 2),
    (prefetch, 2), (single_buffer, 2), (auto_schedule, 3),
)  # fmt: skip


def _present():
    """Those that solway has, each as often as it is drawn."""
    out = []
    of_several_calls = {"fused_buffers", "shared_buffer"}
    for primitive, weight in PRIMITIVES:
        name = primitive.__name__
        if hasattr(Stage, name) or hasattr(Schedule, name) or name in of_several_calls:
            out += [primitive] * weight
    return out


PRESENT = _present()


def random_primitive(rng):
    """One of those that solway has."""
    return rng.choice(PRESENT)


def apply_random(rng, primitive, s, tensors, buffers):
    """Tries a primitive somewhere; it may be refused."""
    tensor = rng.choice(tensors)
    stage = s[tensor]
    loops = [*stage.axis, *stage.reduce_axis]
    if loops:
        pick = rng.choice(loops)
        primitive(rng, Site(s, stage, tensor, tuple(tensors), loops, pick, buffers, tensors))
