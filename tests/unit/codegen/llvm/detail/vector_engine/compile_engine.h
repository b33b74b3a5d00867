#pragma once

#include <sstream>
#include <string>

#include "codegen/llvm/object_code.h"
#include "lowering/ir/parser.h"

namespace solway::codegen {

/// LLVM IR, without declarations, of a kernel for SX-Aurora, `body` over float32 A, B, C, float64
/// D, E, int32 I, J, int64 L, M, n, int8 P, Q, uint8 U, V, int16 S, T, bool X, Y and bfloat16 W.
inline std::string engine_ir(const std::string& body) {
  LlvmOptions options;
  options.triple = "ve-linux-gnu";
  options.cpu = "generic";
  options.features = "+vpu";
  const std::string parameters =
      "in A: float32[1024], in B: float32[1024], in D: float64[1024], in I: int32[1024], "
      "in L: int64[1024], in n: int64[1], out C: float32[1024], out E: float64[1024], "
      "out J: int32[1024], out M: int64[1024], in P: int8[1024], out Q: int8[1024], "
      "in U: uint8[1024], out V: uint8[1024], in S: int16[1024], out T: int16[1024], "
      "in X: bool[1024], out Y: bool[1024], out W: bfloat16[1024]";
  const std::string all =
      compile_object(ir::parse_kernel("kernel k(" + parameters + ") {\n" + body + "\n}\n"), options)
          .llvm_ir;
  std::istringstream lines(all);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("declare ", 0) != 0) out += line + "\n";
  }
  return out;
}

}  // namespace solway::codegen
