"""Faults in the code generators."""

# Texts of the sources stand as they are there.
# ruff: noqa: E501

from __future__ import annotations

from fault_table.fault import Fault

FAULTS = [
    Fault(
        "floor-division-truncates",
        "codegen/c/helpers.cpp",
        "return (@T)(a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0));",
        "return (@T)(a / b);",
        (("codegen_c", "*"),),
    ),
    Fault(
        "no-poison-in-c",
        "codegen/c/emit_c.cpp",
        "    if (options_.poison) {\n",
        "    if (false) {\n",
        (("codegen_c", "*"),),
    ),
    Fault(
        "copy-at-issue-in-c",
        "codegen/c/transfers.cpp",
        '"    sw_move(t);\\n"',
        '""',
        (("codegen_c", "*"),),
    ),
    Fault(
        "stride-of-the-tile",
        "codegen/athread/transfer_form.cpp",
        "const TransferForm::Block block{best->count, best->main_stride_elems};",
        "const TransferForm::Block block{best->count, ir::index(best->near_stride_elems)};",
        (("codegen_athread", "*"),),
    ),
    Fault(
        "rows-of-a-size-without-a-gap",
        "codegen/athread/transfer_form.cpp",
        "stride.lo > *run_elems &&",
        "stride.hi > *run_elems &&",
        (("codegen_athread", "*"),),
    ),
    Fault(
        "bytes-not-checked",
        "codegen/athread/transfer_form.cpp",
        "return std::gcd(divisor, divisor_of(form.run, ranges) * elem_bytes);",
        "return divisor;",
        (("codegen_athread", "*"),),
    ),
    Fault(
        "c-loop-includes-its-end",
        "codegen/c/emit_c.cpp",
        '" = " + value(n.begin) + "; " + var + " < " + end',
        '" = " + value(n.begin) + "; " + var + " <= " + end',
        (("codegen_c", "*"),),
    ),
    Fault(
        "c-bound-read-again",
        "codegen/c/emit_c.cpp",
        "if (bound.loads) {\n      // The body",
        "if (bound.loads && depth_ < 0) {\n      // The body",
        (("codegen_c", "*"),),
    ),
    Fault(
        "c-wait-stays-pending",
        "codegen/c/transfers.cpp",
        '      "  t->pending = false;\\n"\n',
        "",
        (("codegen_c", "*"),),
    ),
    Fault(
        "llvm-counts-of-the-wait",
        "codegen/llvm/detail/transfer_emitter.cpp",
        "    if (site->counts[d] != nullptr) b_.CreateStore(count, slot_address(site->counts[d], slot));\n",
        "",
        (("codegen_llvm", "*"),),
    ),
    Fault(
        "no-poison-in-llvm",
        "codegen/llvm/detail/transfer_emitter.cpp",
        "if (options_.poison_transfers) poison(s, region);",
        "if (!options_.poison_transfers) poison(s, region);",
        (("codegen_llvm", "*"),),
    ),
    Fault(
        "llvm-wait-stays-pending",
        "codegen/llvm/detail/transfer_emitter.cpp",
        "  b_.CreateStore(b_.getInt32(0), pending);\n",
        "",
        (("codegen_llvm", "*"),),
    ),
    Fault(
        "share-of-a-core-rounded-down",
        "codegen/athread/detail/cpe_stmts.cpp",
        "std::to_string((elems + options_.cores - 1) / options_.cores);",
        "std::to_string(elems / options_.cores);",
        (("codegen_athread", "*"),),
    ),
    Fault(
        "missing-barrier",
        "codegen/athread/detail/cpe_stmts.cpp",
        "      return out.line(dialect_.meet());\n",
        "      return;\n",
        (("codegen_athread", "*"),),
    ),
    Fault(
        "last-core-runs-on",
        "codegen/athread/detail/cpe_stmts.cpp",
        '{begin + " + " + chunk, last}',
        '{begin + " + " + chunk, begin + " + " + chunk}',
        (("codegen_athread", "*"),),
    ),
    Fault(
        "gap-of-the-whole-row",
        "codegen/athread/detail/cpe_transfers.cpp",
        "const Expr gap = ir::sub(form.block->main_stride_elems, form.run);",
        "const Expr gap = form.block->main_stride_elems;",
        (("codegen_athread", "*"),),
    ),
    Fault(
        "pitch-without-the-block",
        "codegen/athread/detail/cpe_transfers.cpp",
        "call.pitch_bytes = bytes(form.block->main_stride_elems);",
        "call.pitch_bytes = bytes(gap);",
        (("codegen_athread", "*"),),
    ),
    Fault(
        "pieces-that-overlap",
        "codegen/athread/transfer_form.cpp",
        "form.loops.push_back({ir::index(pieces), ir::index(piece), piece});",
        "form.loops.push_back({ir::index(pieces), ir::index(pieces), piece});",
        (("codegen_athread", "*"),),
    ),
    Fault(
        "source-and-destination-swapped",
        "codegen/athread/detail/dialect.cpp",
        '(is_get ? main + ", " + near : near + ", " + main)',
        '(is_get ? near + ", " + main : main + ", " + near)',
        (("codegen_athread", "*"),),
    ),
    Fault(
        "empty-transfer-issued",
        "codegen/athread/transfer_form.cpp",
        "if (range_of(count, ranges).lo < 1) form.guards.push_back(count);",
        "if (range_of(count, ranges).lo < 0) form.guards.push_back(count);",
        (("codegen_athread", "*"),),
    ),
    Fault(
        "calls-added-not-multiplied",
        "codegen/athread/transfer_form.cpp",
        "calls *= *count;",
        "calls += *count;",
        (("codegen_athread", "*"),),
    ),
]
