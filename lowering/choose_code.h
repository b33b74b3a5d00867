#pragma once

#include <cstdint>
#include <string>

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// What a target compiles: C, C beside CPE assembly, or something into which no C text goes.
enum class CodeForm : std::uint8_t { C, CAndAssembly, Other };

/// Gives each call the text that is for the target `target`. `form` is what code for it is.
///
///   before: call gemm4(C = C[0] by (1)), with code for "c" and "sw26010"
///   after:  the same, with Call::text set
///
/// Throws UnsupportedError where there is none, and for a micro-kernel where no assembly is
/// written. Keeps: everything else, by identity.
ir::Stmt choose_code(const ir::Stmt& s, const std::string& target, CodeForm form);

}  // namespace solway::lowering
