#pragma once

#include <string>

#include "lowering/ir/stmt.h"

namespace solway::codegen {

/// Whether a triple is that of SX-Aurora's vector engine.
bool is_vector_engine(const std::string& triple);

/// Whether some value of a statement has scalable lanes, or depends on how many there are.
bool has_scalable_lanes(const ir::Stmt& s);

/// Why LLVM's back end for the vector engine of SX-Aurora has no vector form of a VectorStore, Let
/// of a vector, or Store that combines lanes; empty: it has one. It has arithmetic of floats, on
/// whole vectors of consecutive elements; on more it stops with an error that ends the process.
std::string ve_vector_lack(const ir::Stmt& s);

}  // namespace solway::codegen
