#pragma once

#include <map>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "emulator/worker/decoded_instruction.h"
#include "emulator/worker/detail/assembly_registers.h"

namespace solway::emulator {

// The calling convention of CPEs.
inline constexpr int kResultRegister = 0;
inline constexpr int kFirstArgumentRegister = 16;
inline constexpr unsigned kArgumentRegisters = 6;  ///< others lie on the stack, 8 bytes each
inline constexpr int kGlobalPointer = 29;
inline constexpr int kStackPointer = 30;

/// Ends the process.
[[noreturn]] void fail_assembly(const AssemblyProblem& problem);

/// The function that a call names, which C must have declared with its parameters.
llvm::Function& callee_of(llvm::Module& module, const DecodedInstruction& call);

/// Writes what an instruction does as bitcode, but for branches and returns.
class AssemblyTranslator {
 public:
  AssemblyTranslator(llvm::Module& module, llvm::IRBuilder<>& builder, AssemblyRegisters& registers)
      : module_(module), builder_(builder), registers_(registers) {}

  /// `waits`: the block is in a loop that only waits, so its loads are volatile.
  void begin_block(bool waits);
  void translate(const DecodedInstruction& one);

 private:
  /// The variable that an address names; null: none.
  llvm::Value* variable_of(const Operand& operand, const SourceLine& where);
  llvm::Value* address_of(const DecodedInstruction& one);
  llvm::Value* load(llvm::Type* type, llvm::Value* address);
  llvm::Value* splat(llvm::Value* scalar);
  llvm::Value* loaded(const DecodedInstruction& one);
  void store(const DecodedInstruction& one);
  void load_address(const DecodedInstruction& one);
  llvm::Value* control_register(const DecodedInstruction& one);
  void call_function(const DecodedInstruction& one);
  llvm::Value* shuffled(const DecodedInstruction& one);
  /// vinsw and vextw count 32-bit words, vinsf and vextf lanes.
  llvm::FixedVectorType* parts_type(const DecodedInstruction& one);
  llvm::Value* inserted(const DecodedInstruction& one);
  llvm::Value* extracted(const DecodedInstruction& one);
  std::uint64_t part_index(const DecodedInstruction& one, std::size_t operand);

  llvm::Module& module_;
  llvm::IRBuilder<>& builder_;
  AssemblyRegisters& registers_;
  std::map<llvm::Value*, llvm::Value*> pointers_;  ///< of this block, by address
  bool waits_ = false;
};

}  // namespace solway::emulator
