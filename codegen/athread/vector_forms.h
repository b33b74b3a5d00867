#pragma once

#include <optional>
#include <string>

#include "lowering/ir/stmt.h"

namespace solway::codegen {

/// A vector type of simd.h.
struct VectorType {
  std::string name;  ///< "floatv4"
  DType scalar = DType::Float32;
  int lanes = 4;

  /// Of its instructions: 's' or 'd'.
  char suffix() const { return scalar == DType::Float32 ? 's' : 'd'; }
};

/// Squares of float32 that are turned in registers: so many vectors of so many lanes.
inline constexpr int kSquareLanes = 4;

/// The type of simd.h whose elements are these, on a machine named as in AthreadOptions; nullopt
/// where it has none that solway writes code for.
std::optional<VectorType> vector_type_of(DType scalar, const std::string& machine);

/// The type of simd.h for vectors of `type`; nullopt where the machine, named as in
/// AthreadOptions, has none that solway writes code for.
std::optional<VectorType> try_vector_type(const ir::Type& type, const std::string& machine);

/// Why C for computing cores has no form for the vectors of a VectorStore, a Let or a Store; empty:
/// it has one. See lowering::VectorForms.
std::string vector_lack(const ir::StmtNode& s, const std::string& machine);

}  // namespace solway::codegen
