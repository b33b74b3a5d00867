#include "emulator/worker/detail/assembly_code.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DIBuilder.h>

#include "emulator/worker/assembly_text.h"
#include "emulator/worker/detail/assembly_instructions.h"
#include "emulator/worker/detail/assembly_operations.h"
#include "emulator/worker/detail/failure.h"
#include "emulator/worker/detail/kernel_module.h"

namespace solway::emulator {
namespace {

/// With what C declares or calls a function. Where vectors lie in registers on the machine, some
/// are passed in memory here.
struct Signature {
  llvm::FunctionType* type = nullptr;
  llvm::AttributeList attributes;
  std::vector<bool> is_vector;  ///< by parameter

  bool gives_vector() const { return type->getReturnType()->isVectorTy(); }
};

/// Instructions that stand together without a branch into or out of their middle.
struct Stretch {
  std::size_t begin;
  std::size_t end;
};

/// One function on its way from instructions to bitcode.
class FunctionTranslator {
 public:
  FunctionTranslator(llvm::Function& function, const Signature& signature,
                     const AssemblyFunction& written, const MachineTiming& timing,
                     llvm::DISubprogram& program)
      : function_(function),
        signature_(signature),
        module_(*function.getParent()),
        written_(written),
        timing_(timing),
        program_(program),
        builder_(function.getContext()) {}

  ProxyFunction translate() {
    decode_all();
    find_blocks();
    find_whole_registers();
    begin_function();
    for (std::size_t b = 0; b < stretches_.size(); ++b) translate_block(b);
    link_predecessors();
    registers_.promote(function_);
    return std::move(out_);
  }

 private:
  // What is written.

  void decode_all() {
    for (const AssemblyInstruction& one : written_.instructions) {
      Decoding decoding = decode(one);
      if (decoding.problem) fail_assembly(*decoding.problem);
      instructions_.push_back(std::move(decoding.instruction));
    }
    const bool ends = !instructions_.empty() && (form(instructions_.size() - 1) == Form::Return ||
                                                 form(instructions_.size() - 1) == Form::Jump);
    if (ends) return;
    fail_assembly({written_.where, false, "function '" + written_.name + "' does not end",
                   "after its last instruction comes nothing",
                   "end it with ret $31,($26),1 or a branch"});
  }

  Form form(std::size_t index) const { return instructions_[index].core->form; }

  static bool ends_block(Form form) {
    return form == Form::Branch || form == Form::Jump || form == Form::Return;
  }

  std::size_t target_of(std::size_t index) const {
    const DecodedInstruction& branch = instructions_[index];
    const std::string& label = branch.operands[1].name;
    const auto found = written_.labels.find(label);
    const bool is_there = found != written_.labels.end() && found->second < instructions_.size();
    if (is_there) return found->second;
    fail_assembly({branch.where, false, "a branch to '" + label + "', which is no label here",
                   "function '" + written_.name + "' has no instruction behind such a label",
                   "check the name"});
  }

  void find_blocks() {
    std::set<std::size_t> leaders = {0};
    for (std::size_t k = 0; k < instructions_.size(); ++k) {
      if (!ends_block(form(k))) continue;
      if (form(k) != Form::Return) leaders.insert(target_of(k));
      if (k + 1 < instructions_.size()) leaders.insert(k + 1);
    }
    for (auto at = leaders.begin(); at != leaders.end(); ++at) {
      const auto next = std::next(at);
      stretches_.push_back({*at, next == leaders.end() ? instructions_.size() : *next});
      block_at_[*at] = stretches_.size() - 1;
    }
  }

  void find_whole_registers() {
    for (const DecodedInstruction& one : instructions_) {
      for (const Operand& operand : one.operands) {
        const bool whole = operand.use == Use::ReadsWhole || operand.use == Use::WritesWhole;
        if (whole) registers_.make_whole(operand.reg);
      }
    }
    if (signature_.gives_vector()) registers_.make_whole(kResultRegister);
    for (std::size_t k = 0; k < signature_.is_vector.size() && k < kArgumentRegisters; ++k) {
      if (!signature_.is_vector[k]) continue;
      registers_.make_whole(kFirstArgumentRegister + static_cast<int>(k));
    }
  }

  /// Bytes by which the function moves the stack pointer down.
  std::int64_t frame_bytes() const {
    std::int64_t bytes = 0;
    for (const DecodedInstruction& one : instructions_) {
      if (one.core->form != Form::LoadAddress || one.operands[0].reg != kStackPointer) continue;
      if (one.operands[1].reg == kStackPointer) {
        bytes += std::max<std::int64_t>(0, -one.operands[1].number);
      }
    }
    return bytes;
  }

  void begin_function() {
    auto* const entry = llvm::BasicBlock::Create(function_.getContext(), "block0", &function_);
    for (std::size_t b = 0; b < stretches_.size(); ++b) {
      blocks_.push_back(llvm::BasicBlock::Create(function_.getContext(),
                                                 "block" + std::to_string(b + 1), &function_));
    }
    builder_.SetInsertPoint(entry);
    builder_.SetCurrentDebugLocation(
        llvm::DILocation::get(function_.getContext(), program_.getLine(), 0, &program_));
    registers_.create();
    out_.frame_bytes = static_cast<std::uint64_t>(frame_bytes());
    take_arguments();
    builder_.CreateBr(blocks_.front());
    CodeBlock first;
    first.name = "block0";
    first.stretches.emplace_back();
    first.successors = {1};
    out_.blocks.push_back(std::move(first));
  }

  void take_arguments() {
    const auto count = static_cast<unsigned>(function_.arg_size());
    const unsigned on_stack = count > kArgumentRegisters ? count - kArgumentRegisters : 0;
    llvm::Value* top = nullptr;
    if (out_.frame_bytes != 0 || on_stack != 0) {
      auto* const type = llvm::ArrayType::get(builder_.getInt8Ty(),
                                              out_.frame_bytes + std::uint64_t{8} * on_stack);
      llvm::AllocaInst* const stack = builder_.CreateAlloca(type, nullptr, "stack frame");
      stack->setAlignment(llvm::Align(32));
      top = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), stack, out_.frame_bytes);
      registers_.write(kStackPointer, builder_.CreatePtrToInt(top, builder_.getInt64Ty()));
    }
    for (unsigned k = 0; k < count; ++k) {
      llvm::Value* const value = argument(k);
      if (k < kArgumentRegisters) {
        registers_.write(kFirstArgumentRegister + static_cast<int>(k), value);
      } else {
        builder_.CreateStore(value, builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), top,
                                                                        k - kArgumentRegisters));
      }
    }
  }

  /// A parameter as it lies in its register.
  llvm::Value* argument(unsigned index) {
    llvm::Argument* const value = function_.getArg(index);
    if (!value->hasByValAttr()) return registers_.to_register(value);
    return builder_.CreateAlignedLoad(lanes_type(builder_), value, value->getParamAlign());
  }

  void give_result() {
    llvm::Type* const type = function_.getReturnType();
    if (type->isVoidTy()) {
      builder_.CreateRetVoid();
    } else if (signature_.gives_vector()) {
      llvm::Value* value = registers_.read_whole(kResultRegister);
      if (type->getScalarType()->isFloatTy()) value = to_floats(builder_, value);
      builder_.CreateRet(builder_.CreateBitCast(value, type));
    } else {
      builder_.CreateRet(registers_.from_register(kResultRegister, type));
    }
  }

  // Blocks.

  /// Whether a loop from `begin` to `end` does nothing that others see.
  bool only_waits(std::size_t begin, std::size_t end) const {
    for (std::size_t k = begin; k <= end; ++k) {
      const Form what = form(k);
      const bool computes = what == Form::Scalars || what == Form::ScalarCopy ||
                            what == Form::ScalarSelect || what == Form::LoadAddress ||
                            what == Form::Branch || what == Form::Jump || what == Form::Nothing;
      if (!computes && (what != Form::Load || instructions_[k].core->is_vector)) return false;
    }
    return true;
  }

  /// The loops that a block is in, by the branches back over it.
  int depth_of(std::size_t block, bool& waits) const {
    std::set<std::size_t> heads;
    waits = false;
    for (std::size_t k = stretches_[block].begin; k < instructions_.size(); ++k) {
      if (form(k) != Form::Branch && form(k) != Form::Jump) continue;
      const std::size_t target = target_of(k);
      if (target > stretches_[block].begin) continue;
      heads.insert(target);
      waits = waits || only_waits(target, k);
    }
    return static_cast<int>(heads.size());
  }

  int index_of(std::size_t instruction) const {
    return static_cast<int>(block_at_.at(instruction)) + 1;  // behind the entry
  }

  void translate_block(std::size_t b) {
    const Stretch& stretch = stretches_[b];
    CodeBlock block;
    block.name = "block" + std::to_string(b + 1);
    block.stretches.emplace_back();
    bool waits = false;
    block.loop_depth = depth_of(b, waits);
    builder_.SetInsertPoint(blocks_[b]);
    registers_.begin_block();
    translator_.begin_block(waits);
    for (std::size_t k = stretch.begin; k < stretch.end; ++k) {
      const DecodedInstruction& one = instructions_[k];
      builder_.SetCurrentDebugLocation(llvm::DILocation::get(
          function_.getContext(), static_cast<unsigned>(one.where.line), 0, &program_));
      block.stretches.back().push_back(timed_instruction(one, timing_));
      if (!ends_block(one.core->form)) translator_.translate(one);
      const Form what = one.core->form;
      const bool divides = what == Form::Call || what == Form::Send || what == Form::Receive ||
                           what == Form::LoadAndSend || what == Form::Meet ||
                           what == Form::ReadRegister;
      if (divides) block.stretches.emplace_back();
    }
    end_block(b, block);
    out_.blocks.push_back(std::move(block));
  }

  void end_block(std::size_t b, CodeBlock& block) {
    const std::size_t last = stretches_[b].end - 1;
    const DecodedInstruction& one = instructions_[last];
    const auto to = [&](std::size_t instruction) {
      block.successors.push_back(index_of(instruction));
      return blocks_[block_at_.at(instruction)];
    };
    const Form what = one.core->form;
    if (what == Form::Return) {
      give_result();
    } else if (what == Form::Jump) {
      builder_.CreateBr(to(target_of(last)));
    } else if (what == Form::Branch) {
      llvm::Value* const taken =
          compares_with_zero(builder_, one.core->name, registers_.read(one.operands[0]));
      llvm::BasicBlock* const target = to(target_of(last));
      builder_.CreateCondBr(taken, target, to(stretches_[b].end));
    } else {
      builder_.CreateBr(to(stretches_[b].end));
    }
  }

  void link_predecessors() {
    for (std::size_t b = 0; b < out_.blocks.size(); ++b) {
      for (const int to : out_.blocks[b].successors) {
        out_.blocks[static_cast<std::size_t>(to)].predecessors.push_back(static_cast<int>(b));
      }
    }
  }

  llvm::Function& function_;
  const Signature& signature_;
  llvm::Module& module_;
  const AssemblyFunction& written_;
  const MachineTiming& timing_;
  llvm::DISubprogram& program_;
  llvm::IRBuilder<> builder_;
  ProxyFunction out_;
  std::vector<DecodedInstruction> instructions_;
  std::vector<Stretch> stretches_;
  std::map<std::size_t, std::size_t> block_at_;  ///< by first instruction
  std::vector<llvm::BasicBlock*> blocks_;
  AssemblyRegisters registers_{builder_};
  AssemblyTranslator translator_{module_, builder_, registers_};
};

Signature signature_of(llvm::Module& module, const std::string& name) {
  llvm::LLVMContext& context = module.getContext();
  const llvm::Function* const declared = module.getFunction(name);
  Signature out;
  if (declared == nullptr) {
    out.type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                       {llvm::PointerType::getUnqual(context)}, false);
  } else {
    out.type = declared->getFunctionType();
    out.attributes = declared->getAttributes();
  }
  if (out.type->isVarArg()) {  // declared without its parameters
    std::vector<llvm::Type*> types;
    for (const llvm::User* const user : declared->users()) {
      const auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
      if (call == nullptr) continue;
      for (const llvm::Use& argument : call->args()) types.push_back(argument->getType());
      out.attributes = call->getAttributes();
      break;
    }
    out.type = llvm::FunctionType::get(out.type->getReturnType(), types, false);
  }
  for (unsigned k = 0; k < out.type->getNumParams(); ++k) {
    const llvm::Type* const in_memory = out.attributes.getParamByValType(k);
    out.is_vector.push_back(
        (in_memory != nullptr ? in_memory : out.type->getParamType(k))->isVectorTy());
  }
  return out;
}

}  // namespace

void add_assembly(llvm::Module& cpe, const std::string& path, const MachineTiming& timing,
                  AssemblyCode& code) {
  std::ifstream file(path);
  if (!file) fail_internal("the assembly '" + path + "' could not be read", "it is not there");
  std::stringstream text;
  text << file.rdbuf();
  const AssemblyText read = read_assembly(text.str(), path);
  if (read.problem) fail_assembly(*read.problem);

  llvm::DIBuilder debug(cpe);
  const std::string source = read.functions.empty() ? path : read.functions.front().where.file;
  llvm::DIFile* const unit_file = debug.createFile(source, "");
  debug.createCompileUnit(llvm::dwarf::DW_LANG_Mips_Assembler, unit_file, "", false, "", 0);
  struct Written {
    llvm::Function* function;
    Signature signature;
    const AssemblyFunction* text;
  };
  std::vector<Written> functions;
  for (const AssemblyFunction& written : read.functions) {
    const Signature signature = signature_of(cpe, written.name);
    llvm::Function* const declared = cpe.getFunction(written.name);
    if (declared != nullptr && !declared->isDeclaration()) {
      fail_assembly({written.where, false, "'" + written.name + "' is defined twice",
                     "another CPE source defines it too", "remove one of the definitions"});
    }
    llvm::Function* const function =
        llvm::Function::Create(signature.type, llvm::GlobalValue::ExternalLinkage, "", cpe);
    if (declared != nullptr) {
      declared->replaceAllUsesWith(function);
      declared->eraseFromParent();
    }
    function->setName(written.name);
    function->setAttributes(signature.attributes);
    function->addFnAttr(kAssemblyAttribute);
    llvm::DIFile* const where = debug.createFile(written.where.file, "");
    const auto line = static_cast<unsigned>(written.where.line);
    function->setSubprogram(
        debug.createFunction(where, written.name, "", where, line, debug.createSubroutineType({}),
                             line, llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition));
    functions.push_back({function, signature, &written});
  }
  for (const Written& one : functions) {
    FunctionTranslator translator(*one.function, one.signature, *one.text, timing,
                                  *one.function->getSubprogram());
    code[one.text->name] = translator.translate();
  }
  debug.finalize();
}

}  // namespace solway::emulator
