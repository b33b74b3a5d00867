#include "driver/linkable_files.h"

#include <algorithm>
#include <set>
#include <utility>

#include "codegen/c/helpers.h"
#include "codegen/c/names.h"
#include "codegen/llvm/libraries.h"
#include "codegen/llvm/object_code.h"
#include "codegen/llvm/team_work.h"
#include "driver/temporary_folder.h"
#include "support/error.h"

namespace solway::driver {
namespace {

/// What the C library calls by a name that no kernel's function may have beside those of C.
bool is_taken(const std::string& name) {
  static const std::set<std::string> kLinked = {"aligned_alloc", "memmove", "calloc", "realloc"};
  return kLinked.count(name) != 0 || codegen::c99::is_reserved_in_c(name);
}

void require_name(const std::string& name, const SourceLoc& where) {
  if (!is_taken(name)) return;
  throw UnsupportedError({where, "a library of a kernel named '" + name + "' is not supported",
                          "the C library has that name", "choose another name="});
}

/// What ends a header.
const std::string kEnd = "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";

std::string element(DType type) {
  // Bits, of which C99 has no type.
  if (type == DType::Float16 || type == DType::BFloat16) return "uint16_t";
  return codegen::c99::c_type(type);
}

std::string shape_of(const dsl::TensorNode& tensor) {
  std::string out;
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
    const bool is_number = tensor.has_constant_shape() || tensor.symbolic_shape[d] == nullptr;
    out +=
        "[" +
        (is_number ? std::to_string(tensor.shape[d]) : dsl::to_string(tensor.symbolic_shape[d])) +
        "]";
  }
  return out.empty() ? " (one element)" : out;
}

std::string use_of(ir::Role role) {
  if (role == ir::Role::In) return "read";
  return role == ir::Role::Out ? "written" : "read and written";
}

/// A name that C takes for a parameter.
std::string parameter(const std::string& name) {
  return codegen::c99::is_reserved_in_c(name) ? name + "_" : name;
}

void require_threads_of_library(const ir::Kernel& kernel, const codegen::LlvmOptions& options,
                                const SourceLoc& where) {
  std::string lack = codegen::team_lack(kernel, options.shared);
  if (lack.empty() && options.triple.starts_with("ve-")) {
    lack = "what threads wait by was never run on that machine";
  }
  if (lack.empty()) return;
  throw UnsupportedError({where, "a library of '" + kernel.name + "' that runs on threads", lack,
                          "save it without threads=True; calls of it may run at the same time"});
}

}  // namespace

std::map<std::string, std::string> linkable_files(const ir::Kernel& kernel,
                                                  codegen::LlvmOptions options,
                                                  const SourceLoc& where) {
  require_name(kernel.name, where);
  if (options.parallel == codegen::ParallelForm::Team) {
    require_threads_of_library(kernel, options, where);
  }
  options.entry = codegen::EntryForm::Pointers;
  options.entry_name = kernel.name;
  const std::string& name = kernel.name;
  const codegen::ObjectCode code = codegen::compile_object(kernel, options);
  std::map<std::string, std::string> out = {
      {name + ".o", code.bytes},
      {"lib" + name + ".a", codegen::static_library(code.bytes, name + ".o")}};
  if (codegen::can_link_shared(options)) {
    const TemporaryFolder folder(where);
    const std::string library = "lib" + name + ".so";
    out[library] = codegen::shared_library(code.bytes, library, options, folder.path());
  }
  return out;
}

std::string c_header(const ir::Kernel& kernel, const std::vector<dsl::Tensor>& args,
                     const std::vector<dsl::Size>& sizes, const std::string& machine) {
  std::string guard = "SOLWAY_KERNEL_" + kernel.name + "_H";
  std::string text = "/* Kernel '" + kernel.name + "' for " + machine + ".\n *\n";
  std::string prototype, last;
  std::set<std::string> taken;
  for (std::size_t k = 0; k < kernel.params.size(); ++k) {
    const ir::Param& param = kernel.params[k];
    const bool is_tensor = k < args.size();
    std::string name = parameter(is_tensor ? args[k]->name : param.buffer->name);
    while (!taken.insert(name).second) name += "_";
    last = name;
    const std::string type = element(param.buffer->type);
    prototype += std::string(k == 0 ? "" : ", ") + (param.role == ir::Role::In ? "const " : "") +
                 type + "* " + name;
    if (!is_tensor) continue;
    text += " * " + name + ": " + std::string(to_string(param.buffer->type)) + shape_of(*args[k]) +
            ", " + use_of(param.role) + ", " + std::to_string(size_bytes(param.buffer->type)) +
            " bytes an element.\n";
  }
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    text += " * " + last + "[" + std::to_string(k) + "]: " + sizes[k]->name + ", " +
            std::to_string(sizes[k]->min) + " to " + std::to_string(sizes[k]->max) + ".\n";
  }
  text +=
      " *\n * Arrays are row-major without gaps, aligned to their elements, and do not overlap.\n";
  const auto has = [&](DType type) {
    return std::any_of(kernel.params.begin(), kernel.params.end(),
                       [&](const ir::Param& p) { return p.buffer->type == type; });
  };
  if (has(DType::Float16) || has(DType::BFloat16)) {
    text += " * float16 and bfloat16 are passed as their 16 bits.\n";
  }
  text +=
      " * Calls may run at the same time.\n *\n"
      " * Returns 0; 1 when there is no memory for temporary arrays, 4 when the sizes are not "
      "what\n"
      " * the kernel was made for, and then nothing was written; 2 or 3 for a transfer that the\n"
      " * kernel waits for or issues out of turn, which is a fault of the compiler.\n"
      " *\n * Link with the C library and -lm. */\n";
  text += "#ifndef " + guard + "\n#define " + guard + "\n\n#include <stdbool.h>\n";
  text += "#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  text += "int32_t " + kernel.name + "(" + (prototype.empty() ? "void" : prototype) + ");\n\n";
  return text + kEnd;
}

std::string c_header_with_threads(const std::string& header, const std::string& name) {
  static const std::string kLink = " * Link with the C library and -lm.";
  const std::size_t link = header.find(kLink);
  if (link == std::string::npos || !header.ends_with(kEnd)) {
    throw InternalError({{}, "threads in the header of '" + name + "'", "it has another form", ""});
  }
  std::string out = header.substr(0, header.size() - kEnd.size());
  out +=
      "/* At most so many threads run a call from now on, 1 to 1024; 0: as the environment\n"
      " * variable SOLWAY_THREADS says, else as many as there are processors. */\n"
      "void " +
      name + "_set_threads(int32_t threads);\n\n";
  out += kEnd;
  out.replace(
      link, kLink.size(),
      " * It runs on several threads, with the same results as on one. They are made by the\n"
      " * first call and kept; of calls at the same time one has them, others run alone.\n *\n"
      " * Link with the C library, -lm and -pthread.");
  return out;
}

}  // namespace solway::driver
