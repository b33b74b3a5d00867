#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codegen/athread/assembly/micro_kernel.h"
#include "codegen/athread/detail/c_names.h"
#include "codegen/athread/options.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen {

/// The functions of assembly that the products of one kernel call: one for each shape and layout.
class MicroKernelCalls {
 public:
  /// `prefix` begins their names. Keeps references to `names` and `options`.
  MicroKernelCalls(CNames& names, std::string prefix, const AthreadOptions& options)
      : names_(names), prefix_(std::move(prefix)), options_(options) {}

  /// "matmul_gemm_64x16(&CC[0][0], &AA[0][0], &BB[0][0], 32);", with `element` as the text of an
  /// operand. Throws UnsupportedError for operands that no micro-kernel has a form for.
  std::string call(const ir::Call& call,
                   const std::function<std::string(const ir::CallOperand&)>& element);

  /// "void matmul_gemm_64x16(float *C, const float *A, const float *B, long steps);"
  const std::vector<std::string>& prototypes() const { return prototypes_; }
  /// Of all functions that were called so far; empty: none was.
  const std::string& assembly() const { return assembly_; }

 private:
  CNames& names_;
  std::string prefix_;
  const AthreadOptions& options_;
  std::map<std::string, std::string> functions_;  ///< by the text that follows their name
  std::vector<std::string> prototypes_;
  std::string assembly_;
};

}  // namespace solway::codegen
