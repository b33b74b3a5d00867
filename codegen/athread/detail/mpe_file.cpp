#include "codegen/athread/detail/mpe_file.h"

#include <algorithm>
#include <cctype>

#include "codegen/athread/c_expr.h"
#include "codegen/athread/detail/c_helpers.h"
#include "codegen/athread/detail/c_text.h"
#include "codegen/c/constants.h"
#include "lowering/ir/printer.h"

namespace solway::codegen {
namespace {

std::string pointer_to(const ir::Param& param, CNames& names) {
  const std::string qualifier = param.role == ir::Role::In ? "const " : "";
  return qualifier + c_type(param.buffer->type) + " *" + names.of(param.buffer->name);
}

std::string prototype(const ir::Kernel& kernel, CNames& names) {
  std::string text;
  for (const ir::Param& param : kernel.params) {
    text += (text.empty() ? "" : ", ") + pointer_to(param, names);
  }
  return "int " + kernel.name + "(" + (text.empty() ? "void" : text) + ")";
}

/// "float32[1, 1024]".
std::string shape_text(const ir::BufferNode& buffer) {
  std::string text = ir::to_string(buffer);
  text.erase(0, text.find(": ") + 2);
  return text.substr(0, text.find(']') + 1);
}

bool has_no_address(const ir::Kernel& kernel, const KernelPlan& plan) {
  return kernel.params.empty() && plan.temporaries.empty() && kernel.constants.empty();
}

void define_constant(CText& out, const ir::Constant& constant, CNames& names) {
  const ir::BufferNode& buffer = *constant.buffer;
  const std::int64_t count = std::max<std::int64_t>(1, buffer.num_elements());
  out.line("static const " + c_type(buffer.type) + " " + names.of(buffer.name) + "[" +
           std::to_string(count) +
           "] __attribute__((aligned(128))) = " + c99::constant_elements(constant));
}

}  // namespace

std::string header_file(const ir::Kernel& kernel, const KernelPlan& plan, const FileNames& files,
                        CNames& names) {
  std::string guard = files.kernel + "_H";
  std::transform(guard.begin(), guard.end(), guard.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  CText out;
  out.line("#ifndef " + guard);
  out.line("#define " + guard);
  out.line("");
  out.comment("What the MPE tells the CPEs: addresses in main memory");
  out.open("typedef struct");
  for (const ir::Param& param : kernel.params) {
    out.line(pointer_to(param, names) + "; /* " + std::string(ir::to_string(param.role)) + " " +
             shape_text(*param.buffer) + " */");
  }
  for (const KernelPlan::Temporary& temporary : plan.temporaries) {
    const ir::BufferNode& buffer = *temporary.buffer;
    out.line(c_type(buffer.type) + " *" + names.of(buffer.name) + "; /* temporary " +
             shape_text(buffer) + (temporary.is_per_core ? " for each core */" : " */"));
  }
  for (const ir::Constant& constant : kernel.constants) {
    const ir::BufferNode& buffer = *constant.buffer;
    out.line("const " + c_type(buffer.type) + " *" + names.of(buffer.name) + "; /* constant " +
             shape_text(buffer) + " */");
  }
  if (has_no_address(kernel, plan)) out.line("long unused;");
  out.close(" " + files.args_type() + ";");
  out.line("");
  out.comment(kernel.requirements.empty()
                  ? "Returns 0 when done"
                  : "Returns 0 when done, 4 when a size is not what the schedule assumes");
  out.line(prototype(kernel, names) + ";");
  out.line("");
  out.line("#endif");
  return out.take();
}

std::string mpe_file(const ir::Kernel& kernel, const KernelPlan& plan, const FileNames& files,
                     CNames& names, const AthreadOptions& options) {
  CText out;
  out.comment(kernel.name + ": runs " + files.cpe_function() + " on the CPEs");
  out.line("#include <athread.h>");
  if (!kernel.constants.empty()) {
    for (const char* const header : {"math", "stdbool", "stdint"}) {
      out.line(std::string("#include <") + header + ".h>");
    }
  }
  out.line("");
  out.line("#include \"" + files.header() + "\"");
  out.line("");
  out.line("extern void SLAVE_FUN(" + files.cpe_function() + ")(void *);");
  out.line("");
  for (const KernelPlan::Temporary& temporary : plan.temporaries) {
    const std::int64_t copies = temporary.is_per_core ? options.cores : 1;
    const int alignment = std::max(128, temporary.buffer->alignment_bytes);
    out.line("static " + c_type(temporary.buffer->type) + " " + names.of(temporary.buffer->name) +
             "[" + std::to_string(copies * temporary.copy_elems) + "] __attribute__((aligned(" +
             std::to_string(alignment) + ")));");
  }
  if (!plan.temporaries.empty()) out.line("");
  for (const ir::Constant& constant : kernel.constants) define_constant(out, constant, names);
  CText body;
  const std::string args = names.fresh("args");
  body.open(prototype(kernel, names));
  const ir::Ranges ranges;
  CExprPrinter exprs(names, ranges);
  for (const ir::Expr& requirement : kernel.requirements) {
    body.line("if (!(" + exprs.print(requirement) + ")) return 4;");
  }
  body.line(files.args_type() + " " + args + ";");
  const auto pass = [&](const std::string& name) {
    body.line(args + "." + name + " = " + name + ";");
  };
  for (const ir::Param& param : kernel.params) pass(names.of(param.buffer->name));
  for (const KernelPlan::Temporary& t : plan.temporaries) pass(names.of(t.buffer->name));
  for (const ir::Constant& c : kernel.constants) pass(names.of(c.buffer->name));
  if (has_no_address(kernel, plan)) body.line(args + ".unused = 0;");
  body.line("athread_init();");
  body.line("if (athread_spawn(" + files.cpe_function() + ", &" + args + ") != 0) return 1;");
  body.line("return athread_join();");
  body.close();
  names.release(args);
  const std::string helpers = helper_definitions(exprs.helpers());
  if (!helpers.empty()) out.line(helpers);
  return out.take() + body.take();
}

std::string kernel_toml(const ir::Kernel& kernel, const FileNames& files) {
  const auto quoted = [](const std::string& text) { return "\"" + text + "\""; };
  CText out;
  out.line("[kernel]");
  out.line("name = " + quoted(kernel.name));
  out.line("target = \"sw26010\"");
  out.line("entry = " + quoted(kernel.name));
  out.line("");
  out.line("[sources]");
  out.line("mpe = [" + quoted(files.mpe()) + "]");
  out.line("cpe = [" + quoted(files.cpe()) + "]");
  for (const ir::Param& param : kernel.params) {
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

std::string makefile(const FileNames& files) {
  const std::string& name = files.kernel;
  CText out;
  out.line("# lib" + name + ".a for SW26010. Link: sw5cc -hybrid main.o lib" + name +
           ".a -lm_slave -o main");
  out.line("SW5CC = sw5cc");
  out.line("SW5AR = sw5ar");
  out.line("CFLAGS = -O2 -std=gnu99");
  out.line("");
  out.line("lib" + name + ".a: " + name + ".o " + name + "_cpe.o");
  out.line("\t$(SW5AR) cr $@ $^");
  out.line("");
  out.line(name + ".o: " + files.mpe() + " " + files.header());
  out.line("\t$(SW5CC) -host $(CFLAGS) -c $< -o $@");
  out.line("");
  out.line(name + "_cpe.o: " + files.cpe() + " " + files.header());
  out.line("\t$(SW5CC) -slave -msimd $(CFLAGS) -c $< -o $@");
  out.line("");
  out.line("clean:");
  out.line("\trm -f lib" + name + ".a " + name + ".o " + name + "_cpe.o");
  out.line("");
  out.line(".PHONY: clean");
  return out.take();
}

}  // namespace solway::codegen
