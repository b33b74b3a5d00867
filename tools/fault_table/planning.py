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
        "memory_planner/scratchpad.cpp",
        "round_up(layout.total_bytes, layout.alignment_bytes);",
        "round_up(layout.total_bytes, 1);",
        (("memory_planner", "*"),),
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
