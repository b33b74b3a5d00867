#include "emulator/worker/detail/kernel_module.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/CtorUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "emulator/worker/detail/failure.h"
#include "emulator/worker/detail/shared_state.h"

namespace solway::emulator {
namespace {

/// Keeps what LLVM's linker complains about, which would end the process otherwise.
class LinkComplaints {
 public:
  explicit LinkComplaints(llvm::LLVMContext& context) : context_(context) {
    context_.setDiagnosticHandlerCallBack(&LinkComplaints::keep, &text_);
  }
  ~LinkComplaints() { context_.setDiagnosticHandlerCallBack(nullptr); }
  LinkComplaints(const LinkComplaints&) = delete;
  LinkComplaints& operator=(const LinkComplaints&) = delete;

  /// The name that is defined twice, as C writes it.
  std::string name() const {
    const auto begin = text_.find('\'');
    const auto end = text_.find('\'', begin + 1);
    if (begin == std::string::npos || end == std::string::npos) return "a name";
    const std::string found = text_.substr(begin + 1, end - begin - 1);
    return "'" + (found.starts_with("slave_") ? found.substr(6) : found) + "'";
  }

 private:
  static void keep(const llvm::DiagnosticInfo* info, void* text) {
    llvm::raw_string_ostream stream(*static_cast<std::string*>(text));
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info->print(printer);
  }

  llvm::LLVMContext& context_;
  std::string text_;
};

/// What remains of the compiler's means against data races, which have done their work.
void drop_race_checks(llvm::Module& part) {
  for (llvm::Function& function : part) function.removeFnAttr(llvm::Attribute::SanitizeThread);
  llvm::Function* const start = part.getFunction("tsan.module_ctor");
  if (start == nullptr) return;
  const auto is_start = [&](const llvm::Constant* value) {
    return value->stripPointerCasts() == start;
  };
  llvm::removeFromUsedLists(part, [&](llvm::Constant* value) { return is_start(value); });
  llvm::optimizeGlobalCtorsList(
      part, [&](std::uint32_t, llvm::Function* function) { return function == start; });
  start->eraseFromParent();
  if (llvm::Function* const init = part.getFunction("__tsan_init")) init->eraseFromParent();
}

std::string full_path(const llvm::DIFile* file) {
  if (file == nullptr) return "?";
  if (llvm::sys::path::is_absolute(file->getFilename())) return file->getFilename().str();
  llvm::SmallString<256> path(file->getDirectory());
  llvm::sys::path::append(path, file->getFilename());
  return path.str().str();
}

[[noreturn]] void fail_program(const std::string& what, const std::string& why,
                               const std::string& fix) {
  fail({.kind = "program",
        .where = nullptr,
        .cause = nullptr,
        .cpe = -1,
        .what = what,
        .why = why,
        .fix = fix});
}

void require_own_definition(const llvm::GlobalValue& used, const llvm::Module& other) {
  if (!used.isDeclaration() || used.use_empty()) return;
  const llvm::GlobalValue* const there = other.getNamedValue(used.getName());
  if (there == nullptr || there->isDeclaration()) return;
  fail_program("CPE code uses '" + used.getName().str() + "', which only MPE code defines",
               "names of CPE code carry the prefix slave_ on the machine",
               "define it in a CPE source too, or pass it through the argument of athread_spawn");
}

/// What C calls inline may stand in several sources. Programs count on the definition: they were
/// compiled for the machine with all such calls inlined.
void share_inline_functions(llvm::Module& part) {
  for (llvm::Function& function : part) {
    if (function.isDeclaration() || !function.hasExternalLinkage()) continue;
    if (!function.hasFnAttribute(llvm::Attribute::InlineHint)) continue;
    function.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
  }
}

void drop_unused_inline_functions(llvm::Module& linked) {
  for (bool found = true; found;) {
    found = false;
    for (llvm::Function& function : llvm::make_early_inc_range(linked)) {
      if (!function.hasLinkOnceLinkage() || !function.use_empty()) continue;
      function.eraseFromParent();
      found = true;
    }
  }
}

}  // namespace

bool is_cpe(const llvm::Function& function) { return function.hasFnAttribute(kCpeAttribute); }

bool is_ldm_global(const llvm::GlobalVariable& global) {
  return global.hasSection() && global.getSection() == ".ldm";
}

bool is_shared_global(const llvm::GlobalVariable& global) {
  return global.hasSection() && global.getSection() == ".shared_scratchpad";
}

void drop_processor(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (const char* const what : {"target-cpu", "target-features", "tune-cpu", "probe-stack"}) {
      function.removeFnAttr(what);
    }
  }
}

std::unique_ptr<llvm::Module> link_side(llvm::LLVMContext& context,
                                        const std::vector<std::string>& files, const char* name) {
  auto linked = std::make_unique<llvm::Module>(name, context);
  const LinkComplaints complaints(context);
  for (const std::string& file : files) {
    llvm::SMDiagnostic diagnostic;
    auto part = llvm::parseIRFile(file, diagnostic, context);
    if (part == nullptr) {
      fail_internal("the bitcode of '" + file + "' could not be read",
                    diagnostic.getMessage().str());
    }
    drop_race_checks(*part);
    share_inline_functions(*part);
    linked->setDataLayout(part->getDataLayout());
    linked->setTargetTriple(part->getTargetTriple());
    if (llvm::Linker::linkModules(*linked, std::move(part))) {
      fail_program("the " + std::string(name) + " sources define " + complaints.name() + " twice",
                   "names that are not static belong to all sources of a side",
                   "make one of the definitions static");
    }
  }
  drop_unused_inline_functions(*linked);
  return linked;
}

void mark_cpe_side(llvm::Module& cpe, MachineCalls calls) {
  const bool is_pro = calls == MachineCalls::Sw26010Pro;
  const auto rename = [&](llvm::GlobalValue& value) {
    if (value.isDeclaration() || value.hasLocalLinkage()) return;
    if (value.getName().starts_with("llvm.")) return;
    if (is_pro && (value.getName().starts_with("slave_") || value.getSection() == ".cross")) return;
    value.setName("slave_" + value.getName());
  };
  for (llvm::GlobalVariable& global : cpe.globals()) rename(global);
  for (llvm::Function& function : cpe) {
    rename(function);
    if (!function.isDeclaration()) function.addFnAttr(kCpeAttribute);
  }
}

void name_cpe_functions(llvm::Module& mpe, const llvm::Module& cpe) {
  for (llvm::Function& function : mpe) {
    const std::string name = function.getName().str();
    const llvm::Function* const there = cpe.getFunction("slave_" + name);
    if (!function.isDeclaration() || there == nullptr || there->isDeclaration()) continue;
    for (const llvm::User* const user : function.users()) {
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call == nullptr || call->getCalledOperand() != &function) continue;
      fail_at("program", *call, "managing code calls '" + name + "', a function of the cores",
              "its data are in the scratchpad of a core",
              "start it with scratchpad_start, or define one for this side too");
    }
    function.setName("slave_" + name);
  }
  for (const llvm::GlobalVariable& global : mpe.globals()) {
    const std::string name = global.getName().str();
    const llvm::GlobalVariable* const there = cpe.getNamedGlobal("slave_" + name);
    if (!global.isDeclaration() || global.use_empty() || there == nullptr) continue;
    fail_program("managing code uses '" + name + "', a variable of the cores",
                 "the two sides share main memory that the argument of a start leads to",
                 "define it for this side, and pass its address");
  }
}

void join_sides(llvm::Module& mpe, std::unique_ptr<llvm::Module> cpe) {
  for (const llvm::GlobalVariable& global : cpe->globals()) require_own_definition(global, mpe);
  for (const llvm::Function& function : *cpe) require_own_definition(function, mpe);
  for (const llvm::Function& function : mpe) {
    if (!function.isDeclaration() || !function.getName().starts_with("slave_")) continue;
    if (cpe->getFunction(function.getName()) != nullptr || function.use_empty()) continue;
    if (cpe->getNamedValue(function.getName()) != nullptr) continue;
    fail_program("no CPE source defines '" + function.getName().drop_front(6).str() + "'",
                 "MPE code refers to '" + function.getName().str() + "'",
                 "check the name, and that it is not static");
  }
  const LinkComplaints complaints(mpe.getContext());
  if (llvm::Linker::linkModules(mpe, std::move(cpe))) {
    fail_program("MPE and CPE sources define " + complaints.name() + " twice",
                 "names of CPE code carry the prefix slave_, which the MPE sources use too",
                 "rename one of the definitions");
  }
}

namespace {

/// Of what the compiler has moved, and so has no line, the line where it is used.
const llvm::DILocation* nearest_location(const llvm::Instruction& at, int steps = 3) {
  const llvm::DILocation* const location = at.getDebugLoc().get();
  if (location != nullptr && location->getLine() != 0) return location;
  if (steps == 0) return location;
  for (const llvm::User* const user : at.users()) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(user);
    if (instruction == nullptr || llvm::isa<llvm::PHINode>(instruction)) continue;
    const llvm::DILocation* const near = nearest_location(*instruction, steps - 1);
    if (near != nullptr && near->getLine() != 0) return near;
  }
  return location;
}

}  // namespace

HookBuilder::HookBuilder(llvm::Module& module, std::string header_folder)
    : module_(module), header_folder_(std::move(header_folder)) {}

llvm::Constant* HookBuilder::text(const std::string& text) {
  llvm::Constant*& constant = texts_[text];
  if (constant == nullptr) {
    auto* const data = llvm::ConstantDataArray::getString(module_.getContext(), text);
    auto* const global = new llvm::GlobalVariable(
        module_, data->getType(), true, llvm::GlobalValue::PrivateLinkage, data, "solway_text");
    constant = global;
  }
  return constant;
}

llvm::Constant* HookBuilder::site(const std::string& file, const std::string& function,
                                  unsigned line, unsigned column) {
  llvm::Constant*& constant = sites_[{file, function, line, column}];
  if (constant == nullptr) {
    auto* const value = llvm::ConstantStruct::getAnon({text(file), text(function),
                                                       llvm::ConstantInt::get(i32(), line),
                                                       llvm::ConstantInt::get(i32(), column)});
    constant = new llvm::GlobalVariable(module_, value->getType(), true,
                                        llvm::GlobalValue::PrivateLinkage, value, "solway_site");
  }
  return constant;
}

llvm::Constant* HookBuilder::site(const llvm::Instruction& at) {
  const llvm::DILocation* location = nearest_location(at);
  if (location == nullptr) return site(*at.getFunction());
  while (location->getInlinedAt() != nullptr &&
         (location->getLine() == 0 ||
          llvm::StringRef(full_path(location->getFile())).starts_with(header_folder_))) {
    location = location->getInlinedAt();
  }
  const llvm::DISubprogram* const program = location->getScope()->getSubprogram();
  return site(full_path(location->getFile()), program == nullptr ? "" : program->getName().str(),
              location->getLine(), location->getColumn());
}

llvm::Constant* HookBuilder::site(const llvm::Function& function) {
  const llvm::DISubprogram* const program = function.getSubprogram();
  if (program == nullptr) {
    return llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(module_.getContext()));
  }
  return site(full_path(program->getFile()), program->getName().str(), program->getLine(), 0);
}

llvm::FunctionCallee HookBuilder::hook(const char* name, llvm::Type* result,
                                       llvm::ArrayRef<llvm::Type*> parameters) {
  llvm::FunctionCallee callee =
      module_.getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
  auto* const function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  return callee;
}

llvm::Value* HookBuilder::shared_field(llvm::IRBuilder<>& builder, std::uint64_t offset) {
  llvm::Constant* const shared = module_.getOrInsertGlobal(
      "solway_shared", llvm::ArrayType::get(builder.getInt8Ty(), sizeof(SharedState)));
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), shared, offset);
}

std::string location_text(const llvm::Instruction& at) {
  const llvm::DILocation* const location = at.getDebugLoc().get();
  if (location == nullptr) return "?";
  return full_path(location->getFile()) + ":" + std::to_string(location->getLine());
}

void fail_at(const char* kind, const llvm::Instruction& at, const std::string& what,
             const std::string& why, const std::string& fix) {
  fail_at(kind, at.getDebugLoc().get(), what, why, fix);
}

void fail_at(const char* kind, const llvm::DILocation* location, const std::string& what,
             const std::string& why, const std::string& fix) {
  const std::string file = location == nullptr ? "" : full_path(location->getFile());
  const Site site{file.c_str(), "", location == nullptr ? 0 : static_cast<int>(location->getLine()),
                  0};
  fail({.kind = kind,
        .where = location == nullptr ? nullptr : &site,
        .cause = nullptr,
        .cpe = -1,
        .what = what,
        .why = why,
        .fix = fix});
}

}  // namespace solway::emulator
