#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lowering/ir/expr.h"

namespace solway::ir {

/// Makes the operation, or an equal smaller expression where that is exact for every value:
/// constants of integers and Bool are folded, x + 0, x * 1, x * 0 of integers, (x + 1) + 2,
/// x - x, min(x, x), comparisons of constants, and so on. Floats are left alone but for x * 1.
Expr fold(BinaryOp op, Expr a, Expr b);
Expr fold(UnaryOp op, Expr operand);
Expr fold_select(Expr condition, Expr if_true, Expr if_false);
Expr fold_cast(Expr operand, DType type);

/// int64 arithmetic through `fold`.
Expr index(std::int64_t value);
Expr add(Expr a, Expr b);
Expr sub(Expr a, Expr b);
Expr mul(Expr a, Expr b);
Expr min(Expr a, Expr b);
Expr max(Expr a, Expr b);

/// The value of an integer or Bool literal; nullopt for every other expression.
std::optional<std::int64_t> try_constant(const Expr& e);

/// The operands of `op` in each other: a, b and c of min(a, min(b, c)); `e` of what is no `op`.
std::vector<Expr> operands_of(BinaryOp op, const Expr& e);

/// Row-major position in elements of the indices within the buffer.
Expr flat_index(const BufferNode& buffer, const std::vector<Expr>& indices);

/// The value of `op` on integers or Bool of that type: wrapping, floor division, x // 0 = 0.
/// nullopt when the operation does not take the type.
std::optional<std::int64_t> try_evaluate(BinaryOp op, std::int64_t a, std::int64_t b, DType type);
/// `value` wrapped to a signed integer of that type; of Bool, `value != 0`.
std::int64_t wrap(std::int64_t value, DType type);

}  // namespace solway::ir
