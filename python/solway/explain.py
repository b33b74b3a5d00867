"""Why a schedule is as it is: what each primitive changed, in figures."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

from solway import _core
from solway._schedule_history import states_of
from solway.auto_buffer import PlanDecision
from solway.errors import CapacityError, UnsupportedError
from solway.expr import here

if TYPE_CHECKING:
    from solway.auto_buffer import StageChoice
    from solway.auto_schedule import Trial
    from solway.schedule import Schedule

__all__ = ["Decision", "Explanation", "Figure", "explanation_of", "table_of"]

_Statements: TypeAlias = list[dict[str, Any]]


class Figure(NamedTuple):
    """One quantity before and after a primitive.

    Args:
        quantity: what is counted.
        before: without the primitive; None when it is not modelled.
        after: with it; None when it is not modelled.
        unit: of both.
        formula: where the values come from.
    """

    quantity: str
    before: float | str | None
    after: float | str | None
    unit: str
    formula: str

    def __str__(self) -> str:
        sides = f"{_shown(self.before)} -> {_shown(self.after)}"
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.quantity}: {sides}{unit}" + (f"   ({self.formula})" if self.formula else "")


class Decision(NamedTuple):
    """One primitive of the log, and what it changed.

    Args:
        primitive: the line of the log.
        where: file, line and text of the user's line.
        figures: what changed; empty when the model sees no difference.
    """

    primitive: str
    where: tuple[str, int, str]
    figures: tuple[Figure, ...]


class Explanation:
    """Every primitive of a schedule with the model's figures without and with it.

    It prints in a terminal and renders in a notebook. Made by `Schedule.explain`.

    Example:
        >>> A = sw.placeholder((8, 64), name="A")
        >>> B = sw.compute((64, 8), lambda i, j: A[j, i] + 1, name="B")
        >>> s = sw.create_schedule(B)
        >>> s[B].reorder("j", "i")
        >>> print(s.explain())
        1. s[B].reorder(j, i)
             innermost step of B: j: A by 64, B by 1 -> i: A by 1, B by 8 elements
    """

    def __init__(
        self,
        target: str | None,
        decisions: Iterable[Decision],
        plans: Iterable[StageChoice] = (),
        trials: Iterable[Trial] = (),
        pipelines: Iterable[PlanDecision] = (),
    ) -> None:
        self.target = target
        self.decisions = tuple(decisions)
        self.plans = tuple(plans)
        self.trials = tuple(trials)
        self.pipelines = tuple(pipelines)

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain data.

        Returns:
            ``target`` (a name, or None) and ``decisions``: ``primitive``, ``where`` (``file``,
            ``line``, ``text``) and ``figures`` (``quantity``, ``before``, ``after``, ``unit``,
            ``formula``; None where nothing is modelled); ``plans``: for each stage that the
            planner counted ``stage``, ``cycles`` by its model and ``decisions``; ``trials``: the
            plans that `auto_schedule` compiled and timed; ``pipelines``: of loops in which
            transfers run ahead, whether the first and last iterations are peeled off. Their cycles
            are those of a core for the conditions, or for more code.
        """
        return {
            "target": self.target,
            "decisions": [
                {
                    "primitive": decision.primitive,
                    "where": dict(zip(("file", "line", "text"), decision.where, strict=True)),
                    "figures": [figure._asdict() for figure in decision.figures],
                }
                for decision in self.decisions
            ],
            "plans": [
                {
                    "stage": plan.stage,
                    "cycles": plan.cycles,
                    "decisions": [decision._asdict() for decision in plan.decisions],
                }
                for plan in self._counted()
            ],
            "trials": [trial._asdict() for trial in self.trials],
            "pipelines": [decision._asdict() for decision in self.pipelines],
        }

    def _counted(self) -> list[StageChoice]:
        """The plans whose cycles were counted."""
        return [plan for plan in self.plans if plan.cycles is not None]

    def to_html(self) -> str:
        """The explanation as an HTML fragment without scripts."""
        parts = [
            f"<h4>{number}. <code>{escape(decision.primitive)}</code></h4>" + table_of(decision)
            for number, decision in enumerate(self.decisions, start=1)
        ]
        for plan in self._counted():
            rows = "".join(f"<li>{escape(str(decision))}</li>" for decision in plan.decisions)
            parts.append(f"<h4>Plan of <code>{escape(plan.stage)}</code></h4><ul>{rows}</ul>")
        if self.pipelines:
            rows = "".join(f"<li>{escape(str(decision))}</li>" for decision in self.pipelines)
            parts.append(f"<h4>Pipelines</h4><ul>{rows}</ul>")
        if self.trials:
            rows = "".join(f"<li>{escape(str(trial))}</li>" for trial in self.trials)
            parts.append(f"<h4>Measured</h4><ul>{rows}</ul>")
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        lines = []
        for number, decision in enumerate(self.decisions, start=1):
            lines.append(f"{number}. {decision.primitive}")
            shown = [f"     {figure}" for figure in decision.figures]
            lines += shown or ["     the model sees no difference"]
        for plan in self._counted():
            lines.append(f"plan of {plan.stage}: {plan.cycles:,.0f} cycles by the model")
            lines += [f"     {decision}" for decision in plan.decisions]
        lines += [str(decision) for decision in self.pipelines]
        lines += [str(trial) for trial in self.trials]
        return "\n".join(lines) or "no primitives"

    def __repr__(self) -> str:
        return str(self)


def explanation_of(schedule: Schedule, machine: _core.Target | None) -> Explanation:
    """The figures of every primitive of a schedule; sizes count as the largest that they can be.

    Args:
        schedule: any.
        machine: whose cores, lanes and engines are counted; None: none.
    """
    figures = [cast("_Statements", _core.figures_of(state)) for state in states_of(schedule)]
    decisions = []
    for step, before, after in zip(schedule.log, figures, figures[1:], strict=False):
        found = (
            *_instances(before, after),
            *_traffic(before, after, machine),
            *_buffers(before, after, machine),
            *_strides(before, after),
            *_marks(before, after, machine),
        )
        decisions.append(Decision(str(step), step.where, found))
    name = None if machine is None else machine.name
    pipelines = [] if machine is None else _pipelines(schedule, machine)
    return Explanation(name, decisions, schedule._plans, schedule._trials, pipelines)


def _pipelines(schedule: Schedule, machine: _core.Target) -> list[PlanDecision]:
    """Whether loops are peeled; a schedule that the machine cannot run has none."""
    try:
        rows = _core.peeling_decisions(schedule._state, machine, here())
    except (CapacityError, UnsupportedError):
        return []
    return [PlanDecision(*row) for row in rows]


def _instances(before: _Statements, after: _Statements) -> list[Figure]:
    """How often a stage's body runs, where that changed."""

    def counts(statements: _Statements) -> dict[str, int]:
        out: dict[str, int] = {}
        for s in statements:
            if s["transfer"] is None and not s["is_init"]:
                out[s["stage"]] = out.get(s["stage"], 0) + s["instances"]["value"]
        return out

    rough = {s["stage"] for s in (*before, *after) if not s["instances"]["exact"]}
    old, new = counts(before), counts(after)
    return [
        Figure(
            f"iterations of {stage}",
            old.get(stage, 0),
            new.get(stage, 0),
            "",
            "at most: of the box around them" if stage in rough else "",
        )
        for stage in sorted({*old, *new})
        if old.get(stage, 0) != new.get(stage, 0)
    ]


def _moved(statements: _Statements, machine: _core.Target | None) -> dict[str, tuple[int, str]]:
    """Bytes between cores and main memory per array, and how they come about."""
    out: dict[str, tuple[int, list[str]]] = {}

    def add(array: str, count: int, text: str) -> None:
        total, terms = out.get(array, (0, []))
        out[array] = (total + count, [*terms, text])

    for s in statements:
        times = s["instances"]["value"]
        if s["transfer"] is not None:
            moved = s["transfer"]
            size = _transfer_bytes(s)
            together = _cores_together(s, machine) or 1
            text = f", {together} cores together" if together > 1 else ""
            add(moved["tensor"], times * size // together, f"{times} transfers of {size} B{text}")
            continue
        direct: dict[str, tuple[int, int]] = {}
        for access in s["accesses"]:
            if not access["is_near"]:
                count, size = direct.get(access["array"], (0, access["element_bytes"]))
                direct[access["array"]] = (count + 1, size)
        for array, (count, size) in direct.items():
            add(array, times * count * size, f"{times * count} accesses of {size} B")
    return {array: (total, " + ".join(terms)) for array, (total, terms) in out.items()}


def _new_transfers(before: _Statements, after: _Statements) -> _Statements:
    known = _transfers_by_buffer(before)
    return [s for s in after if s["transfer"] is not None and s["transfer"]["buffer"] not in known]


def _transfers_by_buffer(statements: _Statements) -> dict[str, dict[str, Any]]:
    moved = (s["transfer"] for s in statements)
    return {transfer["buffer"]: transfer for transfer in moved if transfer is not None}


def _transfer_bytes(s: dict[str, Any]) -> int:
    return int(s["transfer"]["elements"]["value"] * s["transfer"]["element_bytes"])


def _cores_together(s: dict[str, Any], machine: _core.Target | None) -> int:
    """How many cores make one transfer together, each a part; 0: not known."""
    line = {"row": ("column",), "column": ("row",), "all": ("row", "column", "core", "")}
    loops = line.get(s["transfer"]["shared_by"], ())
    out = 1
    for loop in s["loops"]:
        if loop["mark"] == "parallel" and loop["hardware"] in loops:
            out *= _sharing(loop, machine)[0] or int(loop["parts"])
    return out


def _traffic(before: _Statements, after: _Statements, machine: _core.Target | None) -> list[Figure]:
    """Bytes to and from main memory, where they changed."""
    old, new = _moved(before, machine), _moved(after, machine)
    staged = {s["transfer"]["tensor"] for s in _new_transfers(before, after)}
    buffers = {*_transfers_by_buffer(before), *_transfers_by_buffer(after)}
    out = []
    for array in sorted({*old, *new}):
        (was, how), (now, now_how) = old.get(array, (0, "none")), new.get(array, (0, "none"))
        if was == now and array not in staged:
            continue
        formula = f"{how}; then {now_how}"
        if array in buffers:  # cores load their own from there
            name = f"bytes of {array} into memories of cores"
            out.append(Figure(name, was, now, "B", formula))
            continue
        out.append(Figure(f"bytes of {array} from and to main memory", was, now, "B", formula))
        if was and now and array in staged:
            out.append(
                Figure(f"bytes of {array} used per byte moved", 1.0, round(was / now, 2), "", "")
            )
    return out


def _buffers(before: _Statements, after: _Statements, machine: _core.Target | None) -> list[Figure]:
    """Near memory and lead of buffers that changed, and the cycles of transfers that are new."""
    old, now = _transfers_by_buffer(before), _transfers_by_buffer(after)
    out = []
    whole = {s["transfer"]["buffer"]: s for s in after if s["transfer"] is not None}
    for name, moved in now.items():
        was = old.get(name, {"buffer_bytes": 0, "distance": 0, "shared_by": "core"})
        size, slots = moved["buffer_bytes"], moved["depth"]
        if was["buffer_bytes"] != size:
            box = "the box that one position holds"
            how = box if slots == 1 else f"{slots} x {size // slots} B: {box}"
            where = "memory of all cores for" if moved["is_shared"] else "near memory of"
            out.append(Figure(f"{where} {name}", was["buffer_bytes"], size, "B", how))
        if was["shared_by"] != moved["shared_by"]:
            together = _cores_together(whole[name], machine)
            why = "" if together else "the number of cores is known when it runs"
            out.append(Figure(f"cores that read {name} together", 1, together or None, "", why))
        if was["distance"] != moved["distance"]:
            name = f"iterations between issue and use of {name}"
            out.append(Figure(name, was["distance"], moved["distance"], "", ""))
    return out if machine is None else [*out, *_transfer_cycles(before, after, machine)]


def _transfer_cycles(
    before: _Statements, after: _Statements, machine: _core.Target
) -> list[Figure]:
    """Cycles of transfers that are new, or that the primitive changed."""
    buffers = {*_transfers_by_buffer(before), *_transfers_by_buffer(after)}
    moving = [s for s in before if s["transfer"] is not None]
    old = {s["name"]: _cycles(s, machine, buffers) for s in moving}
    out = []
    for s in after:
        if s["transfer"] is None:
            continue
        was, now = old.get(s["name"]), _cycles(s, machine, buffers)
        if was is None or was.after != now.after:
            out.append(now._replace(before=None if was is None else was.after))
    return out


def _cycles(s: dict[str, Any], machine: _core.Target, buffers: set[str]) -> Figure:
    """Cycles of the transfers of one buffer on the busiest core, by the target's figures."""
    moved = s["transfer"]
    name = f"transfers of {moved['buffer']} ({'get' if moved['is_get'] else 'put'})"
    if moved["is_shared"] or moved["tensor"] in buffers:
        why = f"{machine.name} gives no times of its memory of all cores"
        return Figure(name, None, None, "cycles", why)
    scope = machine.default_scope
    engine = next((e for e in machine.transfer_engines if e[1] == scope), None)
    count, _, _, clock_mhz, _, _ = machine.cores
    if engine is None or not clock_mhz or not engine[10]:
        why = f"{machine.name} gives no transfer engine with bandwidths for {scope}"
        return Figure(name, None, None, "cycles", why)
    startup, bandwidth = engine[9], engine[10]
    rate = _rate(bandwidth, moved["block_bytes"], moved["is_get"])
    per_core = _on_the_busiest_core(s, machine)
    together = _cores_together(s, machine)
    size = _transfer_bytes(s) // together  # the parts of the others come from these
    share = rate * 1e9 / count  # every core has its part of the engine's bandwidth
    cycles = per_core * (startup + size / share * clock_mhz * 1e6)
    formula = (
        f"{per_core} per core x ({startup} + {size} B / ({rate:.2f} GB/s / {count} cores) "
        f"x {clock_mhz} MHz), blocks of {moved['block_bytes']} B"
    )
    return Figure(name, None, round(cycles), "cycles", formula)


def _rate(points: list[tuple[int, float, float]], block: int, is_get: bool) -> float:
    """GB/s of blocks of this size: between the measured points, linear."""
    rates = [(size, get if is_get else put) for size, get, put in points]
    if block <= rates[0][0]:
        return rates[0][1] * block / rates[0][0]
    for (a, low), (b, high) in itertools.pairwise(rates):
        if block <= b:
            return low + (high - low) * (block - a) / (b - a)
    return rates[-1][1]


def _sharing(loop: dict[str, Any], machine: _core.Target | None) -> tuple[int, str]:
    """How many cores, rows or columns of the mesh share out a parallel loop; 0: not known."""
    if machine is None:
        return 0, "cores"
    count, rows, columns, _, _, _ = machine.cores
    if loop["hardware"] not in ("row", "column"):
        return int(count), "cores"
    size = int(rows if loop["hardware"] == "row" else columns)
    if not size:
        return 1, "cores"  # there is no mesh: one core runs it
    return min(int(loop["parts"]) or size, size), f"{loop['hardware']}s"


def _on_the_busiest_core(s: dict[str, Any], machine: _core.Target) -> int:
    """How many instances of a statement the core with the largest share runs."""
    instances, of = int(s["instances"]["value"]), 1
    for loop in s["loops"]:
        count, _ = _sharing(loop, machine)
        if loop["mark"] == "parallel" and count and loop["extent"]:
            instances *= -(-int(loop["extent"]) // count)
            of *= int(loop["extent"])
    return -(-instances // of)


def _strides(before: _Statements, after: _Statements) -> list[Figure]:
    """What the innermost loop of a statement steps over, where that changed."""

    def steps(statements: _Statements) -> dict[str, str]:
        out = {}
        for s in statements:
            if s["transfer"] is not None or s["is_init"] or not s["loops"]:
                continue
            seen: dict[str, int] = {}
            for access in s["accesses"]:
                seen.setdefault(access["array"], access["strides"][-1])
            words = ", ".join(f"{array} by {step}" for array, step in seen.items())
            out[s["name"]] = f"{s['loops'][-1]['name']}: {words}"
        return out

    old, new = steps(before), steps(after)
    return [
        Figure(f"innermost step of {name}", old[name], new[name], "elements", "")
        for name in new
        if name in old and old[name] != new[name]
    ]


def _marks(before: _Statements, after: _Statements, machine: _core.Target | None) -> list[Figure]:
    """Cores and lanes of loops that are marked anew."""
    known = {loop["id"]: loop["mark"] for s in before for loop in s["loops"]}
    out: list[Figure] = []
    seen: set[int] = set()
    for s in after:
        for place, loop in enumerate(s["loops"]):
            if s["is_init"] or known.get(loop["id"], "serial") == loop["mark"]:
                continue
            if loop["mark"] == "vectorized" and s["transfer"] is None:
                out += _lanes(s, place, machine)
            if loop["id"] in seen:
                continue
            seen.add(loop["id"])
            if loop["mark"] == "parallel":
                out += _cores(loop, machine)
            if loop["mark"] == "unrolled":
                out.append(Figure(f"branches of {loop['name']}", loop["extent"], 0, "", ""))
    return out


def _cores(loop: dict[str, Any], machine: _core.Target | None) -> list[Figure]:
    extent, (count, kind) = loop["extent"], _sharing(loop, machine)
    name = f"iterations of {loop['name']} on the busiest core"
    if not count:
        why = "the number of cores is known when it runs" if machine else "no target was given"
        return [Figure(name, extent, None, "", why)]
    chunk = -(-extent // count)
    used = -(-extent // chunk) if chunk else 0
    balance = extent / (chunk * count) if chunk else 0.0
    return [
        Figure(name, extent, chunk, "", f"ceil({extent} / {count} {kind})"),
        Figure(f"{kind} that work", 1, used, f"of {count}", f"ceil({extent} / {chunk})"),
        Figure("balance", round(1 / count, 3), round(balance, 3), "",
               f"{extent} / ({chunk} x {count} {kind})"),
    ]  # fmt: skip


def _lanes(s: dict[str, Any], place: int, machine: _core.Target | None) -> list[Figure]:
    loop = s["loops"][place]
    out = []
    words = {0: "broadcast", 1: "unit stride"}
    seen: dict[str, int] = {}
    for access in s["accesses"]:
        seen.setdefault(access["array"], access["strides"][place])
    how = ", ".join(f"{a}: {words.get(n, f'gather, {n} apart')}" for a, n in seen.items())
    out.append(Figure(f"lanes of {s['name']} along {loop['name']}", "one by one", how, "", ""))
    lanes = _vector_lanes(s, machine)
    if lanes is not None:
        vectors = -(-loop["extent"] // lanes)
        formula = f"ceil({loop['extent']} / {lanes} lanes)"
        out.append(Figure(f"steps of {loop['name']}", loop["extent"], vectors, "", formula))
    return out


def _vector_lanes(s: dict[str, Any], machine: _core.Target | None) -> int | None:
    """Lanes of the widest element; None without a target or a vector form."""
    if machine is None or machine.vector is None:
        return None
    width = max((access["element_bytes"] for access in s["accesses"]), default=0)
    of_width = [lanes for name, lanes in machine.vector[2].items() if _bytes_of(name) == width]
    return min(of_width) if of_width else None


def _bytes_of(dtype: str) -> int:
    digits = "".join(c for c in dtype if c.isdigit())
    return int(digits) // 8 if digits else 1


def _shown(value: float | str | None) -> str:
    if value is None:
        return "not modelled"
    return value if isinstance(value, str) else f"{value:,}"


def _with_unit(value: float | str | None, unit: str) -> str:
    return f"{_shown(value)} {unit}" if unit and value is not None else _shown(value)


def table_of(decision: Decision) -> str:
    """The figures of one primitive as an HTML table.

    Args:
        decision: of an `Explanation`.
    """
    if not decision.figures:
        return "<p>the model sees no difference</p>"
    has_formula = any(f.formula for f in decision.figures)
    rows = "".join(
        "<tr>"
        + "".join(
            f"<td>{escape(cell)}</td>"
            for cell in (
                f.quantity,
                _with_unit(f.before, f.unit),
                _with_unit(f.after, f.unit),
                *([f.formula] if has_formula else []),
            )
        )
        + "</tr>"
        for f in decision.figures
    )
    words = ("", "without", "with", *(["formula"] if has_formula else []))
    head = "".join(f"<th>{word}</th>" for word in words)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
