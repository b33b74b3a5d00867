#pragma once

#include <set>
#include <string>
#include <string_view>

#include "codegen/athread/vector_forms.h"

namespace solway::codegen {

/// The functions of float32 that solway writes in vectors: exp, exp2, expm1, sigmoid, tanh, erf,
/// log, log2, log10, log1p.
bool has_vector_function(UnaryOp op);

/// A C function that replaces vectors of float32 by a function of each lane: of one to four of them
/// together, whose steps take turns, so that a core that issues in order does not wait for each.
struct VectorFunction {
  UnaryOp op = UnaryOp::Exp;
  int vectors = 1;

  bool operator<(const VectorFunction& other) const {
    return op != other.op ? op < other.op : vectors < other.vectors;
  }

  /// "exp_of_4".
  std::string name() const;
};

constexpr int kMaxFunctionVectors = 4;

/// Vectors of a call, at most: what registers hold beside the constants.
int max_vectors(UnaryOp op);

/// Names that a VectorFunction or the function of one number may have.
bool is_vector_function_name(std::string_view name);

/// "exp_of_number": the same function of one float, by the same operations.
std::string number_function_name(UnaryOp op);

/// Static inline definitions. Registers of computing cores hold a float as a double, in which these
/// compute: with products and sums alone, as integers of such registers have no public form.
///
///   static inline void exp_of_1(floatv4 *v0) {
///     const doublev4 k0 = simd_set_doublev4(104.5, 104.5, 104.5, 104.5);
///     ...
///     doublev4 x0, y0;
///     x0 = (doublev4)(*v0);
///     y0 = simd_vsubd(k0, x0);
///     ...
///     *v0 = (floatv4)(y0);
///   }
///
/// `numbers` are the operations that number_function_name() is called for. `type` is that of
/// vectors of float32.
std::string vector_function_definitions(std::set<VectorFunction> functions,
                                        const std::set<UnaryOp>& numbers, const VectorType& type);

}  // namespace solway::codegen
