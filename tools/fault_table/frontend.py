"""Faults in tensor expressions and Python."""

from __future__ import annotations

from fault_table.fault import Fault

FAULTS = [
    Fault(
        "read-bounds-forget-the-end",
        "dsl/bounds.cpp",
        "detail::value_of(ctx_, tensor->extent(d), scope_)",
        "detail::value_of(ctx_, tensor->extent(d), scope_).add_constant(1)",
        (("dsl", "*"),),
    ),
    Fault(
        "recurrence-reads-later",
        "dsl/defined_elements.cpp",
        "if (is_own(tensor)) missing = missing.subtract(stored_earlier());",
        "if (is_own(tensor)) return;",
        (("dsl", "*"),),
    ),
    Fault(
        "literal-decides-the-type",
        "dsl/type_rules.cpp",
        "const DType other = a->weak ? b->type : a->type;",
        "const DType other = a->weak ? a->type : b->type;",
        (("dsl", "*"),),
    ),
    Fault(
        "conditions-summed-as-conditions",
        "dsl/type_rules.cpp",
        "if (operand == DType::Bool) return counts ? DType::Int64 : operand;",
        "if (operand == DType::Bool) return counts ? operand : DType::Int64;",
        (("dsl", "*"),),
    ),
    Fault(
        "extent-of-the-smallest-size",
        "dsl/size.cpp",
        "Extent out(isl_ext::try_dim_max(values, 0).value_or(0));",
        "Extent out(isl_ext::try_dim_min(values, 0).value_or(0));",
        (
            ("dsl", "*"),
            ("python", "tests/python/test_sizes.py tests/python/test_sizes_primitives.py"),
        ),
    ),
    Fault(
        "argmin-takes-the-last",
        "dsl/reducer.cpp",
        "compare(BinaryOp::Lt, new_index, index)",
        "compare(BinaryOp::Gt, new_index, index)",
        (
            ("dsl", "*"),
            ("python", "tests/python/test_reducers.py"),
        ),
    ),
    Fault(
        "nan-is-no-extreme",
        "dsl/reducer.cpp",
        "both(make_unary(UnaryOp::Not, was_nan, where), wins, where)",
        "wins",
        (
            ("dsl", "*"),
            ("python", "tests/python/test_reducers.py"),
        ),
    ),
    Fault(
        "position-in-the-last-row",
        "dsl/reducer.cpp",
        "      position = make_binary(BinaryOp::Mul, position, extent, where);\n",
        "",
        (
            ("dsl", "*"),
            ("python", "tests/python/test_reducers.py"),
        ),
    ),
    Fault(
        "any-begins-true",
        "dsl/expr.cpp",
        "return make_int(0, type, false, {});",
        "return make_int(op == ReduceOp::Any, type, false, {});",
        (
            ("dsl", "*"),
            ("lowering", "*"),
            ("python", "tests/python/test_reducers.py"),
        ),
    ),
    Fault(
        "promise-one-too-short",
        "dsl/detail/guarded_reads.cpp",
        "end.add_constant(isl::val(ctx, -1L))",
        "end.add_constant(isl::val(ctx, -2L))",
        (
            ("dsl", "*"),
            ("schedule", "*"),
            ("python", "tests/python/test_reducers.py"),
        ),
    ),
    Fault(
        "promise-broken-at-its-end",
        "python/solway/_index_checks.py",
        "any_of(index < low, index >= high)",
        "any_of(index < low, index > high)",
        (("python", "tests/python/test_reducers.py"),),
    ),
    Fault(
        "sizes-of-any-value-run",
        "python/bindings/quick_call.cpp",
        "if (sizes[k] < sizes_[k].first || sizes[k] > sizes_[k].second) return false;",
        "",
        (("python", "tests/python/test_quick_calls.py"),),
    ),
    Fault(
        "extents-of-sizes-not-compared",
        "python/bindings/quick_call.cpp",
        "if (array.shape()[d] != value_of(shape[d], out.sizes)) return std::nullopt;",
        "if (array.shape()[d] < value_of(shape[d], out.sizes)) return std::nullopt;",
        (("python", "tests/python/test_quick_calls.py"),),
    ),
]
