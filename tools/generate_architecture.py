#!/usr/bin/env python3
"""Writes the generated parts of docs/ARCHITECTURE.md: one program, followed through every stage.

    tools/generate_architecture.py            writes the page anew
    tools/generate_architecture.py --check    says whether it is old; a test does this

The page is a text with marked blocks; only what stands between ``<!-- begin NAME -->`` and
``<!-- end NAME -->`` is replaced. It needs the built extension module.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "ARCHITECTURE.md"

EXPRESSION = """\
import solway as sw

A = sw.placeholder((1, 1024), name="A")
B = sw.placeholder((1024, 1024), name="B")
k = sw.reduce_axis((0, 1024), name="k")
C = sw.compute((1, 1024), lambda x, y: sw.sum(A[x, k] * B[k, y], axis=k), name="C")
"""

SCHEDULE = """\
s = sw.create_schedule(C)
yo, yi = s[C].split("y", factor=128)
ko, ki = s[C].split(k, factor=64)
s[C].reorder(yo, ko, ki, yi)
BB = s.buffer_read(B, [ki, yi])
AA = s.buffer_read(A, [ki])
CC = s.buffer_write(C, [yi])
s[C].vectorize(yi)
s[C].parallel(yo)
"""

# The schedule of the machine code: x86-64-v3, whatever machine this runs on.
TARGETS = ("sw26010", "c", "x86-64-v3")

SHOW = """
import sys
what = sys.argv[1]
if what == "expression":
    print(C)
elif what == "as-written":
    print(sw.create_schedule(C))
elif what == "loops":
    print(s)
elif what == "tree":
    print(s._state.tree())
else:
    kernel = sw.build(s, [A, B, C], target=what, name="matmul")
    for name, text in kernel.source.items():
        print(f"@@@ {name}\\n{text}")
"""

BLOCK = re.compile(r"(<!-- begin (\S+) -->\n).*?(<!-- end \2 -->)", re.S)


def run(what: str, **environment: str) -> tuple[str, str]:
    """Standard output and error of the program that prints `what`."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "matmul.py"
        script.write_text(EXPRESSION + SCHEDULE + SHOW)
        done = subprocess.run(
            [sys.executable, str(script), what],
            env={**os.environ, "PYTHONPATH": str(ROOT / "python"), **environment},
            capture_output=True,
            text=True,
        )
    if done.returncode != 0:
        sys.exit(f"the program of the page stopped at {what}:\n{done.stderr}")
    return done.stdout.replace(f"{folder}/", ""), done.stderr.replace(f"{folder}/", "")


def files_of(target: str) -> dict[str, str]:
    """The generated files of a target."""
    parts = re.split(r"^@@@ (.*)\n", run(target)[0], flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def passes_of(target: str) -> dict[str, str]:
    """The loop IR after each pass, in order, as SOLWAY_PRINT_AFTER=all prints it."""
    parts = re.split(r"^// after (\w+):?\n?", run(target, SOLWAY_PRINT_AFTER="all")[1], flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def indent_tree(text: str) -> str:
    """An isl schedule tree, one node per line."""
    out, depth = [], 0
    for part in re.findall(r'(?:\w+: )?"[^"]*"|\w+: \[?|[{}\[\],]', text):
        if part[0] in "}]":
            depth -= part == "}"
        elif part == "{":
            depth += 1
        elif part[0].isalpha() and not part.startswith(("child", "sequence")):
            out.append("  " * (depth - 1) + names_only(re.sub(r"\{ (.*) \}", sorted_entries, part)))
        elif part.startswith("sequence"):
            out.append("  " * (depth - 1) + "sequence")
    return "\n".join(out)


def sorted_entries(braces: re.Match[str]) -> str:
    """A union with its parts in alphabetical order; isl's own order is that of a hash table."""
    return "{ " + "; ".join(sorted(braces.group(1).split("; "))) + " }"


def names_only(part: str) -> str:
    """A filter without the conditions, which the domain has already."""
    if not part.startswith("filter"):
        return part
    return "filter: " + ", ".join(re.findall(r"(\w+)\[", part))


def fenced(text: str, language: str = "") -> str:
    """A code block."""
    return f"```{language}\n{text.strip()}\n```\n"


def cut(text: str, begin: str, end: str) -> str:
    """From the line that matches `begin` to the first later one that matches `end`."""
    lines = text.splitlines()
    first = next((k for k, line in enumerate(lines) if re.search(begin, line)), None)
    if first is None:
        sys.exit(f"no line of the generated code matches {begin!r}")
    last = next((k for k in range(first + 1, len(lines)) if re.search(end, lines[k])), len(lines))
    return "\n".join(lines[first : last + 1])


def passes_text(passes: Mapping[str, str]) -> str:
    """The loop IR as lowered, and after each pass that changes it."""
    out = []
    for name, text in passes.items():
        if text.strip() == "(unchanged)":
            out.append(f"`{name}` changes nothing here.\n")
        else:
            title = "As lowered" if name == "lower" else f"After `{name}`"
            out.append(f"{title}:\n\n{fenced(text)}")
    return "\n".join(out)


def layers() -> str:
    """The layers and what each may include, from the CMake files."""
    sys.path.insert(0, str(ROOT / "tools"))
    from check_layering import declared, layer_order

    rows = ["| Folder | May include |", "|---|---|"]
    for folder in layer_order():
        layer = declared(folder)
        if layer is not None:
            rows.append(f"| `{folder}/` | {', '.join(layer[1]) or 'nothing'} |")
    return "\n".join(rows) + "\n"


def blocks() -> dict[str, str]:
    """The text of every generated block."""
    c_files, host_files, athread = (files_of(t) for t in ("c", "x86-64-v3", "sw26010"))
    return {
        "layers": layers(),
        "expression": fenced(EXPRESSION, "python") + "\n" + fenced(run("expression")[0]),
        "as-written": fenced(run("as-written")[0]),
        "schedule": fenced(SCHEDULE, "python"),
        "loops": fenced(run("loops")[0]),
        "tree": fenced(indent_tree(run("tree")[0])),
        "passes-sw26010": passes_text(passes_of("sw26010")),
        "athread": fenced(cut(athread["matmul_cpe.c"], r"^/\* LDM buffers", r"^}"), "c"),
        "athread-mpe": fenced(athread["matmul.c"], "c"),
        "c": fenced(cut(c_files["matmul.c"], r"matmul\(.*\{", r"^}"), "c"),
        "passes-host": fenced(passes_of("x86-64-v3")["vectorize_loops"]),
        "llvm": fenced(innermost(host_files["matmul.ll"]), "llvm"),
    }


def innermost(llvm_ir: str) -> str:
    """The block of the kernel with the most fused multiply-adds, shortened."""
    parts = re.split(r"\n\n", llvm_ir)
    best = max(parts, key=lambda part: len(re.findall(r"fmul|fmuladd|@llvm\.fma", part)))
    lines = best.splitlines()
    return "\n".join([*lines[:24], "  ; ..."] if len(lines) > 24 else lines)


def page_with(texts: Mapping[str, str], page: str) -> str:
    """The page with its blocks replaced."""
    names = [match.group(2) for match in BLOCK.finditer(page)]
    if sorted(names) != sorted(texts):
        sys.exit(f"{PAGE.name} has the blocks {sorted(names)}, generated are {sorted(texts)}")
    return BLOCK.sub(lambda m: m.group(1) + "\n" + texts[m.group(2)] + "\n" + m.group(3), page)


def main() -> int:
    """Writes the page, or with --check says whether it is old."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing")
    options = parser.parse_args()
    old = PAGE.read_text()
    new = page_with(blocks(), old)
    if options.check:
        sys.stdout.writelines(
            difflib.unified_diff(
                old.splitlines(keepends=True), new.splitlines(keepends=True), "page", "generated"
            )
        )
        if old != new:
            print("docs/ARCHITECTURE.md is old; run tools/generate_architecture.py")
        return 0 if old == new else 1
    PAGE.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
