#include "codegen/athread/detail/mpe_file.h"

#include <algorithm>
#include <cctype>

#include "codegen/athread/c_expr.h"
#include "codegen/athread/detail/c_helpers.h"
#include "codegen/athread/detail/c_text.h"
#include "codegen/athread/detail/dialect.h"
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

/// "static float T[256] __attribute__((aligned(128)))", an array of the managing side.
std::string array_of(const std::string& qualifiers, const ir::BufferNode& buffer,
                     std::int64_t elems, CNames& names, const AthreadOptions& options) {
  const int unit = static_cast<int>(options.transfers.unit_bytes);
  const std::string declarator = names.of(buffer.name) + "[" + std::to_string(elems) + "]";
  return Dialect::of(options.machine)
      .aligned(qualifiers + c_type(buffer.type), declarator,
               std::max({128, buffer.alignment_bytes, unit}));
}

void define_temporary(CText& out, const KernelPlan::MainArray& array, CNames& names,
                      const AthreadOptions& options) {
  const std::int64_t copies = array.is_per_core ? options.cores : 1;
  out.line(array_of("static ", *array.buffer, copies * array.copy_elems, names, options) + ";");
}

void define_constant(CText& out, const ir::Constant& constant, CNames& names,
                     const AthreadOptions& options) {
  const ir::BufferNode& buffer = *constant.buffer;
  const std::int64_t count = std::max<std::int64_t>(1, buffer.num_elements());
  out.line(array_of("static const ", buffer, count, names, options) + " = " +
           c99::constant_elements(constant));
}

/// The members of the struct that a transfer brings: its address and size suit the engine.
void declare_args(CText& out, const KernelPlan& plan, CNames& names,
                  const AthreadOptions& options) {
  constexpr std::int64_t kWord = 4;  // the least alignment and size of a member
  const auto unit = static_cast<int>(options.transfers.unit_bytes);
  const Dialect& dialect = Dialect::of(options.machine);
  bool is_aligned = unit <= kWord;  // the first member aligns them all
  const auto member = [&](const std::string& qualifiers, const std::string& declarator) {
    const std::string text =
        is_aligned ? qualifiers + " " + declarator : dialect.aligned(qualifiers, declarator, unit);
    is_aligned = true;
    return text + ";";
  };
  for (const KernelPlan::MainArray& array : plan.main) {
    const std::string type = (array.is_read_only() ? "const " : "") + c_type(array.buffer->type);
    out.line(member(type, "*" + names.of(array.buffer->name)) + " /* " + array.role + " " +
             shape_text(*array.buffer) + (array.is_per_core ? " for each core */" : " */"));
  }
  if (plan.main.empty()) out.line(member("long", "unused"));
  const auto members = static_cast<std::int64_t>(std::max<std::size_t>(1, plan.main.size()));
  if (members * kWord < options.transfers.min_bytes) {
    out.line("char " + names.fresh("fill") + "[" + std::to_string(options.transfers.min_bytes) +
             "]; /* no transfer is smaller */");
  }
}

}  // namespace

std::string header_file(const ir::Kernel& kernel, const KernelPlan& plan, const FileNames& files,
                        CNames& names, const AthreadOptions& options) {
  const Dialect& dialect = Dialect::of(options.machine);
  std::string guard = files.kernel + "_H";
  std::transform(guard.begin(), guard.end(), guard.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  CText out;
  out.line("#ifndef " + guard);
  out.line("#define " + guard);
  out.line("");
  if (!dialect.shared_lines().empty()) out.line(dialect.shared_lines());
  out.comment("What the " + dialect.manager() + " tells the " + dialect.core() +
              "s: addresses in main memory");
  out.open("typedef struct");
  declare_args(out, plan, names, options);
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
  const Dialect& dialect = Dialect::of(options.machine);
  CText out;
  out.comment(kernel.name + ": runs " + files.core_function() + " on the " + dialect.core() + "s");
  out.line("#include <" + dialect.manager_header() + ">");
  if (!kernel.constants.empty()) {
    for (const char* const header : {"math", "stdbool", "stdint"}) {
      out.line(std::string("#include <") + header + ".h>");
    }
  }
  out.line("");
  out.line("#include \"" + files.header() + "\"");
  out.line("");
  out.line(dialect.declare_start(files.core_function()));
  out.line("");
  bool has_temporaries = false;
  for (const KernelPlan::MainArray& array : plan.main) {
    if (!array.is_temporary()) continue;
    define_temporary(out, array, names, options);
    has_temporaries = true;
  }
  if (has_temporaries) out.line("");
  for (const ir::Constant& constant : kernel.constants)
    define_constant(out, constant, names, options);
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
  if (!options.network) {
    for (const std::string& line : dialect.initialise()) body.line(line);
  }
  for (const std::string& line :
       dialect.start_and_return(files.core_function(), args, options.cores)) {
    body.line(line);
  }
  body.close();
  names.release(args);
  const std::string helpers = helper_definitions(exprs.helpers());
  if (!helpers.empty()) out.line(helpers);
  return out.take() + body.take();
}

}  // namespace solway::codegen
