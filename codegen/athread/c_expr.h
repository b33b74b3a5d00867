#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/athread/detail/c_names.h"
#include "codegen/athread/detail/register_names.h"
#include "codegen/athread/detail/vector_functions.h"
#include "lowering/ir/expr.h"
#include "lowering/ir/range.h"

namespace solway::codegen {

/// "float", "long" (int64), "signed char" (int8), "int" (conditions).
std::string c_type(DType type);

/// Prints scalar expressions as C99 with the fewest parentheses; a buffer is an array of its shape
/// (of one element when it has no dimension). Where C's operator could overflow or rounds
/// differently, calls a helper of c_helpers.h.
///
///   B[((ko * 64) + ki), yi]  ->  B[ko * 64 + ki][yi]
class CExprPrinter {
 public:
  /// Keeps references to both. A machine with vectors (see try_vector_type) computes functions in
  /// them, those of numbers too; otherwise they are the C library's.
  CExprPrinter(CNames& names, const ir::Ranges& ranges, bool has_vectors = false)
      : names_(names), ranges_(ranges), has_vectors_(has_vectors) {}

  /// Throws InternalError for vectors, which CpeVectors writes.
  std::string print(const ir::Expr& e);
  /// As an operand of `*` or a cast.
  std::string print_operand(const ir::Expr& e);
  /// As the right side of `<`.
  std::string print_bound(const ir::Expr& e);
  /// "B[ko * 64][yi]".
  std::string element(const ir::BufferNode& buffer, const std::vector<ir::Expr>& indices);

  /// `a` and `b`, which are of that type and bind like names, combined.
  std::string combined(ReduceOp op, DType type, const std::string& a, const std::string& b);

  /// Variables stand for a buffer until it is dropped.
  void keep(const std::string& buffer, RegisterNames names);
  void drop(const std::string& buffer) { registers_.erase(buffer); }
  /// Null where none do.
  const RegisterNames* registers_of(const std::string& buffer) const;
  /// Prints `text`, which binds like a name, for the lanes that `e` combines.
  void replace(const ir::ReduceLanes& e, std::string text) { lanes_[&e] = std::move(text); }

  /// "min_i64(a, b)"; remembers that the helper is used.
  std::string call(const std::string& helper, const std::vector<std::string>& arguments);
  /// Helpers that the printed expressions call.
  const std::set<std::string>& helpers() const { return helpers_; }
  /// Conversions of 16-bit floats that they call (see half.h).
  const std::set<std::string>& halves() const { return halves_; }
  /// Remembers that a function of vectors is called.
  void note(const VectorFunction& function) { vector_functions_.insert(function); }
  const std::set<VectorFunction>& vector_functions() const { return vector_functions_; }
  /// Those that the printed expressions call for one number.
  const std::set<UnaryOp>& number_functions() const { return number_functions_; }
  /// Whether they need <math.h>.
  bool needs_math() const { return needs_math_; }

 private:
  struct Text {
    std::string text;
    int precedence;
  };
  Text express(const ir::Expr& e);
  Text express(const ir::Unary& e);
  Text express(const ir::Binary& e);
  Text express(const ir::Cast& e);
  Text converted(const Text& operand, DType from, DType to);
  Text float_literal(const ir::FloatImm& e);
  Text infix(const ir::Binary& e, const char* op, int left, int right, int precedence);
  Text integer_result(const ir::ExprNode& e, const std::string& call_text);
  std::string math(std::string_view function, DType type,
                   const std::vector<std::string>& arguments);
  std::string wrapped(const ir::Expr& e, int least_precedence);

  CNames& names_;
  const ir::Ranges& ranges_;
  bool has_vectors_;
  std::set<std::string> helpers_;
  std::set<std::string> halves_;
  std::set<VectorFunction> vector_functions_;
  std::set<UnaryOp> number_functions_;
  bool needs_math_ = false;
  std::map<std::string, RegisterNames> registers_;  ///< by buffer
  std::map<const ir::ReduceLanes*, std::string> lanes_;
};

}  // namespace solway::codegen
