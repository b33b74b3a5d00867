#!/usr/bin/env python3
"""Holds every #include against the layers that its folder declares.

A layer's folder names what it may include in the DEPS of its CMakeLists.txt; the order of the
layers stands in the root CMakeLists.txt. Refused are: a folder that is not named, a DEPS entry
further down the order, another folder's detail/, "../", a third party's header outside the folders
that own it, and raw calls of isl's C functions outside support/isl_ext.cpp, support/isl_box.cpp,
support/isl_points.cpp and support/isl_context.cpp.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {".h", ".cpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.M)
ISL_TYPES = "aff|ast|basic|ctx|dim|fixed|flow|id|local|map|multi|options|point|printer|pw|schedule"
RAW_ISL = re.compile(
    rf"\bisl_({ISL_TYPES}|access|constraint|set|size|space|stride|union|val|vec|mat)_[a-z0-9_]+\("
)
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)

# A header of third parties, and the folders that may include it.
OWNERS = {
    "llvm/": ("codegen", "emulator"),
    "llvm-c/": ("codegen", "emulator"),
    "pybind11/": ("python",),
    "toml++/": ("support/target.cpp", "support/detail/table_reader.h", "emulator/kernel_toml.cpp"),
    "isl/": ("support", "dsl", "schedule", "memory_planner", "dma", "lowering"),
}
RAW_ISL_FILES = {
    f"support/{name}.cpp" for name in ("isl_box", "isl_context", "isl_ext", "isl_points")
}


def layer_order() -> list[str]:
    """The folders of the layers, lowest first."""
    text = (ROOT / "CMakeLists.txt").read_text()
    match = re.search(r"set\(SOLWAY_LAYERS\s+([^)]*)\)", text)
    if match is None:
        sys.exit("CMakeLists.txt: no set(SOLWAY_LAYERS ...)")
    return match.group(1).split()


def declared(folder: str) -> tuple[str, list[str]] | None:
    """Name and DEPS of the layer in a folder; None when the folder is not there yet."""
    cmake = ROOT / folder / "CMakeLists.txt"
    if not cmake.exists():
        return None
    text = re.sub(r"#[^\n]*", "", cmake.read_text())
    match = re.search(r"solway_add_layer\(([^)]*)\)", text)
    if match is None:
        return None
    words = match.group(1).split()
    deps: list[str] = []
    section = ""
    for word in words[1:]:
        if word in {"SOURCES", "DEPS", "PRIVATE_LIBS"}:
            section = word
        elif section == "DEPS":
            deps.append(word)
    return words[0], deps


def folder_of(path: str, folders: list[str]) -> str | None:
    """The innermost layer folder that holds a path."""
    holders = [folder for folder in folders if path.startswith(folder + "/")]
    return max(holders, key=len, default=None)


def check_third_party(name: str, header: str) -> list[str]:
    """Errors of one include in angle brackets."""
    for prefix, owners in OWNERS.items():
        if header.startswith(prefix) and not name.startswith(owners):
            return [f"{name}: <{header}> belongs to {', '.join(owners)} only"]
    return []


def check_file(path: Path, folders: list[str], allowed: dict[str, set[str]]) -> list[str]:
    """Errors of one source file."""
    name = path.relative_to(ROOT).as_posix()
    text = path.read_text()
    home = folder_of(name, folders)
    tested = folder_of(name.removeprefix("tests/unit/"), folders)
    errors = []
    for bracket, header in INCLUDE.findall(text):
        if bracket == "<":
            if not name.startswith("tests/"):
                errors += check_third_party(name, header)
            continue
        if "../" in header:
            errors.append(f'{name}: "{header}" names a parent folder; include from the root')
            continue
        target = folder_of(header, folders)
        if target is None:
            continue
        if "/detail/" in header and target not in {home, tested}:
            errors.append(f'{name}: "{header}" is private to {target}/')
        if home is not None and target != home and target not in allowed[home]:
            errors.append(f'{name}: "{header}", but {home}/ does not name {target} in its DEPS')
    if name not in RAW_ISL_FILES and RAW_ISL.search(COMMENT_OR_STRING.sub("", text)):
        call = RAW_ISL.search(COMMENT_OR_STRING.sub("", text))
        assert call is not None
        errors.append(f"{name}: raw isl call {call.group()}...); wrap it in support/isl_ext.cpp")
    return errors


def main() -> int:
    """Prints every violation; the exit status says whether there was one."""
    order = layer_order()
    layers = {folder: layer for folder in order if (layer := declared(folder)) is not None}
    folder_by_name = {name: folder for folder, (name, _) in layers.items()}
    allowed: dict[str, set[str]] = {folder: set() for folder in order}
    errors = []
    for folder, (name, deps) in layers.items():
        for dep in deps:
            target = folder_by_name.get(dep)
            if target is None:
                errors.append(f"{folder}/CMakeLists.txt: DEPS names {dep}, which is no layer")
            elif order.index(target) >= order.index(folder):
                errors.append(f"{folder}/CMakeLists.txt: {name} may not depend on {dep}")
            else:
                allowed[folder].add(target)
    roots = sorted({folder.split("/")[0] for folder in order} | {"python", "tests"})
    files = [
        path
        for root in roots
        for path in sorted((ROOT / root).rglob("*"))
        if path.suffix in SOURCES and path.is_file()
    ]
    for path in files:
        errors += check_file(path, order, allowed)
    print("\n".join(errors) if errors else f"layering: {len(files)} files, {len(layers)} layers")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
