#pragma once

#include <string>
#include <vector>

#include "codegen/c/helpers.h"
#include "codegen/c/names.h"
#include "lowering/ir/expr.h"
#include "lowering/ir/range.h"

namespace solway::codegen::c99 {

/// Writes scalar expressions as C99. Integer operations are plain C where the ranges of the
/// variables prove that they cannot overflow, else calls of wrapping helpers.
class CExpressions {
 public:
  CExpressions(const CNames& names, CHelpers& helpers) : names_(names), helpers_(helpers) {}

  /// Throws UnsupportedError for vector forms.
  std::string text(const ir::Expr& e);
  /// "A[(i * 8) + j]".
  std::string element(const ir::BufferNode& buffer, const std::vector<ir::Expr>& indices);

  /// Bounds of the loop variables around the present statement.
  ir::Ranges ranges;

 private:
  std::string unary(const ir::Unary& e);
  std::string binary(const ir::Expr& self);
  std::string integer_binary(const ir::Expr& self);
  std::string cast(const ir::Cast& e);
  std::string converted(const std::string& operand, DType from, DType to);
  std::string call(const std::string& operation, const ir::Binary& e);

  const CNames& names_;
  CHelpers& helpers_;
};

/// A literal that reads back as the same value.
std::string c_literal(const ir::IntImm& e);
std::string c_literal(const ir::FloatImm& e);

}  // namespace solway::codegen::c99
