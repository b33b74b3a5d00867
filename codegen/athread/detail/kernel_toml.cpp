#include "codegen/athread/detail/kernel_toml.h"

#include "codegen/athread/detail/c_text.h"
#include "lowering/ir/printer.h"

namespace solway::codegen {
namespace {

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

std::string list(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + quoted(word);
  return "[" + out + "]";
}

}  // namespace

std::string kernel_toml(const EmulatedProgram& program) {
  CText out;
  out.line("[kernel]");
  out.line("name = " + quoted(program.name));
  out.line("target = " + quoted(program.machine));
  out.line("entry = " + quoted(program.name));
  out.line("");
  out.line("[sources]");
  out.line("mpe = " + list(program.mpe));
  out.line("cpe = " + list(program.cpe));
  for (const ir::Param& param : program.params) {
    std::string shape;
    for (const std::int64_t size : param.buffer->shape) {
      shape += (shape.empty() ? "" : ", ") + std::to_string(size);
    }
    out.line("");
    out.line("[[argument]]");
    out.line("name = " + quoted(param.buffer->name));
    out.line("dtype = " + quoted(std::string(to_string(param.buffer->type))));
    out.line("shape = [" + (shape.empty() ? "1" : shape) + "]");
    if (param.buffer->is_upper_bound) out.line("at_most = true");
    out.line("role = " + quoted(std::string(ir::to_string(param.role))));
  }
  return out.take();
}

}  // namespace solway::codegen
