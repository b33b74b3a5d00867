#pragma once

#include <map>
#include <string>

#include "codegen/llvm/options.h"
#include "dsl/tensor.h"
#include "lowering/ir/stmt.h"
#include "support/source_loc.h"

/// What a C program links and includes to call a kernel.
namespace solway::driver {

/// NAME.o, libNAME.a and, where LLVM's linker knows the machine, libNAME.so, by name. They define
/// what c_header() declares; they need the C library and its libm and, of ParallelForm::Team, POSIX
/// threads, and nothing else. Throws UnsupportedError for a name that C reserves, and where threads
/// are wanted that the kernel or the machine cannot have.
std::map<std::string, std::string> linkable_files(const ir::Kernel& kernel,
                                                  codegen::LlvmOptions options,
                                                  const SourceLoc& where);

/// NAME.h: the declaration of the kernel's function, with what it wants of each argument. `args`
/// are the tensors of the kernel's parameters, which end with the sizes when there are any.
std::string c_header(const ir::Kernel& kernel, const std::vector<dsl::Tensor>& args,
                     const std::vector<dsl::Size>& sizes, const std::string& machine);

/// That header for a library whose kernel runs on threads, which declares NAME_set_threads() too.
std::string c_header_with_threads(const std::string& header, const std::string& name);

}  // namespace solway::driver
