"""How `Schedule.buffer_read` and `buffer_write` make a buffer: a region of a tensor, near."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from solway import _core
from solway._location import caller
from solway._shown import shown
from solway.buffer import Buffer
from solway.errors import ScheduleArgumentError
from solway.expr import Axis, Expr, Tensor, here
from solway.stage import AxisLike, Loop, Stage
from solway.stage_base import axis_loops

if TYPE_CHECKING:
    from solway.schedule import Schedule

__all__ = ["adopt", "place"]


def place(
    schedule: Schedule,
    tensor: Tensor | Buffer,
    region: Iterable[AxisLike | Expr] | None,
    at: AxisLike | None,
    readers: Iterable[Tensor | Stage] | None,
    scope: str | None,
    depth: int,
    layout: Sequence[int | AxisLike] | None,
    *,
    is_read: bool,
    fill_padding: bool = False,
    slide: AxisLike | None = None,
    references: Iterable[int] | None = None,
    align: int | None = None,
) -> Buffer:
    """Adds a buffer to `schedule`; the arguments are those of `Schedule.buffer_read`."""
    request = "buffer_read" if is_read else "buffer_write"
    source = tensor if isinstance(tensor, Buffer) and is_read else None
    if source is not None:
        tensor = source.tensor
    if not isinstance(tensor, Tensor):
        raise ScheduleArgumentError(
            f"{request} takes a tensor",
            f"got {shown(tensor)}",
            "pass a tensor of the schedule",
            caller(),
        )
    if isinstance(depth, bool) or not isinstance(depth, int):
        raise ScheduleArgumentError(
            f"{request} with depth={depth!r}",
            "the depth is how many regions the buffer holds at once",
            "pass an integer of at least 1",
            caller(),
        )
    if not isinstance(fill_padding, bool):
        raise ScheduleArgumentError(
            f"{request} with fill_padding={fill_padding!r}",
            "the border of a padded copy is filled in the buffer, or moved with the rest",
            "pass True or False",
            caller(),
        )
    numbers = None if references is None else _numbers(tensor, references, request)
    if align is not None and (isinstance(align, bool) or not isinstance(align, int) or align < 1):
        raise ScheduleArgumentError(
            f"{request} with align={align!r}",
            "the copy may move whole units of so many bytes",
            "pass an integer of at least 1",
            caller(),
        )
    items = None if region is None else list(region)
    if source is not None and readers is None:
        readers = _readers_of(schedule, source)
    stage, *others = _stages_of(schedule, tensor, items, at, readers, request, is_read=is_read)
    dims = [item for item in layout or () if isinstance(item, int)]
    loops = [stage._id(item, request) for item in layout or () if not isinstance(item, int)]
    if dims and loops:
        raise ScheduleArgumentError(
            f"{request}: the layout names dimensions and loops",
            f"{dims[0]} is a dimension of '{tensor.name}', counted from 0",
            "name each dimension once, or the loops that run along them",
            caller(),
        )
    state, name = _core.place_buffer(
        schedule._state,
        is_read,
        stage._tensor.name,
        tensor._node.storage_name if source is None else source.name,
        None if items is None else [_item(stage, item, request) for item in items],
        axis_loops(schedule, stage),
        None if at is None else stage._id(at, request),
        scope or "",
        dims,
        loops,
        depth,
        fill_padding,
        None if slide is None else stage._id(slide, request),
        [other._tensor.name for other in others],
        numbers,
        align or 0,
        here(),
    )
    adopt(schedule, state)
    return Buffer(name, tensor)


def _readers_of(schedule: Schedule, buffer: Buffer) -> list[Stage]:
    """The stage that reads through a buffer, which may be filled further from there."""
    name = _core.stage_of_buffer(schedule._state, buffer.name)
    stages = {tensor.name: tensor for tensor in map(Tensor, schedule._state.stages())}
    if name in stages:
        return [schedule[stages[name]]]
    raise ScheduleArgumentError(
        f"buffer_read({buffer.name}): '{buffer.name}' is no buffer of this schedule",
        "it belongs to another one, or nothing reads it any more",
        "pass what buffer_read of this schedule returned",
        caller(),
    )


def _numbers(tensor: Tensor, references: Iterable[int], request: str) -> list[int]:
    numbers = list(references) if isinstance(references, Iterable) else [references]
    for number in numbers:
        if isinstance(number, int) and not isinstance(number, bool):
            continue
        raise ScheduleArgumentError(
            f"{request} with {shown(number)} among the references",
            f"they are numbers of reads of '{tensor.name}', in the order in which they are written",
            "pass integers, such as references=[0, 1]",
            caller(),
        )
    return numbers


def adopt(schedule: Schedule, state: _core.ScheduleState) -> None:
    """Takes a new state whose buffers fit the target, when one is known."""
    if schedule._machine is not None:
        _core.require_memory(state, schedule._machine, here())
    schedule._state = state


def _item(stage: Stage, item: AxisLike | Expr, request: str) -> int | _core.Expr:
    if isinstance(item, Expr) and not isinstance(item, Axis):
        return item._node_at(here())
    return stage._id(item, request)  # a loop, an axis or a name, or an error that says so


def _stages_of(
    schedule: Schedule,
    tensor: Tensor,
    items: list[AxisLike | Expr] | None,
    at: AxisLike | None,
    readers: Iterable[Tensor | Stage] | None,
    request: str,
    *,
    is_read: bool,
) -> list[Stage]:
    """The stages that use the buffer: named, or the only one, or the one whose loops are named."""
    stages = {stage.name: stage for stage in map(Tensor, schedule._state.stages())}
    if readers is not None:
        named = [r._tensor if isinstance(r, Stage) else r for r in readers]
        if not named:
            raise ScheduleArgumentError(
                f"{request} with no readers",
                "a buffer serves one stage, or several that run in one loop",
                "name them, or leave readers= out",
                caller(),
            )
        return [schedule[reader] for reader in named]
    own = _named_stage(schedule, stages, [*(items or ()), at])
    name = _core.serving_stage(schedule._state, is_read, tensor._node, own or "", here())
    return [schedule[stages[name]]]


def _named_stage(
    schedule: Schedule, stages: dict[str, Tensor], items: Iterable[object]
) -> str | None:
    """The stage to which the first loop or axis among `items` belongs."""
    for item in items:
        if isinstance(item, Loop):
            return item._stage
        if isinstance(item, Axis):
            for name in stages:
                if schedule._state.loop_of_axis(name, item._axis) >= 0:
                    return name
    return None
