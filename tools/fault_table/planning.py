"""Faults in the scratchpad planner and DMA insertion."""

from __future__ import annotations

from fault_table.fault import Fault

FAULTS = [
    Fault(
        "tiles-over-capacity",
        "memory_planner/choose_tiles.cpp",
        "      if (!fits(loop)) {\n        tile(loop) = before;",
        "      if (!fits(loop)) {\n        tile(loop) = 2 * before;",
        (("memory_planner", "*"),),
    ),
    Fault(
        "buffers-not-aligned",
        "memory_planner/pack_lifetimes.cpp",
        "at = std::max(at, round_up(end, unit));",
        "at = std::max(at, end);",
        (("memory_planner", "*"),),
    ),
    Fault(
        "lives-that-touch-do-not-meet",
        "memory_planner/pack_lifetimes.h",
        "first <= other.last && other.first <= last",
        "first < other.last && other.first < last",
        (("memory_planner", "*"),),
    ),
    Fault(
        "bytes-shared-in-one-nest",
        "memory_planner/scratchpad.cpp",
        "const bool is_in = nests.count(nest_of(placements[k])) != 0 ||",
        "const bool is_in =",
        (
            ("memory_planner", "*"),
            ("python", "tests/python/test_shared_bytes.py"),
        ),
    ),
    Fault(
        "stack-not-reserved",
        "memory_planner/scratchpad.cpp",
        "memory.reserved_bytes + (memory.kind == MemoryKind::Scratchpad ? kCodeBytes : 0);",
        "memory.reserved_bytes;",
        (
            ("memory_planner", "*"),
            ("driver", "*"),
        ),
    ),
    Fault(
        "buffer-shared-by-cores",
        "dma/insertion.cpp",
        "if (fixed.count(path[k]) != 0 || is_parallel) depth = k + 1;",
        "if (fixed.count(path[k]) != 0 && !is_parallel) depth = k + 1;",
        (("dma", "*"),),
    ),
    Fault(
        "position-by-the-first-access",
        "dma/insertion.cpp",
        "if (path.size() > out.size()) out = path;",
        "if (out.empty()) out = path;",
        (("dma", "*"),),
    ),
]
