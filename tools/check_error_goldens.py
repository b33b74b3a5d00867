#!/usr/bin/env python3
"""Checks that every message that a user can reach has a golden text in tests/errors.

A site is an expression that makes an error: its class with what, why and fix, or a call of a
function that does nothing but make one. Its literal pieces (of a conditional, those of one side)
must all stand in one golden text. InternalErrors need none. ``EXCEPTIONS`` lists the sites without
a golden, with the reason for each.

    tools/check_error_goldens.py            prints every gap; exit status 1 if there is one
    tools/check_error_goldens.py --sites    prints every site and the golden that has it
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from check_layering import ROOT, layer_order

GOLDENS = ROOT / "tests" / "errors"


class Exempt(NamedTuple):
    """Sites below `path` that hold `piece`, and why no script can show them."""

    path: str
    piece: str
    reason: str


# Kernels with vectors never get there: the passes of these targets make scalar loops of them.
_SCALAR = "a defence behind the pass table, which keeps vectors from this target"
_PROVED = "no primitive makes such a program; unit tests corrupt transfers to reach it"
_BUDGET = "takes minutes of analysis; unit tests give it a budget of a few operations"
_AFFINE = "no schedule gives such bounds; a unit test has the text"
_WITHOUT = "needs a machine without it; a test of the library has the text"
_CPP = "reached from C++ alone; its unit test has the text"

EXCEPTIONS = (
    Exempt("codegen/athread/kernel_plan.cpp", "vector", _SCALAR),
    Exempt("codegen/athread/kernel_plan.cpp", "reach the memory '", "a check of scopes before it"),
    Exempt("codegen/athread/kernel_plan.cpp", "parallel loop reads memory", _AFFINE),
    Exempt("codegen/athread/kernel_plan.cpp", "the range of loop '", _AFFINE),
    Exempt(
        "codegen/athread/kernel_plan.cpp",
        "is filled by one nest and used by another",
        "an illegal schedule before it",
    ),
    Exempt("codegen/c/", "portable C of a vector", _SCALAR),
    Exempt(
        "codegen/llvm/emit_llvm.cpp",
        "vectors of a length that is known",
        "no target without scalable registers makes them",
    ),
    Exempt("codegen/llvm/machine.cpp", "", "needs a processor without the vectors of the target"),
    Exempt("codegen/llvm/libraries.cpp", "cannot be written", "needs a full disk"),
    Exempt("codegen/llvm/libraries.cpp", "has no code for that machine", _CPP),
    Exempt("driver/temporary_folder.cpp", "cannot be written", "needs a full disk"),
    Exempt("driver/temporary_folder.cpp", "had no room", "needs a full disk"),
    Exempt("driver/foreign_kernel.cpp", "' was ended", "needs an emulator; a test has the text"),
    Exempt("driver/no_room.cpp", "under a loop that was fused", "a defence of the planner"),
    Exempt("driver/emulated_kernel.cpp", "could not be written", "needs a full disk"),
    Exempt("driver/frontend/", "", _CPP),
    Exempt("dsl/bounds.cpp", "could not be proved in bounds", _BUDGET),
    Exempt("dsl/defined_elements.cpp", "could not be proved defined", _BUDGET),
    Exempt("dsl/tensor.cpp", "needs one axis per dimension", _CPP),
    Exempt("dsl/tensor.cpp", "does not span its dimension", _CPP),
    Exempt("emulator/emulator.cpp", " called with ", _CPP),
    Exempt("emulator/emulator.cpp", "its shape and dtype take", _CPP),
    Exempt("emulator/toolchain.cpp", "no clang-19 is on the PATH", "needs a machine without it"),
    Exempt("emulator/toolchain.cpp", "neither beside the library", "needs a broken installation"),
    Exempt("emulator/worker/", "the step budget is used up", "minutes; a unit test lowers it"),
    Exempt(
        "schedule/detail/buffer_uses.cpp", "' also varies with '", "a defence behind dma/insertion"
    ),
    Exempt(
        "schedule/buffer.cpp", "nothing inside its position stores", "a check of loops before it"
    ),
    Exempt("schedule/compute_at.cpp", "there is no stage '", _CPP),
    Exempt("schedule/footprint.cpp", "no constant size", "no script found that gets there"),
    Exempt("schedule/program_breach.cpp", "copies; this says", _BUDGET),
    Exempt("schedule/program_violation.cpp", "", _PROVED),
    Exempt("schedule/state.cpp", "it was made for another schedule", _CPP),
    Exempt("schedule/dependences.cpp", "the direct dependences are not decided", _BUDGET),
    Exempt("schedule/violation.cpp", "the smallest pair was not found", _BUDGET),
    Exempt("schedule/violation.cpp", " would break a dependence", _BUDGET),
    Exempt("schedule/violation.cpp", " would run conflicting iterations", _BUDGET),
    Exempt("schedule/violation.cpp", " would use a buffer ", _BUDGET),
    Exempt("support/target.cpp", "solway comes with 'host'", _CPP),
    Exempt("support/target.cpp", "on this processor", "needs another processor"),
    Exempt("python/solway/program_writer.py", " has no text", "every kind of today has one"),
    Exempt("python/solway/_openblas.py", "OpenBLAS is not installed", _WITHOUT),
    Exempt("python/solway/_onednn_objects.py", "oneDNN is not installed", _WITHOUT),
    Exempt(
        "python/solway/stage_base.py", "several loops have this name", "a defence: names differ"
    ),
)

CLASSES = (
    "AnalysisBudgetError",
    "ArgumentMismatchError",
    "CapacityError",
    "ComparisonError",
    "DslError",
    "EmulatorError",
    "IllegalScheduleError",
    "ScheduleArgumentError",
    "UnsupportedError",
)
# Errors of the command line that are no class of solway.
COMMAND_CLASSES = ("ArgumentTypeError", "_ScriptFailed")


class Text(NamedTuple):
    """What is known of a message: pieces that all occur, and choices of which one occurs."""

    pieces: tuple[str, ...] = ()
    choices: tuple[tuple[Text, ...], ...] = ()

    def __add__(self, other: object) -> Text:
        assert isinstance(other, Text)
        return Text(self.pieces + other.pieces, self.choices + other.choices)

    def occurs_in(self, golden: str) -> bool:
        """Whether a golden text can be this message."""
        return all(piece in golden for piece in self.pieces) and all(
            any(text.occurs_in(golden) for text in choice) for choice in self.choices
        )

    def all_pieces(self) -> list[str]:
        """The pieces, also of choices."""
        nested = [p for choice in self.choices for text in choice for p in text.all_pieces()]
        return [*self.pieces, *nested]

    def says_something(self) -> bool:
        """Whether a golden can be told from others by it."""
        return any(len(re.findall(r"[a-z]", piece)) >= 4 for piece in self.all_pieces())

    def __str__(self) -> str:
        parts = list(self.pieces)
        parts += ["(" + " | ".join(map(str, choice)) + ")" for choice in self.choices]
        return " .. ".join(parts)


class Site(NamedTuple):
    """One place that makes an error."""

    place: str  # file:line
    maker: str  # the class, or the function that is called
    text: Text


def choice_of(*texts: Text) -> Text:
    """One of `texts` occurs."""
    return Text(choices=(texts,))


# C++: enough of its grammar for the arguments of an error.

TOKEN = re.compile(
    r'R"\((?P<raw>.*?)\)"|"(?P<string>(?:\\.|[^"\\])*)"|(?P<char>\'(?:\\.|[^\'\\])\')'
    r"|(?P<name>[A-Za-z_]\w*(?:(?:::|\.|->)[A-Za-z_]\w*)*)|(?P<number>\d[\w.']*)"
    r"|(?P<sign>::|==|!=|<=|>=|&&|\|\||->|<<|\S)",
    re.S,
)
# Comments and preprocessor lines; strings are kept.
BLANK = re.compile(r'//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*|(?P<keep>"(?:\\.|[^"\\\n])*")', re.S | re.M)
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "'": "'"}
OPENING, CLOSING = "([{", ")]}"
# Calls whose argument is part of the text.
TRANSPARENT = ("std::string", "std::move", "std::string_view")


class Token(NamedTuple):
    """`kind` is that of the group in `TOKEN`; `value` of a string has its escapes resolved."""

    kind: str
    value: str
    line: int


def tokens_of(source: str) -> list[Token]:
    """The tokens of C++ without comments and preprocessor lines; strings side by side joined."""
    blank = re.compile(
        r'//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*|(?P<keep>"(?:\\.|[^"\\\n])*")', re.S | re.M
    )
    plain = blank.sub(lambda m: m["keep"] or "\n" * m[0].count("\n"), source)
    out: list[Token] = []
    line, at = 1, 0
    for match in TOKEN.finditer(plain):
        line += plain.count("\n", at, match.start())
        at = match.start()
        kind = str(match.lastgroup)
        value = match[kind]
        if kind in ("raw", "string"):
            if kind == "string":
                value = re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), value)
            if out and out[-1].kind == "string":
                out[-1] = out[-1]._replace(value=out[-1].value + value)
                continue
            kind = "string"
        out.append(Token(kind, value, line))
    return out


def closing(tokens: list[Token], at: int) -> int:
    """Index of the bracket that closes the one at `at`."""
    depth = 0
    for k in range(at, len(tokens)):
        if tokens[k].kind == "sign":
            depth += (tokens[k].value in OPENING) - (tokens[k].value in CLOSING)
            if depth == 0:
                return k
    return len(tokens) - 1


def split_at(tokens: list[Token], sign: str) -> list[list[Token]]:
    """The parts between the signs that stand outside of all brackets."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        if token.kind == "sign":
            depth += (token.value in OPENING) - (token.value in CLOSING)
            if depth == 0 and token.value == sign:
                parts.append([])
                continue
        parts[-1].append(token)
    return parts


def text_of(tokens: list[Token]) -> Text:
    """What is known of a C++ expression of type string."""
    condition, *rest = split_at(tokens, "?")
    if rest:
        after = [token for part in rest for token in (*part, Token("sign", "?", 0))][:-1]
        sides = split_at(after, ":")
        if len(sides) == 2:
            return choice_of(text_of(sides[0]), text_of(sides[1]))
        return choice_of(text_of(sides[0]), text_of(after[len(sides[0]) + 1 :]))
    out = Text()
    for term in split_at(condition, "+"):
        if len(term) == 1 and re.fullmatch(r"[a-z]+(_[a-z]+)+", term[0].value):
            continue  # a kind of error, which the text does not show
        if len(term) == 1 and term[0].kind == "string":
            out += Text((term[0].value,))
        elif len(term) > 1 and term[0].value in "({" and closing(term, 0) == len(term) - 1:
            out += text_of(term[1:-1])
        elif len(term) > 2 and term[0].value in TRANSPARENT and closing(term, 1) == len(term) - 1:
            out += text_of(term[2:-1])
    return out


def arguments_text(arguments: list[list[Token]]) -> Text:
    """What is known of all arguments together."""
    out = Text()
    for argument in arguments:
        if len(argument) > 3 and argument[0].value == "." and argument[2].value == "=":
            if argument[1].value == "kind":
                continue
            argument = argument[3:]
        one_word = len(argument) == 1 and re.fullmatch(r"[a-z_]+", argument[0].value)
        if not one_word:
            out += text_of(argument)
    return out


def call_arguments(tokens: list[Token], at: int) -> list[list[Token]]:
    """The arguments of the call whose bracket is at `at`; those of a braced report inside."""
    inside = tokens[at + 1 : closing(tokens, at)]
    out: list[list[Token]] = []
    for part in split_at(inside, ","):
        if part and part[0].value == "{" and closing(part, 0) == len(part) - 1:
            out += split_at(part[1:-1], ",")
        else:
            out.append(part)
    return out


class Maker(NamedTuple):
    """A C++ function that ends in an error, whatever it is given."""

    name: str
    folder: str  # calls in files below this folder, or in this file, are calls of it


def makers_in(path: Path, tokens: list[Token]) -> Iterator[tuple[Maker, list[Token]]]:
    """Functions that are [[noreturn]] or return an error, with their bodies ([] if elsewhere)."""
    relative = path.relative_to(ROOT)
    folder = relative.parent.as_posix().removesuffix("/detail")
    scope = folder if path.suffix == ".h" else relative.as_posix()
    for k, token in enumerate(tokens[:-2]):
        ends = token.value == "noreturn" or (
            token.value in CLASSES and tokens[k + 1].kind == "name" and tokens[k + 2].value == "("
        )
        if not ends:
            continue
        start = next(i for i in range(k, len(tokens)) if tokens[i].value == "(")
        after = next(
            i for i in range(closing(tokens, start), len(tokens)) if tokens[i].value in "{;"
        )
        body = tokens[after : closing(tokens, after)] if tokens[after].value == "{" else []
        yield Maker(tokens[start - 1].value, scope), body


def is_internal(tokens: list[Token]) -> bool:
    """Whether a function's body makes an InternalError."""
    values = [token.value for token in tokens]
    return "InternalError" in values or "internal" in values


def cpp_sites() -> Iterator[Site]:
    """Every site of the C++ layers."""
    folders = [folder for folder in layer_order() if (ROOT / folder).is_dir()]
    files = sorted({p for f in folders for s in ("h", "cpp") for p in (ROOT / f).rglob(f"*.{s}")})
    read = {path: tokens_of(path.read_text()) for path in files if path.name != "error.h"}
    makers: set[Maker] = set()
    internal: set[Maker] = set()
    for path, tokens in read.items():
        for maker, body in makers_in(path, tokens):
            makers.add(maker)
            if not body:
                other = read.get(path.with_suffix(".cpp"), [])
                for k, token in enumerate(other):
                    if token.value.split("::")[-1] == maker.name and other[k + 1].value == "(":
                        body = other[k : k + 80]
                        break
            if is_internal(body) or maker.folder.startswith("lowering/ir"):
                internal.add(maker)
    for path, tokens in read.items():
        relative = path.relative_to(ROOT).as_posix()
        known = {m.name: m for m in sorted(makers) if relative.startswith(m.folder)}
        for k, token in enumerate(tokens[:-1]):
            if token.kind != "name" or tokens[k + 1].value not in "({":
                continue
            name = re.split(r"::|\.|->", token.value)[-1]
            maker = known.get(name)
            if name not in CLASSES and (maker is None or maker in internal):
                continue
            text = arguments_text(call_arguments(tokens, k + 1))
            kinds = [t.value for t in tokens[k : closing(tokens, k + 1)] if t.kind == "string"]
            if "internal" not in kinds[:1]:
                yield Site(f"{relative}:{token.line}", name, text)


# Python.


def python_text(node: ast.expr) -> Text:
    """What is known of a Python expression of type str."""
    match node:
        case ast.Constant(value=str(text)):
            return Text((text,))
        case ast.JoinedStr(values=values):
            out = Text()
            for value in values:
                out += python_text(value.value if isinstance(value, ast.FormattedValue) else value)
            return out
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return python_text(left) + python_text(right)
        case ast.IfExp(body=body, orelse=orelse):
            return choice_of(python_text(body), python_text(orelse))
    return Text()


def python_sites() -> Iterator[Site]:
    """Every site of the Python package."""
    for path in sorted((ROOT / "python" / "solway").glob("*.py")):
        tree = ast.parse(path.read_text())
        made = {*CLASSES, *COMMAND_CLASSES}
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and isinstance(node.returns, ast.Name):
                if node.returns.id in CLASSES:
                    made.add(node.name)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
            if name not in made:
                continue
            text = Text()
            for argument in node.args:
                word = isinstance(argument, ast.Constant) and str(argument.value).isidentifier()
                text += Text() if word else python_text(argument)
            yield Site(f"{path.relative_to(ROOT).as_posix()}:{node.lineno}", name, text)


def main() -> int:
    """Prints every gap; the exit status says whether there was one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sites", action="store_true", help="print all sites with their goldens")
    options = parser.parse_args()
    goldens = {p.relative_to(GOLDENS).as_posix(): p.read_text() for p in GOLDENS.glob("*/*.txt")}
    sites = [site for site in (*cpp_sites(), *python_sites()) if site.text.says_something()]
    errors, used = [], set()
    for site in sites:
        found = [
            name
            for name, golden in sorted(goldens.items())
            if site.text.occurs_in(golden)
            and (site.maker not in CLASSES or name.split("/")[0] in (site.maker, "command"))
        ]
        excepted = [
            exempt
            for exempt in EXCEPTIONS
            if site.place.startswith(exempt.path) and exempt.piece in str(site.text)
        ]
        used.update(excepted)
        if options.sites:
            shown = found[0] if found else excepted[0].reason if excepted else "NONE"
            print(f"{site.place}: {shown}: {site.text}")
        if not found and not excepted:
            errors.append(f"{site.place}: {site.maker} has no golden: {site.text}")
        if found and any(exempt.piece for exempt in excepted):
            errors.append(f"{site.place}: an exception, but {found[0]} shows it: {site.text}")
    for exempt in EXCEPTIONS:
        if exempt not in used:
            print(f"note: no message needs the exception {exempt}")
    print("\n".join(errors) if errors else f"messages: {len(sites)} sites, {len(goldens)} goldens")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
