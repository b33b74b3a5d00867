"""The faults that `planted_faults.py` puts into the compiler: one-line mistakes in all layers."""

from fault_table import codegen, emulator, frontend, lowering, planning, schedule
from fault_table.fault import Fault

__all__ = ["FAULTS", "Fault"]

FAULTS = [
    *schedule.FAULTS,
    *lowering.FAULTS,
    *codegen.FAULTS,
    *emulator.FAULTS,
    *frontend.FAULTS,
    *planning.FAULTS,
]
