#include "emulator/worker/detail/proxy_code.h"

#include <algorithm>

#include <llvm/CodeGen/MachineDominators.h>
#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineLoopInfo.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "emulator/worker/detail/failure.h"
#include "emulator/worker/detail/kernel_module.h"

namespace solway::emulator {
namespace {

constexpr const char* kProxyTriple = "loongarch64-unknown-linux-gnu";

constexpr const char* kNotCompiled =
    "the CPE code cannot be compiled for the machine that stands in for a CPE";

bool contains_any(llvm::StringRef text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return text.contains(word); });
}

/// Takes the code of each function after all other passes.
class CodeReader : public llvm::MachineFunctionPass {
 public:
  static char ID;  // NOLINT(readability-identifier-naming): LLVM's name

  CodeReader(ProxyCode& out, const MachineTiming& timing)
      : MachineFunctionPass(ID), out_(out), timing_(timing), figures_(timing.figures) {}

  llvm::StringRef getPassName() const override { return "read the code of the proxy machine"; }

  bool runOnMachineFunction(llvm::MachineFunction& function) override {
    names_ = function.getSubtarget().getInstrInfo();
    registers_ = function.getSubtarget().getRegisterInfo();
    out_.registers = static_cast<int>(registers_->getNumRegUnits());
    ProxyFunction& read = out_.functions[function.getName().str()];
    read.frame_bytes = function.getFrameInfo().getStackSize();
    llvm::MachineDominatorTree dominators(function);
    const llvm::MachineLoopInfo loops(dominators);
    std::map<const llvm::MachineBasicBlock*, int> index;
    for (const llvm::MachineBasicBlock& block : function) {
      index.emplace(&block, static_cast<int>(index.size()));
    }
    for (const llvm::MachineBasicBlock& block : function) {
      CodeBlock& to = read.blocks.emplace_back();
      if (block.getBasicBlock() != nullptr) to.name = block.getBasicBlock()->getName().str();
      for (const auto* const other : block.predecessors()) {
        to.predecessors.push_back(index.at(other));
      }
      for (const auto* const other : block.successors()) to.successors.push_back(index.at(other));
      to.loop_depth = static_cast<int>(loops.getLoopDepth(&block));
      read_block(block, to);
    }
    return false;
  }

 private:
  void read_block(const llvm::MachineBasicBlock& block, CodeBlock& to) {
    to.stretches.emplace_back();
    for (const llvm::MachineInstr& instruction : block) {
      if (instruction.isMetaInstruction()) continue;
      if (try_join_with_load(instruction, to.stretches.back())) continue;
      to.stretches.back().push_back(described(instruction));
      const bool calls = instruction.isCall() && is_of_program(instruction);
      to.stretches.back().back().is_call = calls;
      if (calls || instruction.isInlineAsm()) to.stretches.emplace_back();
    }
  }

  /// Not a call of the C library that the compiler has made of an operation.
  static bool is_of_program(const llvm::MachineInstr& call) {
    return std::none_of(call.operands_begin(), call.operands_end(),
                        [](const llvm::MachineOperand& operand) { return operand.isSymbol(); });
  }

  std::vector<int> units_of(const llvm::MachineOperand& operand) const {
    std::vector<int> units;
    if (!operand.isReg() || !operand.getReg().isPhysical()) return units;
    for (const llvm::MCRegUnit unit : registers_->regunits(operand.getReg().asMCReg())) {
      units.push_back(static_cast<int>(unit));
    }
    return units;
  }

  MachineInstruction described(const llvm::MachineInstr& instruction) const {
    MachineInstruction out = timed(instruction);
    for (const llvm::MachineOperand& operand : instruction.operands()) {
      if (!operand.isReg() || registers_->isConstantPhysReg(operand.getReg())) continue;
      auto& to = operand.isDef() ? out.writes : out.reads;
      for (const int unit : units_of(operand)) to.push_back(unit);
    }
    return out;
  }

  /// A scalar that was loaded just to be spread over a vector: one instruction of the core, which
  /// loads it where the vector is read.
  bool try_join_with_load(const llvm::MachineInstr& spread,
                          std::vector<MachineInstruction>& before) const {
    const llvm::StringRef name = names_->getName(spread.getOpcode());
    const bool spreads = name.starts_with("XVREPLVE0_") ||
                         (name.starts_with("VREPLVEI_") && spread.getOperand(2).getImm() == 0);
    if (!spreads) return false;
    const std::vector<int> from = units_of(spread.getOperand(1));
    const auto writes = [&](const MachineInstruction& one) {
      return std::any_of(from.begin(), from.end(), [&](int unit) {
        return std::find(one.writes.begin(), one.writes.end(), unit) != one.writes.end();
      });
    };
    const auto load = std::find_if(before.rbegin(), before.rend(), writes);
    if (load == before.rend() || load->pipe != Pipe::One) return false;
    MachineInstruction vector;
    vector.is_name = true;
    vector.reads = from;
    vector.writes = units_of(spread.getOperand(0));
    before.push_back(vector);
    return true;
  }

  /// Of what `use_instructions` has put in.
  int latency_of_core_instruction(const llvm::MachineInstr& instruction) const {
    const llvm::StringRef name = instruction.getOperand(0).getSymbolName();
    if (name == kReceive) return figures_.receive_latency_cycles;
    if (name == kReadCounter) return figures_.counter_latency_cycles;
    return name == kReadId ? timing_.load_latency : 1;  // the number lies in the LDM
  }

  MachineInstruction timed(const llvm::MachineInstr& instruction) const {
    const llvm::StringRef name = names_->getName(instruction.getOpcode());
    if (instruction.isInlineAsm())
      return {Pipe::One, latency_of_core_instruction(instruction), 1, {}, {}};
    if (instruction.isCall() && !is_of_program(instruction)) {
      return {Pipe::One, figures_.library_call_cycles, figures_.library_call_cycles, {}, {}};
    }
    if (instruction.isCall() || instruction.isTerminator()) return {Pipe::One, 1, 1, {}, {}};
    if (instruction.mayLoad()) return {Pipe::One, timing_.load_latency, 1, {}, {}};
    if (instruction.mayStore()) return {Pipe::One, 1, 1, {}, {}};
    const bool is_vector = name.starts_with("V") || name.starts_with("XV");
    const llvm::StringRef operation = name.ltrim('X').ltrim('V');
    const bool is_float = operation.starts_with("F") && !operation.starts_with("FRINT_");
    if (is_float && contains_any(name, {"DIV", "SQRT", "RECIP"})) {
      return {Pipe::Zero, figures_.float_divide_cycles, figures_.float_divide_cycles, {}, {}};
    }
    if (!is_float && contains_any(operation, {"DIV_", "MOD_"})) {
      return {Pipe::Zero, figures_.integer_divide_cycles, figures_.integer_divide_cycles, {}, {}};
    }
    if (is_float) {
      const bool moves = contains_any(operation, {"FMOV", "FSEL", "FNEG", "FABS", "FCOPYSIGN"});
      return {
          Pipe::Zero, moves ? figures_.vector_latency_cycles : timing_.float_latency, 1, {}, {}};
    }
    if (!is_vector && operation.starts_with("MUL")) {
      return {Pipe::Zero, figures_.multiply_latency_cycles, 1, {}, {}};
    }
    if (is_vector) return {Pipe::Zero, figures_.vector_latency_cycles, 1, {}, {}};
    return {Pipe::Either, 1, 1, {}, {}};
  }

  ProxyCode& out_;
  const MachineTiming& timing_;
  const Timing& figures_;
  const llvm::TargetInstrInfo* names_ = nullptr;
  const llvm::TargetRegisterInfo* registers_ = nullptr;
};

char CodeReader::ID = 0;

/// Keeps blocks from being copied to the ends of others: the copies would belong to none of the
/// program's blocks. The option is one of the process, in which other code is made too.
class WithoutCopiesOfBlocks {
 public:
  WithoutCopiesOfBlocks() {
    auto& options = llvm::cl::getRegisteredOptions();
    const auto found = options.find("tail-dup-placement");
    if (found == options.end())
      fail_internal(kNotCompiled, "its option 'tail-dup-placement' is not there");
    option_ = static_cast<llvm::cl::opt<bool>*>(found->second);
    before_ = *option_;
    option_->setValue(false);
  }
  ~WithoutCopiesOfBlocks() { option_->setValue(before_); }
  WithoutCopiesOfBlocks(const WithoutCopiesOfBlocks&) = delete;
  WithoutCopiesOfBlocks& operator=(const WithoutCopiesOfBlocks&) = delete;

 private:
  llvm::cl::opt<bool>* option_ = nullptr;
  bool before_ = false;
};

}  // namespace

ProxyCode compile_for_proxy(const llvm::Module& module, const MachineTiming& timing) {
  const auto copy = llvm::CloneModule(module);
  llvm::StripDebugInfo(*copy);
  drop_processor(*copy);
  for (llvm::Function& function : *copy) {
    if (function.hasFnAttribute(kAssemblyAttribute)) function.deleteBody();
  }
  use_instructions(*copy);
  std::string message;
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(kProxyTriple, message);
  if (target == nullptr) fail_internal(kNotCompiled, message);
  const std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      kProxyTriple, "la464", "+64bit,+d,+lsx,+lasx", {}, llvm::Reloc::Static));
  copy->setTargetTriple(kProxyTriple);
  copy->setDataLayout(machine->createDataLayout());

  const WithoutCopiesOfBlocks without_copies;
  auto& generator = static_cast<llvm::LLVMTargetMachine&>(*machine);
  llvm::legacy::PassManager passes;
  llvm::TargetPassConfig* const config = generator.createPassConfig(passes);
  config->setEnableTailMerge(false);
  config->disablePass(&llvm::EarlyTailDuplicateID);
  config->disablePass(&llvm::TailDuplicateID);
  passes.add(config);
  passes.add(new llvm::MachineModuleInfoWrapperPass(&generator));
  if (config->addISelPasses()) fail_internal(kNotCompiled, "it has no instruction selection");
  config->addMachinePasses();
  config->setInitialized();
  ProxyCode code;
  passes.add(new CodeReader(code, timing));
  passes.run(*copy);
  return code;
}

}  // namespace solway::emulator
