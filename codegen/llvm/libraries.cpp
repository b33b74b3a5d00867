#include "codegen/llvm/libraries.h"

#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Object/ArchiveWriter.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

#include "codegen/llvm/detail/machine_code.h"
#include "codegen/llvm/detail/runtime_definitions.h"
#include "codegen/llvm/machine.h"
#include "support/error.h"

#include <lld/Common/Driver.h>

LLD_HAS_DRIVER(elf)

namespace solway::codegen {
namespace {

namespace fs = std::filesystem;

template <class T>
T take(llvm::Expected<T> expected, const std::string& what) {
  if (expected) return std::move(*expected);
  throw InternalError({{}, what, llvm::toString(expected.takeError()), ""});
}

void write(const fs::path& file, const std::string& bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream << bytes;
  if (!stream.flush()) {
    throw UnsupportedError({{},
                            "the shared library could not be linked",
                            "'" + file.string() + "' cannot be written",
                            "make room there, or set TMPDIR to another folder"});
  }
}

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// The C library's functions that an object refers to.
struct Needed {
  std::set<std::string> of_libc;
  std::set<std::string> of_libm;
};

Needed needed_by(const std::string& object) {
  const llvm::MemoryBufferRef buffer(object, "object");
  const auto file = take(llvm::object::ObjectFile::createObjectFile(buffer), "object read back");
  Needed out;
  for (const llvm::object::SymbolRef& symbol : file->symbols()) {
    const auto flags = take(symbol.getFlags(), "symbols of an object");
    if ((flags & llvm::object::SymbolRef::SF_Undefined) == 0) continue;
    const std::string name = take(symbol.getName(), "symbols of an object").str();
    if (name.empty()) continue;  // the first entry of every symbol table
    (detail::libc_functions().count(name) != 0 ? out.of_libc : out.of_libm).insert(name);
  }
  return out;
}

/// An object that defines those functions, for a library that stands for the C library's.
std::string stand_in(const std::set<std::string>& functions, const LlvmOptions& options) {
  const auto machine = make_machine(options);
  llvm::LLVMContext context;
  llvm::Module module("stand_in", context);
  module.setTargetTriple(machine->getTargetTriple().str());
  module.setDataLayout(machine->createDataLayout());
  llvm::IRBuilder<> b(context);
  for (const std::string& name : functions) {
    auto* function = llvm::Function::Create(llvm::FunctionType::get(b.getVoidTy(), false),
                                            llvm::Function::ExternalLinkage, name, module);
    b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
    b.CreateRetVoid();
  }
  const auto made = detail::machine_code(module, *machine, llvm::CodeGenFileType::ObjectFile);
  return {made.bytes.begin(), made.bytes.end()};
}

void link(const std::vector<std::string>& arguments) {
  static std::mutex mutex;  // the linker keeps its state in globals
  const std::lock_guard<std::mutex> lock(mutex);
  std::vector<const char*> argv = {"ld.lld"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::string words;
  llvm::raw_string_ostream stream(words);
  const lld::Result result = lld::lldMain(argv, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0 || !result.canRunAgain) {
    throw InternalError({{}, "LLVM's linker refused a shared library", stream.str(), ""});
  }
}

bool has_linker(const llvm::Triple& triple) {
  return triple.isX86() || triple.isAArch64() || triple.isRISCV();
}

}  // namespace

bool can_link_shared(const LlvmOptions& options) {
  return has_linker(make_machine(options)->getTargetTriple());
}

std::string static_library(const std::string& object, const std::string& member) {
  std::vector<llvm::NewArchiveMember> members;
  members.emplace_back(llvm::MemoryBufferRef(object, member));
  const auto archive =
      take(llvm::writeArchiveToBuffer(members, llvm::SymtabWritingMode::NormalSymtab,
                                      llvm::object::Archive::K_GNU, /*Deterministic=*/true,
                                      /*Thin=*/false),
           "static library");
  return archive->getBuffer().str();
}

std::string shared_library(const std::string& object, const std::string& name,
                           const LlvmOptions& options, const fs::path& folder) {
  const auto machine = make_machine(options);
  const llvm::Triple& triple = machine->getTargetTriple();
  if (!has_linker(triple)) {
    throw UnsupportedError({{},
                            "a shared library for '" + triple.str() + "' is not implemented",
                            "LLVM's linker has no code for that machine",
                            "link the .o or .a with the machine's own linker"});
  }
  const fs::path code = folder / "code.o";
  const fs::path library = folder / name;
  write(code, object);
  std::vector<std::string> arguments = {
      "-shared", "-soname",     name, "--hash-style=gnu", "--threads=1", "-Bsymbolic", "-z", "defs",
      "-z",      "noexecstack", "-o", library.string(),   code.string()};
  const Needed needed = needed_by(object);
  // Threads that it has made would return to code that is no longer there.
  if (needed.of_libc.count("pthread_create") != 0) {
    arguments.insert(arguments.end(), {"-z", "nodelete"});
  }
  for (const auto& [soname, functions] :
       {std::pair{"libm.so.6", needed.of_libm}, {"libc.so.6", needed.of_libc}}) {
    if (functions.empty()) continue;
    const fs::path stand_in_object = folder / (std::string(soname) + ".o");
    const fs::path stand_in_library = folder / soname;
    write(stand_in_object, stand_in(functions, options));
    link({"-shared", "-soname", soname, "--threads=1", "-o", stand_in_library.string(),
          stand_in_object.string()});
    arguments.push_back(stand_in_library.string());
  }
  link(arguments);
  return read(library);
}

}  // namespace solway::codegen
