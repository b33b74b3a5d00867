"""The faults that `planted_faults.py` puts into the compiler: one-line mistakes in all layers."""

from fault_table import codegen, emulator, frontend, lowering, planning, schedule, vector_engine
from fault_table.fault import Fault

__all__ = ["FAULTS", "Fault"]

FAULTS = [
    *schedule.FAULTS,
    *lowering.FAULTS,
    *codegen.FAULTS,
    *vector_engine.FAULTS,
    *emulator.FAULTS,
    *frontend.FAULTS,
    *planning.FAULTS,
]
