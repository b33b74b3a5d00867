"""The command ``solway``.

Exit codes: 0 done, 1 the program is wrong, 2 usage, 3 a bug of solway.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from solway import __version__
from solway.errors import Error, InternalError

if TYPE_CHECKING:
    from solway._script import Script

__all__ = ["main"]

DONE, WRONG_PROGRAM, USAGE, OUR_BUG = 0, 1, 2, 3

# What a command prints: the object that --json shows, and the text for people.
Answer = tuple[Mapping[str, object], str]


class _ScriptFailed(Exception):
    """A user's script raised what is no error of solway."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command.

    Args:
        argv: its words; the process's own by default.

    Returns:
        The exit code.

    Example:
        >>> from solway.cli import main
        >>> main(["targets"])  # doctest: +ELLIPSIS
        host ...
        0
    """
    parser = _parser()
    options = parser.parse_args(argv)
    command: Callable[[argparse.Namespace], Answer] = options.command
    try:
        # What a script prints must not stand among the JSON.
        with contextlib.redirect_stdout(sys.stderr) if options.json else contextlib.nullcontext():
            found, text = command(options)
    except Error as error:
        return _report(error, options)
    except _ScriptFailed as failed:
        if options.json:
            print(json.dumps({"error": {"class": "Script", "what": str(failed)}}))
        print(failed, file=sys.stderr)
        return WRONG_PROGRAM
    except Exception as unexpected:
        bug = InternalError(
            f"solway {options.name} stopped with {type(unexpected).__name__}",
            str(unexpected),
            "",
            ("", 0, ""),
        )
        traceback.print_exc()
        return _report(bug, options)
    print(json.dumps(found, indent=2) if options.json else text)
    status: int = options.status
    return status


def _report(error: Error, options: argparse.Namespace) -> int:
    if options.json:
        where = {"file": error.where.file, "line": error.where.line, "text": error.where.text}
        fields = {"what": error.what, "why": error.why, "fix": error.fix, "where": where}
        print(json.dumps({"error": {"class": type(error).__name__, **fields}}, indent=2))
    else:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
    return OUR_BUG if isinstance(error, InternalError) else WRONG_PROGRAM


def _doctor(options: argparse.Namespace) -> Answer:
    from solway import doctor

    versions, targets, rest = doctor.versions(), doctor.target_findings(), doctor.findings()
    found = {
        "versions": versions,
        "targets": [finding._asdict() for finding in targets],
        "programs": [finding._asdict() for finding in rest],
    }
    lines = [f"{name:<14}{version}" for name, version in versions.items()]
    for title, group in (("targets", targets), ("programs and packages", rest)):
        lines += ["", title]
        for finding in group:
            lines.append(
                f"  {'ok' if finding.there else 'MISSING':<9}{finding.name:<25}{finding.detail}"
            )
            lines += [f"  {'':<34}{finding.fix}"] if finding.fix else []
    return found, "\n".join(lines)


def _targets(options: argparse.Namespace) -> Answer:
    import solway as sw

    rows = [(name, sw.Target.load(name).description) for name in sw.targets()]
    found = {"targets": [{"name": name, "description": text} for name, text in rows]}
    return found, "\n".join(f"{name:<25}{text}" for name, text in rows)


def _build(options: argparse.Namespace) -> Answer:
    import solway as sw

    script = _load(options.script)
    name = options.kernel_name or script.name
    kernel = sw.build(
        script.schedule,
        script.args,
        target=options.target,
        name=name,
        options=sw.Options(options.print_after, options.stop_after),
    )
    written = kernel.save(options.out)
    remarks = [remark._asdict() for remark in kernel.report()]
    found = {
        "name": name,
        "target": options.target,
        "arguments": [tensor.name for tensor in script.args],
        "files": [str(path) for path in written],
        "remarks": remarks,
    }
    lines = [f"{name}({', '.join(tensor.name for tensor in script.args)}) for {options.target}:"]
    lines += [f"  {path}" for path in written]
    lines += [f"remark: {r['step']} {r['verdict']}: {r['why']}" for r in remarks]
    return found, "\n".join(lines)


def _emulate(options: argparse.Namespace) -> Answer:
    from solway import _emulate

    return _emulate.emulate(
        options.folder,
        target=options.target,
        sizes=dict(options.size or []),
        inputs=options.inputs,
        outputs=options.outputs,
        seed=options.seed,
        mode=options.mode,
        landing=options.landing,
        timeline=options.timeline,
        operations=options.operations,
    )


def _compare(options: argparse.Namespace) -> Answer:
    import solway as sw
    from solway._script import integer_values

    script = _load(options.script)
    candidates: dict[str, Callable[..., object]] = {
        f"solway {target}": sw.build(
            script.schedule, script.args, target=target, name=f"{script.name}_{target}"
        )
        for target in options.target or ["host", "c"]
    }
    candidates |= script.candidates
    inputs = script.inputs or integer_values(script.input_tensors, options.seed)
    comparison = sw.compare(candidates, inputs=list(inputs), repeats=options.repeats)
    if options.html is not None:
        comparison.to_html(options.html)
    return comparison.to_dict(), str(comparison)


def _explain(options: argparse.Namespace) -> Answer:
    schedule = _load(options.script).schedule
    explanation = schedule.explain(options.target)
    if options.html is not None:
        schedule.show(options.html)
    return explanation.to_dict(), str(explanation)


def _replay(options: argparse.Namespace) -> Answer:
    from solway import reduce
    from solway.failure import Failure
    from solway.replay import replay

    failure = Failure.load(options.saved)
    found = replay(failure, seconds=options.seconds)
    again = found.found == failure.found
    answer: dict[str, object] = {
        "failure": failure.found,
        "found": found.found,
        "again": again,
        "detail": found.detail,
    }
    lines = ["it happens again:" if again else f"{failure.found} does not happen again:"]
    lines += [found.found, *found.detail.splitlines()]
    if options.reduce and again:
        alone = failure.found in ("crash", "hang")
        one = (lambda f: replay(f, seconds=options.seconds)) if alone else None
        small, tried, primitives = reduce.reduce(failure, one, seconds=options.reduce_seconds)
        path = options.saved.with_suffix(".small.json")
        small.save(path)
        script = small.script()
        answer |= {"reduced": str(path), "tried": tried, "primitives": primitives, "script": script}
        lines += [f"reduced in {tried} trials, to {path}:", "", script.rstrip()]
    options.status = WRONG_PROGRAM if again else DONE
    if again and failure.found.startswith(("InternalError", "crash", "hang", "wrong")):
        options.status = OUR_BUG
    return answer, "\n".join(lines)


def _load(path: Path) -> Script:
    from solway import _script

    try:
        return _script.load(path)
    except Error:
        raise
    except SystemExit as ended:
        raise _ScriptFailed(f"{path} ended itself: sys.exit({ended.code!r})") from ended
    except Exception as error:
        inside = error.__traceback__
        while inside is not None and inside.tb_frame.f_code.co_filename != str(path):
            inside = inside.tb_next
        if inside is None:  # it could not be read
            lines = [f"{path}: ", *traceback.format_exception_only(error)]
        else:
            lines = traceback.format_exception(type(error), error, inside)
        raise _ScriptFailed("".join(lines).rstrip()) from error


def _file(text: str) -> Path:
    path = Path(text)
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"there is no file '{text}'")
    return path


def _seed(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 0 on")
    return int(text)


def _operations(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of operations from 1 on")
    return int(text)


def _size(text: str) -> tuple[str, int]:
    name, found, value = text.partition("=")
    if not found or not value.removeprefix("-").isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is no size: write NAME=4")
    return name, int(value)


def _folder(text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder '{text}'")
    return path


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="solway",
        description="Schedules for tensor programs: build, run, compare.",
        epilog="Exit codes: 0 done, 1 the program is wrong, 2 usage, 3 a bug of solway.",
    )
    parser.add_argument("--version", action="version", version=f"solway {__version__}")
    commands = parser.add_subparsers(dest="name", required=True, metavar="command")

    def add(name: str, command: Callable[..., Answer], text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.add_argument("--json", action="store_true", help="print one JSON object")
        sub.set_defaults(command=command, status=DONE)
        return sub

    add("doctor", _doctor, "versions, targets, and what is missing")
    add("targets", _targets, "the targets that build takes")

    build = add("build", _build, "compile a script's schedule and write the generated files")
    build.add_argument("script", type=_file, help="defines outputs() or a schedule named s")
    build.add_argument("-o", "--out", type=Path, default=Path("out"), metavar="FOLDER")
    build.add_argument("--target", default="host", help="see `solway targets`; host by default")
    build.add_argument("--name", dest="kernel_name", help="of the kernel; the script's by default")
    build.add_argument(
        "--print-after",
        metavar="PASS",
        action="append",
        help="print the loop IR after a pass, or after all; may be repeated",
    )
    build.add_argument(
        "--stop-after", metavar="PASS", help="run no pass behind this one; write the loop IR"
    )

    emulate = add("emulate", _emulate, "run a folder of MPE and CPE C with a kernel.toml")
    emulate.add_argument("folder", type=_folder, metavar="DIR")
    emulate.add_argument(
        "--target", help="the machine, which a kernel of the generic dialect does not name"
    )
    emulate.add_argument(
        "--size",
        type=_size,
        action="append",
        metavar="NAME=N",
        help="a size of its kernel.toml; may be repeated",
    )
    emulate.add_argument("--inputs", type=_file, metavar="F.npz", help="random values by default")
    emulate.add_argument("--outputs", type=Path, metavar="F.npz", help="where results go")
    emulate.add_argument("--mode", default="functional", help="functional, hazard or timed")
    emulate.add_argument("--landing", default="at_wait", help="at_wait, at_issue or random")
    emulate.add_argument(
        "--seed", type=_seed, default=0, help="of random inputs and of the emulator's choices"
    )
    emulate.add_argument(
        "--timeline",
        type=Path,
        metavar="FILE",
        help="what each core did when: a page (.html), or a trace for Perfetto (.json)",
    )
    emulate.add_argument(
        "--operations",
        type=_operations,
        metavar="N",
        help="of floating point that a run does: in timed mode, GFLOP/s and %% of the roofline",
    )

    compare = add("compare", _compare, "set a schedule's kernels beside other code")
    compare.add_argument("script", type=_file, help="may define candidates() and inputs()")
    compare.add_argument("--target", action="append", help="may be repeated; host and c by default")
    compare.add_argument("--html", type=Path, metavar="F.html", help="write a page")
    compare.add_argument("--repeats", type=int, default=None)
    compare.add_argument("--seed", type=_seed, default=0, help="of the random inputs")

    explain = add("explain", _explain, "every primitive of a script's schedule, with its figures")
    explain.add_argument("script", type=_file, help="defines outputs() or a schedule named s")
    explain.add_argument("--target", default=None, help="whose cores, lanes and engines count")
    explain.add_argument("--html", type=Path, metavar="F.html", help="write the schedule's page")
    replay = add("replay", _replay, "repeat a saved failure: 3 when it happens again, else 0")
    replay.add_argument("saved", type=_file, help="what an InternalError or a random test saved")
    replay.add_argument("--seconds", type=float, default=120.0, help="then it hangs")
    replay.add_argument("--reduce", action="store_true", help="make it small, beside the file")
    replay.add_argument("--reduce-seconds", type=float, default=600.0, metavar="SECONDS")
    return parser


if __name__ == "__main__":
    sys.exit(main())
