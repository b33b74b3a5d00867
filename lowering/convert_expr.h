#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <isl/cpp.h>

#include "dsl/expr.h"
#include "lowering/ir/expr.h"

namespace solway::lowering {

/// What the iterators of the AST stand for.
using Iterators = std::map<std::string, ir::Expr>;

/// An integer or Bool expression of the AST in loop IR. Rounding divisions become FloorDiv: isl
/// only asks for them where floor and truncation agree or where it means floor; divisions have the
/// form of ir::simplify_divisions.
ir::Expr convert_ast_expr(const isl::ast_expr& expr, const Iterators& iterators);

/// The same where a condition stands: isl writes one that always holds as the number 1.
ir::Expr convert_ast_condition(const isl::ast_expr& expr, const Iterators& iterators);

/// What the leaves of a tensor expression are in one statement.
struct Leaves {
  std::map<dsl::Axis, ir::Expr> axes;
  std::map<const dsl::ExprNode*, ir::Expr> reads;  ///< by the Read node
  std::vector<ir::Expr> params;                    ///< of a combine function
  /// Read nodes that no instance of the statement evaluates: selects choose their other side.
  std::set<const dsl::ExprNode*> unread = {};
};

/// The operation on operands of any type that it takes, also those that are only stored: they are
/// cast to the type that they are computed in, and the result back.
ir::Expr unary(UnaryOp op, const ir::Expr& operand);
ir::Expr binary(BinaryOp op, const ir::Expr& a, const ir::Expr& b);

/// A tensor expression in loop IR.
ir::Expr convert_expr(const dsl::Expr& expr, const Leaves& leaves);

}  // namespace solway::lowering
