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
#include "emulator/worker/register_needs.h"

namespace solway::emulator {
namespace {

constexpr const char* kNotCompiled =
    "the CPE code cannot be compiled for the machine that stands in for a CPE";

/// Takes the code of each function after all other passes.
class CodeReader : public llvm::MachineFunctionPass {
 public:
  static char ID;  // NOLINT(readability-identifier-naming): LLVM's name

  CodeReader(ProxyCode& out, const ProxyMachine& proxy, const MachineTiming& timing)
      : MachineFunctionPass(ID),
        out_(out),
        proxy_(proxy),
        timing_(timing),
        figures_(timing.figures) {}

  llvm::StringRef getPassName() const override { return "read the code of the proxy machine"; }

  bool runOnMachineFunction(llvm::MachineFunction& function) override {
    names_ = function.getSubtarget().getInstrInfo();
    registers_ = function.getSubtarget().getRegisterInfo();
    out_.registers = static_cast<int>(registers_->getNumRegUnits());
    ProxyFunction& read = out_.functions[function.getName().str()];
    read.frame_bytes = frame_bytes(function.getFrameInfo());
    llvm::MachineDominatorTree dominators(function);
    const llvm::MachineLoopInfo loops(dominators);
    std::map<const llvm::MachineBasicBlock*, int> index;
    for (const llvm::MachineBasicBlock& block : function) {
      index.emplace(&block, static_cast<int>(index.size()));
    }
    for (const llvm::MachineBasicBlock& block : function) {
      CodeBlock& to = read.blocks.emplace_back();
      for (const auto* loop = loops.getLoopFor(&block); loop; loop = loop->getParentLoop()) {
        to.loops.insert(to.loops.begin(), index.at(loop->getHeader()));
      }
      if (block.getBasicBlock() != nullptr) to.name = block.getBasicBlock()->getName().str();
      for (const auto* const other : block.predecessors()) {
        to.predecessors.push_back(index.at(other));
      }
      for (const auto* const other : block.successors()) to.successors.push_back(index.at(other));
      to.loop_depth = static_cast<int>(to.loops.size());
      read_block(block, to);
    }
    if (figures_.shared_registers != 0) {
      add_spills(read.blocks, places_of_registers(function), figures_.shared_registers,
                 timing_.load_latency);
    }
    return false;
  }

 private:
  /// Of those that hold what the program computes with.
  std::vector<int> places_of_registers(const llvm::MachineFunction& function) const {
    std::vector<int> places(registers_->getNumRegUnits(), -1);
    int count = 0;
    const llvm::BitVector allocatable = registers_->getAllocatableSet(function);
    for (const unsigned reg : allocatable.set_bits()) {
      if (!proxy_.is_register(registers_->getName(reg))) continue;
      for (const llvm::MCRegUnit unit : registers_->regunits(reg)) {
        if (places[unit] == -1) places[unit] = count++;
      }
    }
    return places;
  }

  /// What is as long as a vector of a length that is not fixed is counted apart.
  static std::uint64_t frame_bytes(const llvm::MachineFrameInfo& frame) {
    constexpr std::int64_t kGranules = 4;  // of the proxy with such vectors, as long as its own
    std::int64_t scalable = 0;
    for (int k = frame.getObjectIndexBegin(); k < frame.getObjectIndexEnd(); ++k) {
      if (frame.isDeadObjectIndex(k)) continue;
      if (frame.getStackID(k) == llvm::TargetStackID::ScalableVector) {
        scalable += frame.getObjectSize(k) * kGranules;
      }
    }
    return frame.getStackSize() + static_cast<std::uint64_t>(scalable);
  }

  void read_block(const llvm::MachineBasicBlock& block, CodeBlock& to) {
    to.stretches.emplace_back();
    for (const llvm::MachineInstr& instruction : block) {
      if (instruction.isMetaInstruction()) continue;
      if (try_join_with_load(instruction, to.stretches.back())) continue;
      to.stretches.back().push_back(described(instruction));
      const bool calls = instruction.isCall() && is_of_program(instruction);
      to.stretches.back().back().is_call = calls;
      if (calls || (instruction.isInlineAsm() && !converts(instruction))) {
        to.stretches.emplace_back();
      }
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
    if (proxy_.is_indexed(names_->getName(instruction.getOpcode()))) {
      out.index = units_of(instruction.getOperand(2)).front();
    }
    return out;
  }

  /// A scalar that was loaded just to be spread over a vector: one instruction of the core, which
  /// loads it where the vector is read.
  bool try_join_with_load(const llvm::MachineInstr& spread,
                          std::vector<MachineInstruction>& before) const {
    if (!proxy_.spreads(spread, names_->getName(spread.getOpcode()))) return false;
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

  /// What `use_conversions` has put in.
  static bool converts(const llvm::MachineInstr& assembly) {
    const llvm::StringRef name = assembly.getOperand(0).getSymbolName();
    return name == kWiden || name == kNarrow;
  }

  /// Of what `use_instructions` has put in.
  int latency_of_core_instruction(const llvm::MachineInstr& instruction) const {
    const llvm::StringRef name = instruction.getOperand(0).getSymbolName();
    if (name == kReceive && figures_.messages) return figures_.messages->receive_latency_cycles;
    if (name == kReadCounter) return figures_.counter_latency_cycles;
    return name == kReadId ? timing_.load_latency : 1;  // the number lies in the LDM
  }

  MachineInstruction timed(const llvm::MachineInstr& instruction) const {
    if (instruction.isInlineAsm()) {
      const llvm::StringRef name = instruction.getOperand(0).getSymbolName();
      if (name == kWiden) return timed(Work::Vector);
      if (name == kNarrow) return timed(Work::Float);
      return {Pipe::One, latency_of_core_instruction(instruction), 1, {}, {}};
    }
    if (instruction.isCall() && !is_of_program(instruction)) {
      return {Pipe::One, figures_.library_call_cycles, figures_.library_call_cycles, {}, {}};
    }
    if (instruction.isCall() || instruction.isTerminator()) return {Pipe::One, 1, 1, {}, {}};
    return timed(proxy_.work_of(instruction, names_->getName(instruction.getOpcode())));
  }

  MachineInstruction timed(Work work) const {
    MachineInstruction out;
    switch (work) {
      case Work::Nothing:
        out.is_name = true;
        return out;
      case Work::Scalar:
        return {Pipe::Either, 1, 1, {}, {}};
      case Work::Multiply:
        return {Pipe::Zero, figures_.multiply_latency_cycles, 1, {}, {}};
      case Work::IntegerDivide:
        return {Pipe::Zero, figures_.integer_divide_cycles, figures_.integer_divide_cycles, {}, {}};
      case Work::Float:
        return {Pipe::Zero, timing_.float_latency, 1, {}, {}};
      case Work::FloatDivide:
        return {Pipe::Zero, figures_.float_divide_cycles, figures_.float_divide_cycles, {}, {}};
      case Work::Vector:
        return {Pipe::Zero, figures_.vector_latency_cycles, 1, {}, {}};
      case Work::Load:
        return {Pipe::One, timing_.load_latency, 1, {}, {}};
      case Work::Store:
        return {Pipe::One, 1, 1, {}, {}};
    }
    return out;
  }

  ProxyCode& out_;
  const ProxyMachine& proxy_;
  const MachineTiming& timing_;
  const Timing& figures_;
  const llvm::TargetInstrInfo* names_ = nullptr;
  const llvm::TargetRegisterInfo* registers_ = nullptr;
};

char CodeReader::ID = 0;

/// Switches off options of LLVM for as long as it lives. Copies of blocks at the ends of others
/// would belong to none of the program's blocks.
class WithoutOptions {
 public:
  explicit WithoutOptions(const std::vector<const char*>& names) {
    auto& options = llvm::cl::getRegisteredOptions();
    for (const char* const name : names) {
      const auto found = options.find(name);
      if (found == options.end()) {
        fail_internal(kNotCompiled, "its option '" + std::string(name) + "' is not there");
      }
      auto* const option = static_cast<llvm::cl::opt<bool>*>(found->second);
      before_.emplace_back(option, *option);
      option->setValue(false);
    }
  }
  ~WithoutOptions() {
    for (const auto& [option, value] : before_) option->setValue(value);
  }
  WithoutOptions(const WithoutOptions&) = delete;
  WithoutOptions& operator=(const WithoutOptions&) = delete;

 private:
  std::vector<std::pair<llvm::cl::opt<bool>*, bool>> before_;
};

}  // namespace

ProxyCode compile_for_proxy(const llvm::Module& module, const ProxyMachine& proxy,
                            const MachineTiming& timing) {
  const auto copy = llvm::CloneModule(module);
  llvm::StripDebugInfo(*copy);
  drop_processor(*copy);
  for (llvm::Function& function : *copy) {
    if (function.hasFnAttribute(kAssemblyAttribute)) function.deleteBody();
    proxy.prepare(function);
  }
  use_instructions(*copy, proxy.vector_constraint);
  if (proxy.converts_lane_by_lane) use_conversions(*copy, proxy.vector_constraint);
  std::string message;
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(proxy.triple, message);
  if (target == nullptr) fail_internal(kNotCompiled, message);
  const std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      proxy.triple, proxy.processor, proxy.features, {}, llvm::Reloc::Static));
  copy->setTargetTriple(proxy.triple);
  copy->setDataLayout(machine->createDataLayout());

  const WithoutOptions without_options(proxy.off);
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
  passes.add(new CodeReader(code, proxy, timing));
  passes.run(*copy);
  return code;
}

}  // namespace solway::emulator
