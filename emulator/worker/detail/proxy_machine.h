#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include <llvm/ADT/StringRef.h>
#include <llvm/CodeGen/MachineInstr.h>
#include <llvm/IR/Function.h>

namespace solway::emulator {

/// What a machine instruction does, as far as its time depends on that.
enum class Work : std::uint8_t {
  Nothing,        ///< the core needs no such instruction
  Scalar,         ///< integers, but for the next two
  Multiply,       ///< of integers
  IntegerDivide,  ///< and remainders
  Float,          ///< scalars or vectors
  FloatDivide,    ///< and roots
  Vector,         ///< moves, shuffles, integers and logic of vectors
  Load,
  Store
};

/// An instruction set that LLVM knows, in place of that of a computing core.
struct ProxyMachine {
  const char* triple;
  const char* processor;
  const char* features;
  const char* vector_constraint;  ///< of vector registers in inline assembly
  bool converts_lane_by_lane;     ///< see use_conversions
  /// LLVM's options that are off meanwhile; they are of the process, in which other code is made
  /// too.
  std::vector<const char*> off;
  /// Before it is compiled.
  void (*prepare)(llvm::Function& function);
  Work (*work_of)(const llvm::MachineInstr& instruction, llvm::StringRef name);
  /// Whether it spreads the first number of a register, operand 1, over a vector, operand 0.
  bool (*spreads)(const llvm::MachineInstr& instruction, llvm::StringRef name);
  /// Whether operand 2 is a register that is added to the address in operand 1.
  bool (*is_indexed)(llvm::StringRef name);
  /// Whether a register of that name holds an integer, a float or a vector.
  bool (*is_register)(llvm::StringRef name);
};

/// LoongArch with LASX, the nearest one to cores with vectors of 256 bits: 32 vector registers,
/// loads and stores with an offset, multiply-add of four operands.
const ProxyMachine& loongarch_proxy();

/// AArch64 with SVE of 512 bits, the nearest one to cores with such vectors: 32 vector registers
/// beside those of integers, loads that spread a number over a vector.
const ProxyMachine& aarch64_proxy();

inline bool contains_any(llvm::StringRef text, std::initializer_list<const char*> words) {
  for (const char* const word : words) {
    if (text.contains(word)) return true;
  }
  return false;
}

}  // namespace solway::emulator
