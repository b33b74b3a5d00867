"""Faults in lowering and the loop IR."""

# Texts of the sources stand as they are there.
# ruff: noqa: E501

from __future__ import annotations

from fault_table.fault import Fault

FAULTS = [
    Fault(
        "dropped-wait",
        "lowering/lower.cpp",
        "      return wait_for(s, state_.program->buffers.at(s.copy->buffer),\n"
        "                      slot.empty() ? ir::Expr{} : slot.front(), counts(at), dims_);",
        "      return ir::Block::make({});",
        (("lowering", "*"),),
    ),
    Fault(
        "transfer-dims-merged-by-one-side",
        "lowering/ir/merge_dims.cpp",
        "*outer_stride == *count * *inner_stride &&\n",
        "\n",
        (("ir", "*"),),
    ),
    Fault(
        "swapped-buffer-dimension",
        "lowering/lower_transfer.cpp",
        "near_strides[buffer.first_dim() + levels[k].at]});",
        "near_strides[buffer.first_dim() + buffer.dims.size() - 1 - levels[k].at]});",
        (("lowering", "*"),),
    ),
    Fault(
        "loop-end-not-half-open",
        "lowering/ast_nodes.cpp",
        "return condition.isa<isl::ast_expr_op_lt>() ? bound : one_more(bound);",
        "return bound;",
        (("lowering", "*"),),
    ),
    Fault(
        "unroll-forgets-the-last",
        "lowering/unroll_loops.cpp",
        "for (std::int64_t k = 0; k < extent.constant; ++k) {",
        "for (std::int64_t k = 0; k + 1 < extent.constant; ++k) {",
        (("lowering", "*"),),
    ),
    Fault(
        "vector-tail-dropped",
        "lowering/vectorize_loops.cpp",
        "if (rest > 0) {",
        "if (rest > 1) {",
        (("lowering", "*"),),
    ),
    Fault(
        "folded-floor-division-truncates",
        "lowering/ir/fold.cpp",
        "return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);",
        "return a / b;",
        (("ir", "*"),),
    ),
    Fault(
        "box-of-a-name-by-chance",
        "lowering/isl_ast.cpp",
        "if (loop >= 0 && is_always(s.copy->first.at(static_cast<int>(d)), loop)) {",
        "if (loop >= 0) {",
        (
            ("lowering", "*"),
            ("driver", "*"),
        ),
    ),
    Fault(
        "unit-loop-one-late",
        "lowering/remove_unit_loops.cpp",
        "value_of_[loop.var] = begin;",
        "value_of_[loop.var] = loop.end;",
        (("lowering", "*"),),
    ),
    Fault(
        "condition-decided-at-its-edge",
        "lowering/simplify_bounds.cpp",
        "return sure(d.hi < 0, d.lo >= 0);",
        "return sure(d.hi <= 0, d.lo >= 0);",
        (("lowering", "*"),),
    ),
    Fault(
        "minimum-is-the-larger",
        "lowering/simplify_bounds.cpp",
        "if (d->hi <= 0) return takes_smaller ? n.a : n.b;",
        "if (d->hi <= 0) return takes_smaller ? n.b : n.a;",
        (("lowering", "*"),),
    ),
    Fault(
        "rest-as-large-as-the-divisor",
        "lowering/simplify_bounds.cpp",
        "range->hi >= *divisor",
        "range->hi > *divisor",
        (("lowering", "*"),),
    ),
    Fault(
        "peeled-part-misses-its-last",
        "lowering/peel_tails.cpp",
        "parts.push_back(mutate(simplify_bounds(part(s, from, to))));",
        "parts.push_back(mutate(simplify_bounds(part(s, from, to - 1))));",
        (("lowering", "*"),),
    ),
    Fault(
        "accumulators-left-over",
        "lowering/vector_accumulator.cpp",
        "known_ && u < *known_ % width_; ++u",
        "known_ && u + 1 < *known_ % width_; ++u",
        (("lowering", "*"),),
    ),
    Fault(
        "term-reads-the-sum",
        "lowering/reduction_form.cpp",
        "  if (finder.found) return std::nullopt;\n",
        "",
        (("lowering", "*"),),
    ),
    Fault(
        "largest-from-zero",
        "lowering/reduction_form.cpp",
        "literal(lowest(type));",
        "literal(0);",
        (("lowering", "*"),),
    ),
    Fault(
        "select-sides-swapped",
        "lowering/convert_expr.cpp",
        "return ir::Select::make(operand(0), operand(1), operand(2));",
        "return ir::Select::make(operand(0), operand(2), operand(1));",
        (
            ("lowering", "*"),
            ("driver", "*"),
        ),
    ),
    Fault(
        "inlined-copy-strides-swapped",
        "lowering/inline_copies.cpp",
        "advance(*s.main, main_index, dims[k].main_stride_elems, counter);",
        "advance(*s.main, main_index, dims[k].near_stride_elems, counter);",
        (("lowering", "*"),),
    ),
    Fault(
        "inlined-copy-backwards",
        "lowering/inline_copies.cpp",
        "const bool is_get = s.direction == ir::TransferDirection::Get;\n    Stmt out",
        "const bool is_get = s.direction != ir::TransferDirection::Get;\n    Stmt out",
        (("lowering", "*"),),
    ),
    Fault(
        "remainder-truncates",
        "lowering/ir/fold.cpp",
        "return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;",
        "return rest;",
        (("ir", "*"),),
    ),
    Fault(
        "range-of-product-misses-a-corner",
        "lowering/ir/range.cpp",
        "*std::max_element(corners, corners + 4)",
        "*std::max_element(corners, corners + 3)",
        (("ir", "*"),),
    ),
    Fault(
        "range-of-difference-by-ends",
        "lowering/ir/range.cpp",
        "__builtin_sub_overflow(a.lo, b.hi, &out.lo)",
        "__builtin_sub_overflow(a.lo, b.lo, &out.lo)",
        (("ir", "*"),),
    ),
    Fault(
        "no-barrier-between-iterations",
        "lowering/place_barriers.cpp",
        "    if (!crosses(from, to, around, around.size() - 1)) return;\n",
        "    return;\n",
        (("lowering", "*"),),
    ),
    Fault(
        "cores-of-a-mesh-mixed-up",
        "lowering/place_barriers.cpp",
        '      if (loop.hardware == "row") step = cores_.mesh.columns;\n',
        "",
        (("lowering", "*"),),
    ),
    Fault(
        "condition-of-the-ast-as-a-number",
        "lowering/convert_expr.cpp",
        "return is_connective(op) ? as_condition(value) : value;",
        "return !is_connective(op) ? as_condition(value) : value;",
        (
            ("lowering", "*"),
            ("driver", "*"),
        ),
    ),
    Fault(
        "negated-quotient-one-too-large",
        "lowering/ir/divisions.cpp",
        "divisor - 1 - dividend.constant",
        "divisor - dividend.constant",
        (("ir", "*"),),
    ),
    Fault(
        "joined-remainder-of-the-wrong-divisor",
        "lowering/ir/divisions.cpp",
        "out.add(Binary::make(BinaryOp::Mod, over_d, index(times)), c);",
        "out.add(Binary::make(BinaryOp::Mod, over_d, index(divisor)), c);",
        (("ir", "*"),),
    ),
    Fault(
        "constant-with-the-strides-of-its-tensor",
        "lowering/constant_values.cpp",
        "stride *= array.shape[k]",
        "stride *= array.tensor->shape[k % array.tensor->shape.size()]",
        (("lowering", "*"), ("python", "tests/python/test_transform_layout.py")),
    ),
    Fault(
        "row-of-the-dimension-before",
        "lowering/symbolic_shape.cpp",
        "ir::add(ir::mul(out, extent_of(tensor, d)), index[d]);",
        "ir::add(ir::mul(out, extent_of(tensor, d - 1)), index[d]);",
        (
            ("lowering", "*"),
            ("python", "tests/python/test_sizes.py tests/python/test_sizes_primitives.py"),
        ),
    ),
    Fault(
        "size-of-its-neighbour",
        "lowering/symbolic_shape.cpp",
        "value = ir::Load::make(values, {ir::index(static_cast<std::int64_t>(k))",
        "value = ir::Load::make(values, {ir::index(static_cast<std::int64_t>(sizes.size() - 1 - k))",
        (
            ("lowering", "*"),
            ("python", "tests/python/test_sizes.py tests/python/test_sizes_primitives.py"),
        ),
    ),
]
