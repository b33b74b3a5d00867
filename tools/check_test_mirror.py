#!/usr/bin/env python3
"""Checks that unit tests mirror sources one to one.

<layer>/<file>.cpp has tests/unit/<layer>/<file>_test.cpp, listed in its CMakeLists.txt, and no
test is left without its source or header. Files in a detail/ folder are tested through the files
that use them.
"""

from __future__ import annotations

import sys

from check_layering import ROOT, declared, layer_order


def sources_of(folder: str, others: list[str]) -> list[str]:
    """The .cpp files of a layer, without those of a layer inside its folder, without suffix."""
    inner = tuple(other + "/" for other in others if other.startswith(folder + "/"))
    names = []
    for path in sorted((ROOT / folder).rglob("*.cpp")):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(inner or ("//",)) and "/detail/" not in name:
            names.append(name.removesuffix(".cpp"))
    return names


def main() -> int:
    """Prints every gap; the exit status says whether there was one."""
    errors = []
    count = 0
    order = layer_order()
    for folder in order:
        if declared(folder) is None:
            continue
        tests = ROOT / "tests" / "unit"
        cmake = tests / folder / "CMakeLists.txt"
        listed = cmake.read_text().replace(")", " ").split() if cmake.exists() else []
        for source in sources_of(folder, order):
            count += 1
            test = tests / f"{source}_test.cpp"
            inside = test.relative_to(tests / folder).as_posix()
            if not test.exists():
                errors.append(f"{source}.cpp has no {test.relative_to(ROOT)}")
            elif inside not in listed:
                errors.append(f"{test.relative_to(ROOT)} is not listed in its CMakeLists.txt")
    for test in sorted((ROOT / "tests" / "unit").rglob("*_test.cpp")):
        source = test.relative_to(ROOT / "tests" / "unit").as_posix().removesuffix("_test.cpp")
        if not any((ROOT / (source + suffix)).exists() for suffix in (".cpp", ".h")):
            errors.append(f"{test.relative_to(ROOT)} tests no file of that name")
    print("\n".join(errors) if errors else f"test mirror: {count} sources")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
