#include <cstddef>
#include <fstream>
#include <optional>

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/ReplaceConstant.h>

#include "emulator/worker/detail/abi.h"
#include "emulator/worker/detail/failure.h"
#include "emulator/worker/detail/instrument.h"
#include "emulator/worker/detail/shared_state.h"

namespace solway::emulator {
namespace {

[[noreturn]] void fail_entry(const std::string& why, const std::string& fix) {
  fail({.kind = "program",
        .where = nullptr,
        .cause = nullptr,
        .cpe = -1,
        .what = "the entry does not fit kernel.toml",
        .why = why,
        .fix = fix});
}

const llvm::DIGlobalVariable* declaration_of(const llvm::GlobalVariable& global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> expressions;
  global.getDebugInfo(expressions);
  return expressions.empty() ? nullptr : expressions.front()->getVariable();
}

std::string path_of(const llvm::DIGlobalVariable& variable) {
  const std::string name = variable.getFilename().str();
  return name.starts_with("/") ? name : variable.getDirectory().str() + "/" + name;
}

/// Whether the C declaration has an initialiser: `int x;` and `int x = 0;` look alike in bitcode,
/// but only the second one is defined at the first spawn.
bool has_initialiser(const llvm::GlobalVariable& global) {
  if (!global.getInitializer()->isNullValue()) return true;
  const llvm::DIGlobalVariable* const variable = declaration_of(global);
  if (variable == nullptr) return true;
  std::ifstream file(path_of(*variable));
  std::string line;
  for (unsigned i = 0; i < variable->getLine(); ++i) {
    if (!std::getline(file, line)) return true;
  }
  const std::string name = variable->getName().str();
  std::size_t begin = 0;  // behind the words that may hold the name
  for (const std::string word : {"__thread_local", "SCRATCHPAD"}) {
    const auto found = line.rfind(word);
    if (found != std::string::npos) begin = std::max(begin, found + word.size());
  }
  const auto at = line.find(name, begin);
  if (at == std::string::npos) return true;
  int depth = 0;
  for (char c : line.substr(at + name.size())) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth == 0 && c == '=') return true;
    if (depth == 0 && (c == ',' || c == ';')) return false;
  }
  return true;
}

class ProgramWriter {
 public:
  ProgramWriter(HookBuilder& hooks, const ProxyStack& stack)
      : hooks_(hooks), module_(hooks.module()), stack_(stack) {}

  void write(const std::string& entry, const std::vector<EntryParameter>& parameters) {
    std::vector<llvm::Constant*> functions;
    for (llvm::Function& function : module_) {
      if (function.isDeclaration() || !is_cpe(function)) continue;
      const std::string name = function.getName().str();
      const auto bytes = stack_.total_bytes.find(name);
      functions.push_back(row({hooks_.text(display_name(name)), hooks_.site(function), &function,
                               number(bytes == stack_.total_bytes.end() ? 0 : bytes->second)}));
    }
    const std::vector<llvm::Constant*> main = main_objects();
    const std::vector<llvm::Constant*> ldm = lay_out_ldm();
    llvm::Function* const wrapper = entry_wrapper(entry, parameters);
    const auto count = [&](const std::vector<llvm::Constant*>& rows) {
      return number(rows.size());
    };
    auto* const program = row({table(ldm), count(ldm), table(main), count(main), table(functions),
                               count(functions), wrapper, number(shares_ldm())});
    new llvm::GlobalVariable(module_, program->getType(), true, llvm::GlobalValue::ExternalLinkage,
                             program, "solway_program");
  }

 private:
  /// How CPE code may reach the LDM of other CPEs.
  std::uint64_t shares_ldm() const {
    std::uint64_t flags = has_other_modes() ? kSharesByTransfer : 0;
    const llvm::Function* const request = module_.getFunction("__solway_rma_request");
    if (request == nullptr) return flags;
    for (const llvm::User* const user : request->users()) {
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(user);
      const auto* const operation =
          call == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
      const bool is_put = operation != nullptr && operation->isZero();
      flags |= kSharesByPut | (is_put ? 0 : kSharesByGet);
    }
    return flags;
  }

  /// Whether a request of CPE code may have another mode than PE_MODE.
  bool has_other_modes() const {
    for (const char* const name : {"athread_get", "athread_put", "__solway_dma"}) {
      const llvm::Function* const request = module_.getFunction(name);
      if (request == nullptr) continue;
      for (const llvm::User* const user : request->users()) {
        const auto* const call = llvm::dyn_cast<llvm::CallBase>(user);
        if (call == nullptr || call->getCalledOperand() != request) return true;
        const auto* const mode = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
        if (mode == nullptr || !mode->isZero()) return true;
      }
    }
    return false;
  }

  static std::string display_name(const std::string& name) {
    return name.starts_with("slave_") ? name.substr(6) : name;
  }

  llvm::Constant* number(std::uint64_t value) {
    return llvm::ConstantInt::get(hooks_.i64(), value);
  }

  static llvm::Constant* row(const std::vector<llvm::Constant*>& fields) {
    return llvm::ConstantStruct::getAnon(fields);
  }

  llvm::Constant* table(const std::vector<llvm::Constant*>& rows) {
    if (rows.empty()) {
      return llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(module_.getContext()));
    }
    auto* const type = llvm::ArrayType::get(rows.front()->getType(), rows.size());
    return new llvm::GlobalVariable(module_, type, true, llvm::GlobalValue::PrivateLinkage,
                                    llvm::ConstantArray::get(type, rows), "solway_table");
  }

  llvm::Constant* null() {
    return llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(module_.getContext()));
  }

  llvm::Constant* declared(const llvm::GlobalVariable& global) {
    const llvm::DIGlobalVariable* const variable = declaration_of(global);
    if (variable == nullptr) return null();
    return hooks_.site(path_of(*variable), "", variable->getLine(), 0);
  }

  static std::string name_in_source(const llvm::GlobalVariable& global) {
    const llvm::DIGlobalVariable* const variable = declaration_of(global);
    return variable == nullptr ? display_name(global.getName().str()) : variable->getName().str();
  }

  std::vector<llvm::Constant*> lay_out_ldm() {
    std::vector<llvm::GlobalVariable*> globals;
    for (llvm::GlobalVariable& global : module_.globals()) {
      if (is_ldm_global(global) && !global.isDeclaration()) globals.push_back(&global);
    }
    std::vector<llvm::Constant*> rows;
    std::uint64_t end = 0;
    for (llvm::GlobalVariable* const global : globals) {
      const std::uint64_t align = module_.getDataLayout().getPreferredAlign(global).value();
      const std::uint64_t size =
          module_.getDataLayout().getTypeAllocSize(global->getValueType()).getFixedValue();
      const std::uint64_t offset = (end + align - 1) / align * align;
      end = offset + size;
      llvm::Constant* const name = hooks_.text(name_in_source(*global));
      llvm::Constant* const where = declared(*global);
      const bool initialised = has_initialiser(*global);
      replace_uses(*global, offset);
      global->setSection("");
      global->setLinkage(llvm::GlobalValue::PrivateLinkage);
      global->setConstant(true);
      rows.push_back(row({name, where, initialised ? static_cast<llvm::Constant*>(global) : null(),
                          number(offset), number(size)}));
    }
    return rows;
  }

  void replace_uses(llvm::GlobalVariable& global, std::uint64_t offset) {
    llvm::convertUsersOfConstantsToInstructions({&global});
    std::map<llvm::Function*, llvm::Value*> address;
    std::vector<llvm::Use*> uses;
    for (llvm::Use& use : global.uses()) uses.push_back(&use);
    for (llvm::Use* const use : uses) {
      auto* const user = llvm::dyn_cast<llvm::Instruction>(use->getUser());
      if (user == nullptr) {
        const llvm::DIGlobalVariable* const variable = declaration_of(global);
        const std::string file = variable == nullptr ? "" : path_of(*variable);
        const Site site{file.c_str(), "",
                        variable == nullptr ? 0 : static_cast<int>(variable->getLine()), 0};
        fail({.kind = "unsupported",
              .where = &site,
              .cause = nullptr,
              .cpe = -1,
              .what = "the address of '" + name_in_source(global) +
                      "' in an initialiser has no one value",
              .why = "an LDM object has another address on each CPE",
              .fix = "assign the pointer in the CPE function"});
      }
      llvm::Value*& value = address[user->getFunction()];
      if (value == nullptr) value = ldm_address(*user->getFunction(), offset);
      use->set(value);
    }
  }

  llvm::Value* ldm_address(llvm::Function& function, std::uint64_t offset) {
    llvm::Value*& base = ldm_base_[&function];
    if (base == nullptr) {
      llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
      base = builder.CreateLoad(hooks_.pointer(),
                                hooks_.shared_field(builder, offsetof(SharedState, ldm)));
    }
    llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(base)->getNextNode());
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
  }

  std::vector<llvm::Constant*> main_objects() {
    std::vector<llvm::Constant*> rows;
    std::vector<llvm::GlobalVariable*> globals;
    for (llvm::GlobalVariable& global : module_.globals()) {
      const llvm::StringRef name = global.getName();
      if (global.isDeclaration() || is_ldm_global(global)) continue;
      if (name.starts_with("llvm.") || name.starts_with("solway_")) continue;
      globals.push_back(&global);
    }
    for (llvm::GlobalVariable* const global : globals) {
      const std::uint64_t size =
          module_.getDataLayout().getTypeAllocSize(global->getValueType()).getFixedValue();
      if (size == 0) continue;
      rows.push_back(
          row({hooks_.text(name_in_source(*global)), declared(*global), global, number(size),
               number(global->isConstant() ? 0 : 1), number(is_shared_global(*global) ? 1 : 0)}));
    }
    return rows;
  }

  llvm::Type* c_type(const EntryParameter& parameter) {
    llvm::LLVMContext& context = module_.getContext();
    if (!parameter.is_scalar) return hooks_.pointer();
    if (parameter.dtype == "float64") return llvm::Type::getDoubleTy(context);
    if (parameter.dtype == "float32") return llvm::Type::getFloatTy(context);
    if (parameter.dtype == "int64") return hooks_.i64();
    if (parameter.dtype == "int32") return hooks_.i32();
    if (parameter.dtype == "int16") return llvm::Type::getInt16Ty(context);
    return llvm::Type::getInt8Ty(context);
  }

  llvm::Function* entry_wrapper(const std::string& name,
                                const std::vector<EntryParameter>& parameters) {
    llvm::Function* const entry = module_.getFunction(name);
    if (entry == nullptr || entry->isDeclaration()) {
      fail_entry("no MPE source defines '" + name + "'",
                 "define it, in C++ as extern \"C\", or name another entry");
    }
    if (entry->arg_size() != parameters.size()) {
      fail_entry("'" + name + "' has " + std::to_string(entry->arg_size()) +
                     " parameters, kernel.toml has " + std::to_string(parameters.size()) +
                     " arguments",
                 "write one [[argument]] per parameter, in order");
    }
    if (!entry->getReturnType()->isVoidTy() && !entry->getReturnType()->isIntegerTy(32)) {
      fail_entry("'" + name + "' returns neither void nor int", "return void or int");
    }
    auto* const type = llvm::FunctionType::get(hooks_.i64(), {hooks_.pointer()}, false);
    auto* const wrapper =
        llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "solway_entry", module_);
    // Timed mode goes by how variables lie in the transactions of main memory: alike in every
    // build and every process.
    wrapper->addFnAttr(
        llvm::Attribute::getWithStackAlignment(module_.getContext(), llvm::Align(128)));
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module_.getContext(), "", wrapper));
    if (llvm::Function* const constructors = module_.getFunction(kConstructors)) {
      builder.CreateCall(constructors, {});
    }
    std::vector<llvm::Value*> values;
    for (unsigned i = 0; i < parameters.size(); ++i) {
      llvm::Type* const expected = c_type(parameters[i]);
      if (entry->getArg(i)->getType() != expected) {
        fail_entry("parameter " + std::to_string(i + 1) + " of '" + name +
                       "' is not the C type of " +
                       (parameters[i].is_scalar ? "a scalar " : "an array of ") +
                       parameters[i].dtype + " ('" + parameters[i].name + "')",
                   "make the declaration and kernel.toml agree");
      }
      llvm::Value* const slot =
          builder.CreateConstInBoundsGEP1_64(hooks_.pointer(), wrapper->getArg(0), i);
      llvm::Value* const data = builder.CreateLoad(hooks_.pointer(), slot);
      values.push_back(parameters[i].is_scalar ? builder.CreateLoad(expected, data) : data);
    }
    llvm::CallInst* const call = builder.CreateCall(entry, values);
    std::vector<llvm::AttributeSet> extensions;
    for (unsigned i = 0; i < parameters.size(); ++i) {
      extensions.push_back(entry->getAttributes().getParamAttrs(i));
    }
    call->setAttributes(llvm::AttributeList::get(module_.getContext(), {},
                                                 entry->getAttributes().getRetAttrs(), extensions));
    call->setCallingConv(entry->getCallingConv());
    builder.CreateRet(entry->getReturnType()->isVoidTy() ? builder.getInt64(0)
                                                         : builder.CreateSExt(call, hooks_.i64()));
    return wrapper;
  }

  HookBuilder& hooks_;
  llvm::Module& module_;
  const ProxyStack& stack_;
  std::map<llvm::Function*, llvm::Value*> ldm_base_;
};

}  // namespace

void write_program(HookBuilder& hooks, const ProxyStack& stack, const std::string& entry,
                   const std::vector<EntryParameter>& parameters) {
  ProgramWriter(hooks, stack).write(entry, parameters);
}

}  // namespace solway::emulator
