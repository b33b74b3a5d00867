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

std::string pointer_to(const KernelPlan::MainArray& array, CNames& names) {
  const std::string qualifier = array.is_read_only() ? "const " : "";
  return qualifier + c_type(array.buffer->type) + " *" + names.of(array.buffer->name);
}

std::string prototype(const ir::Kernel& kernel, const KernelPlan& plan, CNames& names) {
  std::string text;
  for (std::size_t k = 0; k < kernel.params.size(); ++k) {
    text += (text.empty() ? "" : ", ") + pointer_to(plan.main[k], names);
  }
  return "int " + kernel.name + "(" + (text.empty() ? "void" : text) + ")";
}

/// "float32[1, 1024]".
std::string shape_text(const ir::BufferNode& buffer) {
  std::string text = ir::to_string(buffer);
  text.erase(0, text.find(": ") + 2);
  return text.substr(0, text.find(']') + 1);
}

/// "[256] __attribute__((aligned(128)))" of an array of the MPE.
std::string extent_text(std::int64_t elems, int alignment_bytes) {
  return "[" + std::to_string(elems) + "] __attribute__((aligned(" +
         std::to_string(std::max(128, alignment_bytes)) + ")))";
}

void define_temporary(CText& out, const KernelPlan::MainArray& array, CNames& names, int cores) {
  const std::int64_t copies = array.is_per_core ? cores : 1;
  out.line("static " + c_type(array.buffer->type) + " " + names.of(array.buffer->name) +
           extent_text(copies * array.copy_elems, array.buffer->alignment_bytes) + ";");
}

void define_constant(CText& out, const ir::Constant& constant, CNames& names) {
  const ir::BufferNode& buffer = *constant.buffer;
  const std::int64_t count = std::max<std::int64_t>(1, buffer.num_elements());
  out.line("static const " + c_type(buffer.type) + " " + names.of(buffer.name) +
           extent_text(count, buffer.alignment_bytes) + " = " + c99::constant_elements(constant));
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
  for (const KernelPlan::MainArray& array : plan.main) {
    out.line(pointer_to(array, names) + "; /* " + array.role + " " + shape_text(*array.buffer) +
             (array.is_per_core ? " for each core */" : " */"));
  }
  if (plan.main.empty()) out.line("long unused;");
  out.close(" " + files.args_type() + ";");
  out.line("");
  out.comment(kernel.requirements.empty()
                  ? "Returns 0 when done"
                  : "Returns 0 when done, 4 when a size is not what the schedule assumes");
  out.line(prototype(kernel, plan, names) + ";");
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
  bool has_temporaries = false;
  for (const KernelPlan::MainArray& array : plan.main) {
    if (!array.is_temporary()) continue;
    define_temporary(out, array, names, options.cores);
    has_temporaries = true;
  }
  if (has_temporaries) out.line("");
  for (const ir::Constant& constant : kernel.constants) define_constant(out, constant, names);
  CText body;
  const std::string args = names.fresh("args");
  body.open(prototype(kernel, plan, names));
  const ir::Ranges ranges;
  CExprPrinter exprs(names, ranges);
  for (const ir::Expr& requirement : kernel.requirements) {
    body.line("if (!(" + exprs.print(requirement) + ")) return 4;");
  }
  body.line(files.args_type() + " " + args + ";");
  for (const KernelPlan::MainArray& array : plan.main) {
    const std::string name = names.of(array.buffer->name);
    body.line(args + "." + name + " = " + name + ";");
  }
  if (plan.main.empty()) body.line(args + ".unused = 0;");
  body.line("athread_init();");
  body.line("if (athread_spawn(" + files.cpe_function() + ", &" + args + ") != 0) return 1;");
  body.line("return athread_join();");
  body.close();
  names.release(args);
  const std::string helpers = helper_definitions(exprs.helpers());
  if (!helpers.empty()) out.line(helpers);
  return out.take() + body.take();
}

std::string kernel_toml(const ir::Kernel& kernel, const FileNames& files,
                        const AthreadOptions& options) {
  const auto quoted = [](const std::string& text) { return "\"" + text + "\""; };
  CText out;
  out.line("[kernel]");
  out.line("name = " + quoted(kernel.name));
  out.line("target = " + quoted(options.machine));
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

std::string makefile(const FileNames& files, const AthreadOptions& options) {
  const std::string& name = files.kernel;
  const bool is_pro = options.machine == "sw26010pro";
  const std::string compiler = is_pro ? "swgcc" : "sw5cc";
  const std::string variable = is_pro ? "SWGCC" : "SW5CC";
  const std::string archiver = is_pro ? "swar" : "sw5ar";
  const std::string minus = is_pro ? "-m" : "-";
  CText out;
  out.line("# lib" + name + ".a for " + (is_pro ? "SW26010-Pro" : "SW26010") + ". Link: " +
           compiler + " " + minus + "hybrid main.o lib" + name + ".a -lm_slave -o main");
  out.line(variable + " = " + compiler);
  out.line((is_pro ? "SWAR = " : "SW5AR = ") + archiver);
  out.line("CFLAGS = -O2 -std=gnu99");
  out.line("");
  out.line("lib" + name + ".a: " + name + ".o " + name + "_cpe.o");
  out.line(std::string("\t$(") + (is_pro ? "SWAR" : "SW5AR") + ") cr $@ $^");
  out.line("");
  out.line(name + ".o: " + files.mpe() + " " + files.header());
  out.line("\t$(" + variable + ") " + minus + "host $(CFLAGS) -c $< -o $@");
  out.line("");
  out.line(name + "_cpe.o: " + files.cpe() + " " + files.header());
  out.line("\t$(" + variable + ") " + minus + "slave -msimd $(CFLAGS) -c $< -o $@");
  out.line("");
  out.line("clean:");
  out.line("\trm -f lib" + name + ".a " + name + ".o " + name + "_cpe.o");
  out.line("");
  out.line(".PHONY: clean");
  return out.take();
}

}  // namespace solway::codegen
