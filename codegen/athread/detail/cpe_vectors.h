#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "codegen/athread/c_expr.h"
#include "codegen/athread/detail/c_names.h"
#include "codegen/athread/detail/c_text.h"
#include "codegen/athread/detail/vector_group.h"
#include "codegen/athread/detail/vector_places.h"
#include "codegen/athread/options.h"
#include "codegen/athread/vector_forms.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen {

/// Writes vector statements with the operations of simd.h. Loads stand before the arithmetic that
/// uses them (with_loads), as cores issue in order, and what several statements load is loaded
/// once:
///
///   vstore(C[0], 4) = (vload(C[0], 4) + (broadcast(A[k], 4) * vload(B[k, 0], 4)))
///
///   floatv4 v0, v1, v2;
///   simd_load(v0, &C[0]);
///   simd_loade(v1, &A[k]);
///   simd_load(v2, &B[k][0]);
///   simd_store(simd_vmas(v1, v2, v0), &C[0]);
///
/// Needs: statements that vector_lack() has nothing against, with whole vectors.
class CpeVectors {
 public:
  /// Keeps references to all. `where` is called with each statement's place before it is written.
  CpeVectors(CNames& names, CExprPrinter& exprs, CText& out, const AthreadOptions& options,
             std::function<void(const SourceLoc&)> where);

  /// Vector stores that follow each other.
  void stores(const std::vector<const ir::VectorStore*>& stores);
  /// "const floatv4 x = ...;", the vector of a Let.
  void let(const ir::Let& n);
  /// A store of one element whose value combines lanes.
  void reduction(const ir::Store& n);
  /// Whether anything has been written that needs simd.h.
  bool is_used() const { return is_used_; }

 private:
  using Scope = VectorGroup::Scope;

  VectorType type_of(const ir::Expr& e) const;
  std::string value(const ir::Expr& e);
  std::string unary(const ir::Unary& e);
  /// A step of a value: under a name of its own where several values are computed in turns.
  std::string step(const std::string& text, const std::string& type);
  /// The variable that holds a function of `operand`.
  std::string function(UnaryOp op, const std::string& operand, const std::string& type);
  std::string binary(const ir::Binary& e);
  /// "simd_vmas(a, b, c)" for a * b + c and the like; empty for another sum or difference.
  std::string fused(const ir::Binary& e);
  /// The least or greatest, which is no number where either operand is none.
  std::string extreme(const ir::Binary& e);
  std::string choice(const ir::Select& e);
  std::string broadcast(const ir::Broadcast& e);
  /// A variable whose lanes all hold a scalar.
  std::string spread(const std::string& scalar, const VectorType& type);
  std::string load(const ir::VectorLoad& e);
  /// Lanes that lie two elements apart: 0 and 2 of the vector at `from`, and 1 and 3 of another,
  /// which ends with the last of them.
  std::string every_second(const ir::VectorLoad& e, const std::string& from,
                           const std::string& type);
  void store(const ir::VectorStore& n);
  /// Writes a store of a value that has been computed.
  void store_value(const ir::VectorStore& n, const std::string& text);
  /// Writes four stores that turn a square (row_squares.h): its rows are loaded.
  void turned_square(const std::vector<const ir::VectorStore*>& stores, std::size_t first);
  /// Writes one that brings a register its value from memory; else false.
  bool loads_register(const ir::VectorStore& n);
  void strided_store(const ir::VectorStore& n, const std::string& value);

  /// The same value under a name.
  std::string named(const std::string& text, const std::string& type);
  /// The lanes of a variable, one text each.
  std::vector<std::string> lanes_of(const std::string& variable, const VectorType& type);
  /// "&C[i][j]".
  std::string address(const ir::BufferNode& buffer, const std::vector<ir::Expr>& indices);
  /// Whether the loads of a value would come after stores that they have to see.
  bool has_to_wait(const ir::Expr& value) const;
  /// Writes what has been collected.
  void end_group(Scope scope);

  CNames& names_;
  CExprPrinter& exprs_;
  CText& out_;
  const std::string& machine_;
  std::int64_t near_alignment_bytes_;
  VectorGroup group_;
  SourceLoc place_;  ///< of the present statement
  std::vector<VectorPlace> stored_;
  bool stores_main_ = false;
  LoadPlace loads_stand_ = LoadPlace::First;  ///< of the present group
  bool takes_turns_ = false;  ///< whether steps have names, so that several values take turns
  bool is_used_ = false;
};

}  // namespace solway::codegen
