#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lowering/ir/stmt.h"

namespace solway::codegen::c99 {

/// Functions around the code of a kernel's calls: one for each text.
class CallTable {
 public:
  /// `stride_type` is the type of strides.
  explicit CallTable(std::string stride_type) : stride_type_(std::move(stride_type)) {}

  /// "sw_gemm4(&CC[0], 16, 1, &A[i * 64], 64, 1);", with `element` as the text of an operand.
  std::string call(const ir::Call& call,
                   const std::function<std::string(const ir::CallOperand&)>& element);

  /// The functions that were called so far:
  ///
  ///   static void sw_gemm4(float* C, int64_t C_stride0, int64_t C_stride1, const float* A, ...) {
  ///     the user's text
  ///   }
  std::string definitions() const;

 private:
  std::string definition(const ir::Call& call, const std::string& function) const;

  std::string stride_type_;
  std::map<std::string, std::string> functions_;  ///< by the parameters and the text
  std::vector<std::string> definitions_;
};

}  // namespace solway::codegen::c99
