#include "codegen/llvm/detail/machine_code.h"

#include <algorithm>

#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineMemOperand.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/PseudoSourceValue.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include "support/error.h"

namespace solway::codegen::detail {
namespace {

constexpr std::int64_t kVectorBytes = 16;  ///< of the smallest vector

/// Adds up what functions spill.
class SpillCount final : public llvm::MachineFunctionPass {
 public:
  SpillCount(char& id, int& count) : MachineFunctionPass(id), count_(count) {}

  bool runOnMachineFunction(llvm::MachineFunction& function) override {
    for (const llvm::MachineBasicBlock& block : function) {
      for (const llvm::MachineInstr& instruction : block) count_ += moves_spilled(instruction);
    }
    return false;
  }

 private:
  static bool moves_spilled(const llvm::MachineInstr& instruction) {
    const llvm::MachineFrameInfo& frame = instruction.getMF()->getFrameInfo();
    return llvm::any_of(instruction.memoperands(), [&](const llvm::MachineMemOperand* operand) {
      const auto* place =
          llvm::dyn_cast_or_null<llvm::FixedStackPseudoSourceValue>(operand->getPseudoValue());
      return place != nullptr && frame.isSpillSlotObjectIndex(place->getFrameIndex()) &&
             frame.getObjectSize(place->getFrameIndex()) >= kVectorBytes;
    });
  }

  int& count_;
};

bool stays_in_order(const llvm::Module& module) {
  return llvm::any_of(module, [](const llvm::Function& function) {
    return function.hasFnAttribute(kOrderAttribute);
  });
}

/// As TargetMachine::addPassesToEmitFile, with a pass before the one that writes. False: the target
/// makes no such file.
bool add_passes(llvm::legacy::PassManager& passes, llvm::LLVMTargetMachine& machine,
                llvm::raw_pwrite_stream& stream, llvm::CodeGenFileType type, bool in_order,
                llvm::Pass* last) {
  auto* const info = new llvm::MachineModuleInfoWrapperPass(&machine);
  llvm::TargetPassConfig* const config = machine.createPassConfig(passes);
  config->setDisableVerify(true);
  if (in_order) config->disablePass(&llvm::MachineSchedulerID);
  passes.add(config);
  passes.add(info);
  if (config->addISelPasses()) return false;
  config->addMachinePasses();
  config->setInitialized();
  passes.add(last);
  if (machine.addAsmPrinter(passes, stream, nullptr, type, info->getMMI().getContext())) {
    return false;
  }
  passes.add(llvm::createFreeMachineFunctionPass());
  return true;
}

}  // namespace

std::string text_of(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return stream.str();
}

MachineCode machine_code(llvm::Module& module, llvm::TargetMachine& machine,
                         llvm::CodeGenFileType type) {
  static char id = 0;  // passes are told apart by its address
  MachineCode out;
  llvm::raw_svector_ostream stream(out.bytes);
  llvm::legacy::PassManager passes;
  auto& target = static_cast<llvm::LLVMTargetMachine&>(machine);
  auto* const count = new SpillCount(id, out.spilled);
  if (!add_passes(passes, target, stream, type, stays_in_order(module), count)) {
    throw InternalError({{},
                         "machine code of '" + module.getModuleIdentifier() + "'",
                         "LLVM's target makes no such file",
                         ""});
  }
  passes.run(module);
  return out;
}

}  // namespace solway::codegen::detail
