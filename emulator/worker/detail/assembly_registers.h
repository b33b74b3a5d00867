#pragma once

#include <array>

#include <llvm/IR/IRBuilder.h>

#include "emulator/worker/decoded_instruction.h"

namespace solway::emulator {

inline constexpr int kAssemblyRegisters = 32;

/// The registers of a function written in assembly, as values of bitcode. Those that only ever hold
/// scalars are i64, the others <4 x i64>; a scalar leaves the upper lanes of these as they are.
class AssemblyRegisters {
 public:
  explicit AssemblyRegisters(llvm::IRBuilder<>& builder) : builder_(builder) {}

  void make_whole(int reg) { is_whole_[static_cast<std::size_t>(reg)] = true; }
  /// All registers are zero. Needs: `make_whole` for all that need it; the builder is in the entry.
  void create();
  /// Another block begins: what the registers hold comes from those before it.
  void begin_block() { current_.fill(nullptr); }
  /// The last call: they become values.
  void promote(llvm::Function& function);

  /// The lowest 64 bits.
  llvm::Value* read(int reg);
  /// A register, or the number that stands in its place.
  llvm::Value* read(const Operand& operand);
  llvm::Value* read_whole(int reg);
  /// `value`: the lowest 64 bits, or four lanes.
  void write(int reg, llvm::Value* value);

  /// A number, a pointer or a vector as it lies in a register: 64 bits, or four lanes.
  llvm::Value* to_register(llvm::Value* value);
  /// The number or pointer of this type that a register holds.
  llvm::Value* from_register(int reg, llvm::Type* type);

 private:
  llvm::Value* held(int reg);

  llvm::IRBuilder<>& builder_;
  std::array<bool, kAssemblyRegisters> is_whole_{};
  std::array<llvm::AllocaInst*, kAssemblyRegisters> slots_{};
  std::array<llvm::Value*, kAssemblyRegisters> current_{};  ///< null: not read in this block yet
};

}  // namespace solway::emulator
