#pragma once

#include <optional>
#include <string>

#include "lowering/detail/dot_nest.h"

namespace solway::lowering {

/// A buffer that a nest reads and that is filled before it runs, from nothing but `source`.
struct Prepared {
  ir::Buffer buffer;
  ir::Buffer source;
  ir::Stmt fill;
};

/// What a sum of products has too much when one operand is read as a byte of the other sign: 128
/// times the sum of the other operand, over the same terms, for each element that differs in it.
struct DotExcess {
  Prepared sums;
  ir::Stmt subtract;  ///< takes it off the sums of the nest
};

/// x + 128 of an int8 and x - 128 of a uint8, as a byte of the other sign: its sign bit is turned.
ir::Expr turned_byte(const ir::Expr& x);

/// The operand's group with all its sign bits turned; 0 where it has no bytes.
ir::Expr turned(const DotOperand& operand);

/// dot(acc, 128, other), or with -128: what products of `other` with turned(x), for x of that type,
/// have more than those with x.
ir::Expr excess_of(const ir::Expr& acc, DType turned_from, const DotOperand& other);

/// The excess of a nest whose operand `turned_from` is turned; `other` is the other one. nullopt
/// unless all bounds are constant and the vectorized loop is one of the nest's.
///
///   fill:     for j { excess[j] = 0i32 }
///             for k { for j { excess[j] = dot(excess[j], broadcast(128u8, 4), vload(B[k, j], 4)) }
///             }
///   subtract: for i { for j { C[i, j] = (C[i, j] - excess[j]) } }
std::optional<DotExcess> try_excess(const DotNest& nest, DType turned_from, const DotOperand& other,
                                    const std::string& name, const std::string& scope);

}  // namespace solway::lowering
