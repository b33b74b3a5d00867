#include "codegen/c/calls.h"

#include <sstream>

#include "codegen/c/helpers.h"

namespace solway::codegen::c99 {

std::string CallTable::call(const ir::Call& call,
                            const std::function<std::string(const ir::CallOperand&)>& element) {
  const std::string key = definition(call, call.name);
  const auto [function, is_new] = functions_.emplace(key, "");
  if (is_new) {
    const std::size_t number = definitions_.size();
    function->second = "sw_" + call.name + (number == 0 ? "" : "_" + std::to_string(number));
    definitions_.push_back(definition(call, function->second));
  }
  std::string arguments;
  for (const ir::CallOperand& operand : call.operands) {
    arguments += (arguments.empty() ? "&" : ", &") + element(operand);
    for (const std::int64_t stride : operand.strides_elems) {
      arguments += ", " + std::to_string(stride);
    }
  }
  return function->second + "(" + arguments + ");";
}

std::string CallTable::definitions() const {
  std::string out;
  for (const std::string& one : definitions_) out += one + "\n";
  return out;
}

std::string CallTable::definition(const ir::Call& call, const std::string& function) const {
  std::string parameters, unused;
  for (std::size_t k = 0; k < call.operands.size(); ++k) {
    const ir::CallOperand& operand = call.operands[k];
    parameters +=
        std::string(k == 0 ? "" : ", const ") + c_type(operand.buffer->type) + "* " + operand.name;
    for (std::size_t d = 0; d < operand.strides_elems.size(); ++d) {
      const std::string stride = operand.name + "_stride" + std::to_string(d);
      parameters += ", " + stride_type_ + " " + stride;
      unused += "  (void)" + stride + ";\n";
    }
  }
  std::string out = "static void " + function + "(" + parameters + ") {\n" + unused;
  std::istringstream lines(call.text);
  for (std::string line; std::getline(lines, line);) {
    out += line.empty() ? "\n" : "  " + line + "\n";
  }
  return out + "}\n";
}

}  // namespace solway::codegen::c99
